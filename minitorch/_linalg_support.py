"""What the functions of linear algebra share: checks, LAPACK's errors."""

from minitorch._samples import all_samples
from minitorch.autograd.functions.namespace import promote_types
from minitorch.autograd.python_dispatch import asked, told
from minitorch.core.linalg_error import linalg_error


def check_errors(info, name, is_matrix):
    """Raise PyTorch's error for the first matrix that LAPACK could not do."""
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


def as_tensor_like(number, input, what):
    """A number as a tensor of the real type of `input`; None and tensors, which `what` names, as they are."""
    if number is None:
        return None
    if hasattr(number, "requires_grad"):
        if number.is_complex():
            raise RuntimeError(
                f"torch.linalg.{what} tensor of complex type is not supported. Got "
                f"{number.dtype._class_name}"
            )
        return number
    return input.new_full((), number, dtype=input.abs().dtype if input.is_complex() else None)


def int64_of(input):
    """The dtype int64; `input` is any tensor."""
    return input.new_zeros(0).bool().sum().dtype


def check_norm_dtype(dtype, input, name):
    """Whether a norm of `input` can be computed in a type that was asked for."""
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
