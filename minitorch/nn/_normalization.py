"""Normalization functions."""

import math

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.autograd.python_dispatch import written_in_cpp
from minitorch.core.error_pages import explained
from minitorch.core.once import warn_once
from minitorch.core.types import channels_last, channels_last_3d, contiguous_format
from minitorch.nn._precision import reject_integers

# dimensions from innermost to outermost in the channels-last formats
_INNERMOST_FIRST = {4: ((1, 3, 2, 0), channels_last), 5: ((1, 4, 3, 2, 0), channels_last_3d)}


def suggested_format(input):
    """Return the memory format that the strides of a tensor suggest."""
    sizes, strides = input.size(), input.stride()
    order, channels = _INNERMOST_FIRST.get(len(sizes), ((), None))
    if not order or strides[1] == 0:
        return contiguous_format
    least = 0
    for d in order:
        if sizes[d] == 0 or strides[d] < least or (d == 0 and least == strides[1]):
            return contiguous_format
        least = strides[d] * max(sizes[d], 1)
    return channels


def _verify_batch_size(size):
    product = size[0]
    for n in size[2:]:
        product *= n
    if product == 1:
        raise explained(
            ValueError(
                f"Expected more than 1 value per channel when training, got input size {size}"
            ),
            "batch-norm-one-sample",
        )


def batch_norm(
    input,
    running_mean,
    running_var,
    weight=None,
    bias=None,
    training=False,
    momentum=0.1,
    eps=1e-5,
):
    """Normalize each channel with the statistics of the batch or with given ones.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, *)``.
    running_mean, running_var : Tensor or None
        The shape ``(C,)``. In training, they are updated in place; otherwise they are used.
    weight, bias : Tensor, optional
        The shape ``(C,)``: a factor and a summand for each channel.
    training : bool, default False
        Use the mean and the biased variance of the batch.
    momentum : float, default 0.1
        The weight of the batch in the running statistics.
    eps : float, default 1e-05
        Added to the variance.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    ValueError
        If `training` and there is only one value for each channel.

    References
    ----------
    S. Ioffe and C. Szegedy, Batch Normalization, ICML 2015.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.batch_norm(torch.tensor([[1.0], [3.0]]), None, None, training=True)
    tensor([[-1.0000],
            [ 1.0000]])
    """
    if training:
        _verify_batch_size(input.size())
        if eps <= 0.0:
            raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
    elif eps < 0.0:
        raise ValueError(f"batch_norm eps must be non-negative, but got {eps}")
    return _ops.batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps, True
    )


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """Normalize each example over its last dimensions.

    Parameters
    ----------
    input : Tensor
        The shape ``(*, *normalized_shape)``.
    normalized_shape : list of int
        The sizes of the last dimensions.
    weight, bias : Tensor, optional
        The shape `normalized_shape`.
    eps : float, default 1e-05
        Added to the biased variance.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    RuntimeError
        If the last dimensions of `input` have other sizes.

    References
    ----------
    J. Ba et al., Layer Normalization, 2016.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.layer_norm(torch.tensor([[1.0, 3.0]]), [2])
    tensor([[-1.0000,  1.0000]])
    """
    return _ops.layer_norm(input, normalized_shape, weight, bias, eps, True)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Normalize each group of channels of each example.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, *)``.
    num_groups : int
        A divisor of C.
    weight, bias : Tensor, optional
        The shape ``(C,)``.
    eps : float, default 1e-05
        Added to the variance.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    RuntimeError
        If C is not divisible by `num_groups`.

    References
    ----------
    Y. Wu and K. He, Group Normalization, ECCV 2018.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.group_norm(torch.tensor([[[1.0], [3.0]]]), 1)
    tensor([[[-1.0000],
             [ 1.0000]]])
    """
    size = input.size()
    if len(size) < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {len(size)}"
        )
    grouped = [size[0] * size[1] // num_groups, num_groups, *size[2:]]
    _verify_batch_size(grouped)
    fits = all(p is None or tuple(p.shape) == (size[1],) for p in (weight, bias))
    if fits and size[1] % num_groups == 0 and suggested_format(input) is not contiguous_format:
        # group_norm is a composed function, which would return a row-major result
        count = math.prod(size[2:])
        return _ops.native_group_norm(
            input, weight, bias, size[0], size[1], count, num_groups, eps
        )[0]
    return _ops.group_norm(input, num_groups, weight, bias, eps, True)


def instance_norm(
    input,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    use_input_stats=True,
    momentum=0.1,
    eps=1e-5,
):
    """Normalize each channel of each example.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, *)``.
    running_mean, running_var : Tensor, optional
        The shape ``(C,)``. They are updated in place if `use_input_stats`, otherwise used.
    weight, bias : Tensor, optional
        The shape ``(C,)``: a factor and a summand for each channel.
    use_input_stats : bool, default True
        Use the mean and the biased variance of the example.
    momentum : float, default 0.1
        The weight of the input in the running statistics.
    eps : float, default 1e-05
        Added to the variance.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    ValueError
        If `use_input_stats` and there is only one element in each channel.

    References
    ----------
    D. Ulyanov et al., Instance Normalization, 2016.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.instance_norm(torch.tensor([[[1.0, 3.0]]]))
    tensor([[[-1.0000,  1.0000]]])
    """
    if use_input_stats:
        size = 1
        for n in input.size()[2:]:
            size *= n
        if size == 1:
            raise ValueError(
                f"Expected more than 1 spatial element when training, got input size {input.size()}"
            )
    return _ops.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True
    )


def rms_norm(input, normalized_shape, weight=None, eps=None):
    """Divide each example by the root mean square of its last dimensions.

    Parameters
    ----------
    input : Tensor
        The shape ``(*, *normalized_shape)``.
    normalized_shape : list of int
        The sizes of the last dimensions.
    weight : Tensor, optional
        The shape `normalized_shape`.
    eps : float, optional
        Added to the mean square; by default the resolution of the dtype.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    RuntimeError
        If the last dimensions of `input` have other sizes.

    References
    ----------
    B. Zhang and R. Sennrich, Root Mean Square Layer Normalization, NeurIPS 2019.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.rms_norm(torch.tensor([[1.0, 7.0]]), [2])
    tensor([[0.2000, 1.4000]])
    """
    return _rms_norm(input, normalized_shape, weight, eps)


@parsed_as("rms_norm")
def _rms_norm(input, normalized_shape, weight=None, eps=None):
    """Divide each example by the root mean square of its last dimensions.

    Parameters
    ----------
    input : Tensor
        The shape ``(*, *normalized_shape)``.
    normalized_shape : list of int
        The sizes of the last dimensions.
    weight : Tensor, optional
        The shape `normalized_shape`.
    eps : float, optional
        Added to the mean square; by default the resolution of the dtype.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    RuntimeError
        If the last dimensions of `input` have other sizes.

    References
    ----------
    B. Zhang and R. Sennrich, Root Mean Square Layer Normalization, NeurIPS 2019.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.rms_norm(torch.tensor([[1.0, 7.0]]), [2])
    tensor([[0.2000, 1.4000]])
    """
    n = len(normalized_shape)
    if n == 0:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one "
            "element, but got normalized_shape = []"
        )
    if weight is not None and tuple(weight.shape) != tuple(normalized_shape):
        raise RuntimeError(
            "Expected weight to be of same shape as normalized_shape, but got weight of shape "
            f"{list(weight.shape)} and normalized_shape = {list(normalized_shape)}"
        )
    if input.dim() < n:
        raise ValueError(f"Input tensor must have at least {n} dimensions, but got {input.dim()}")
    if tuple(input.size()[-n:]) != tuple(normalized_shape):
        inside = ", ".join(map(str, normalized_shape))
        raise RuntimeError(
            f"Given normalized_shape=[{inside}], expected input with shape [*{inside}], but got "
            f"input of size{list(input.size())}"
        )
    if eps is None:
        eps = 1.1920928955078125e-07 if input.element_size() <= 4 else 2.220446049250313e-16
    if weight is not None and weight.dtype != input.dtype:
        warn_once(
            "Mismatch dtype between input and weight: input dtype = "
            f"{input.dtype._c_name}, weight dtype = {weight.dtype._c_name}, Cannot dispatch to fused "
            "implementation.",
            stacklevel=3,
            kind="rms_norm",
        )
    reject_integers(input, "rms_norm")
    dims = tuple(range(input.dim() - 1, input.dim() - n - 1, -1))
    # 16-bit inputs are computed in float32 and rounded once
    wide = input.float() if input.element_size() == 2 else input
    square = wide.pow(2).mean(dims, keepdim=True)
    with written_in_cpp():
        square.add_(eps)
    result = wide * square.rsqrt()
    result = result if weight is None else result * weight
    result = result.to(input.dtype)
    return result.contiguous(memory_format=suggested_format(input))


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """Divide vectors by their norm.

    Parameters
    ----------
    input : Tensor
        Any shape.
    p : float, default 2.0
        The p of the norm.
    dim : int or tuple of int, default 1
        The dimension of the vectors.
    eps : float, default 1e-12
        The smallest divisor.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    IndexError
        If there is no dimension `dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.normalize(torch.tensor([[3.0, 4.0]]))
    tensor([[0.6000, 0.8000]])
    """
    dims = (dim,) if isinstance(dim, int) else dim
    length = _ops.linalg_vector_norm(input, p, dims, True).clamp_min(eps).expand(input.size())
    return input / length if out is None else _ops.div(input, length, out=out)


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """Divide each element by a power of the mean square of neighbouring channels.

    The result is ``input / (k + alpha * mean(x**2))**beta``.

    Parameters
    ----------
    input : Tensor
        The shape ``(N, C, *)``.
    size : int
        The number of neighbouring channels.
    alpha : float, default 0.0001
    beta : float, default 0.75
    k : float, default 1.0

    Returns
    -------
    Tensor
        The shape and dtype of `input`.

    Raises
    ------
    ValueError
        If the input has fewer than three dimensions.

    References
    ----------
    A. Krizhevsky et al., ImageNet Classification with Deep Convolutional Neural Networks, NeurIPS 2012.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.local_response_norm(torch.ones(1, 1, 1), 1, alpha=3.0, beta=1.0)
    tensor([[[0.2500]]])
    """
    if input.dim() < 3:
        spaces = " " * 25
        raise ValueError(
            f"Expected 3D or higher dimensionality {spaces}input (got {input.dim()} dimensions)"
        )
    if input.numel() == 0:
        return input
    squares, around = input * input, [size // 2, (size - 1) // 2]
    if input.dim() == 3:
        padded = _ops.constant_pad_nd(squares.unsqueeze(1), [0, 0, *around], 0.0)
        mean = _ops.avg_pool2d(padded, (size, 1), 1).squeeze(1)
    else:
        volume = squares.view(input.size(0), 1, input.size(1), input.size(2), -1)
        padded = _ops.constant_pad_nd(volume, [0, 0, 0, 0, *around], 0.0)
        mean = _ops.avg_pool3d(padded, (size, 1, 1), 1).squeeze(1).view(input.size())
    return input / (mean * alpha + k).pow(beta)
