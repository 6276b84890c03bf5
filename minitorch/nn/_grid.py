"""Sampling of images at the positions of a grid, and grids of affine transforms."""

import warnings

from minitorch.autograd.functions import tensor_methods as _ops

_INTERPOLATIONS = {"bilinear": 0, "nearest": 1, "bicubic": 2}
_PADDINGS = {"zeros": 0, "border": 1, "reflection": 2}


def _aligned(align_corners, level):
    if align_corners is None:
        warnings.warn(
            "Default grid_sample and affine_grid behavior has changed to align_corners=False since "
            "1.3.0. Please specify align_corners=True if the old behavior is desired. See the "
            "documentation of grid_sample for details.",
            UserWarning,
            stacklevel=level,
        )
    return bool(align_corners)


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """Sample an image at the positions of a grid.

    Parameters
    ----------
    input : Tensor
        (N, C, H, W) or (N, C, D, H, W).
    grid : Tensor
        (N, out_H, out_W, 2) or (N, out_D, out_H, out_W, 3): x, y (and z) from -1 to 1.
    mode : str
        ``"bilinear"``, ``"nearest"``, or for images ``"bicubic"``.
    padding_mode : str
        The values outside the image: ``"zeros"``, ``"border"`` or ``"reflection"``.
    align_corners : bool
        Let -1 and 1 be the centers of the outermost pixels instead of the edges of the image.

    Returns
    -------
    Tensor
        (N, C, out_H, out_W) or (N, C, out_D, out_H, out_W).

    Raises
    ------
    ValueError
        For an unknown mode.
    RuntimeError
        For shapes or dtypes that do not match.

    Examples
    --------
    >>> import minitorch as torch
    >>> image = torch.arange(4.0).view(1, 1, 2, 2)
    >>> torch.nn.functional.grid_sample(image, torch.zeros(1, 1, 1, 2), align_corners=False)
    tensor([[[[1.5000]]]])
    """
    if mode not in _INTERPOLATIONS:
        raise ValueError(
            "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', "
            f"but got: '{mode}'"
        )
    if padding_mode not in _PADDINGS:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or "
            f"'reflection', but got: '{padding_mode}'"
        )
    aligned = _aligned(align_corners, 3)
    return _ops.grid_sampler(input, grid, _INTERPOLATIONS[mode], _PADDINGS[padding_mode], aligned)


def affine_grid(theta, size, align_corners=None):
    """Return the grid of positions at which an affine transform samples, for `grid_sample`.

    Parameters
    ----------
    theta : Tensor
        (N, 2, 3), or (N, 3, 4) for volumes.
    size : sequence of int
        The size of the image: (N, C, H, W) or (N, C, D, H, W).
    align_corners : bool
        See `grid_sample`.

    Returns
    -------
    Tensor
        (N, H, W, 2) or (N, D, H, W, 3).

    Examples
    --------
    >>> import minitorch as torch
    >>> theta = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    >>> torch.nn.functional.affine_grid(theta, (1, 1, 1, 2), align_corners=False)
    tensor([[[[-0.5000,  0.0000],
              [ 0.5000,  0.0000]]]])
    """
    aligned = _aligned(align_corners, 3)
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    dims = len(size) - 2
    if dims not in (2, 3):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, "
            f"respectively. Got size {size}."
        )
    if theta.dim() != 3 or tuple(theta.shape[-2:]) != (dims, dims + 1):
        raise ValueError(
            f"Expected a batch of {dims}D affine matrices of shape Nx{dims}x{dims + 1} for size "
            f"{size}. Got {theta.shape}."
        )
    if align_corners and min(size[-dims:]) == 1:
        warnings.warn(
            "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when "
            "align_corners=True. This is not an intended use case of affine_grid. See the "
            "documentation of affine_grid for details.",
            UserWarning,
            stacklevel=2,
        )
    elif min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return _ops.affine_grid_generator(theta, size, aligned)
