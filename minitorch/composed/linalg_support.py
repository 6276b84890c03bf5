"""Checks, tolerances and LAPACK errors shared by the linear algebra functions."""

from minitorch.autograd.functions.creation import full, zeros
from minitorch.autograd.functions.namespace import promote_types
from minitorch.autograd.functions.tensor_methods import where
from minitorch.autograd.python_dispatch import asked, told
from minitorch.core.dtype import _dtypes
from minitorch.core.linalg_error import linalg_error
from minitorch.tensors.vmap_values import all_samples


def check_errors(info, name, is_matrix):
    """Raise PyTorch's error for the first matrix on which LAPACK failed."""
    info, batches = all_samples(info)
    is_matrix = is_matrix and not batches
    if asked(info):
        told("_linalg_check_errors", (info, name), {"is_matrix": is_matrix})
        return
    if info.is_meta or not info.any():
        return
    for index, value in enumerate(info.flatten().tolist()):
        if value:
            raise linalg_error(value, name, None if is_matrix else index)


def check_is_matrix(A, name):
    if A.dim() < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")


def check_square(A, name):
    check_is_matrix(A, name)
    if A.size(-1) != A.size(-2):
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {A.size(-2)} by "
            f"{A.size(-1)} matrices"
        )


def check_floating_or_complex(A, name, wide=False):
    if not (A.is_floating_point() or A.is_complex()):
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {A.dtype._class_name}"
        )
    if wide and A.is_floating_point() and A.element_size() < 4:
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {A.dtype._class_name}")


def is_tensor(value):
    """Test whether an object is a tensor.

    Parameters
    ----------
    obj : object

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.is_tensor(torch.ones(2)), torch.is_tensor([1, 2])
    (True, False)
    """
    return hasattr(value, "requires_grad")


def check_tolerances(atol, rtol, names):
    """Raise for complex tolerance tensors."""
    for value, name in zip((atol, rtol), names, strict=True):
        if is_tensor(value) and value.is_complex():
            raise RuntimeError(
                f"torch.linalg.{name} tensor of complex type is not supported. Got "
                f"{value.dtype._class_name}"
            )


def tolerances(input, atol, rtol, names):
    """Return the absolute and relative tolerance of singular values as float64 tensors.

    Parameters
    ----------
    input : Tensor
        The matrices.
    atol, rtol : number or Tensor, optional
        `rtol` stays None if `atol` is a tensor, whose elements determine it (see
        `default_rtol`).
    names : tuple of str
        The names of the two for error messages.
    """
    check_tolerances(atol, rtol, names)
    options = _double(input)
    if rtol is None and not is_tensor(atol):
        rtol = 0.0 if atol is not None and atol > 0 else _precision(input)
    if atol is None:
        atol = zeros((), **options)
    elif not is_tensor(atol):
        atol = full((), atol, **options)
    if rtol is not None and not is_tensor(rtol):
        rtol = full((), rtol, **options)
    return atol, rtol


def default_rtol(input, atol):
    """Return the relative tolerance: 0 where `atol` is positive, else the default."""
    rounding = full((), _precision(input), **_double(input))
    return where(atol > 0, zeros((), **_double(input)), rounding)


def _double(input):
    return {"dtype": _dtypes()["float64"], "layout": input.layout, "device": input.device}


def _precision(input):
    """Return the default relative tolerance: the dtype's eps times the larger matrix dimension."""
    single = input.element_size() == (8 if input.is_complex() else 4)
    return (2.0**-23 if single else 2.0**-52) * max(input.shape[-2:])


def int64_of(input):
    """Return the dtype int64; `input` may be any tensor."""
    return input.new_zeros(0).bool().sum().dtype


def check_norm_dtype(dtype, input, name):
    """Raise unless a norm of `input` can be computed in the requested dtype."""
    if dtype is None:
        return
    given, wanted = input.dtype._class_name, dtype._class_name
    if not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(f"{name}: dtype should be floating point or complex, but got {wanted}")
    if input.is_complex() != dtype.is_complex:
        kind = "complex" if input.is_complex() else "real"
        raise RuntimeError(f"{name}: dtype should be {kind} for {kind} inputs, but got {wanted}")
    if promote_types(input.dtype, dtype) != dtype:
        raise RuntimeError(
            f"{name}: the dtype of the input ({given}) should be convertible without narrowing to "
            f"the specified dtype ({wanted})"
        )
