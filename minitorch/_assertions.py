"""`_assert` and its kin: conditions that packages state about their tensors."""

from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.core.types import device as _device

__all__ = ["_assert", "_assert_async", "_assert_tensor_metadata"]


def _assert(condition, message):
    """Raise AssertionError with `message` unless `condition` is true."""
    if not condition:
        raise AssertionError(message)


@parsed_as("_assert_async")
def _assert_async(input, assert_msg=""):
    """Raise RuntimeError if the tensor's one element is zero.

    Raises
    ------
    RuntimeError
        Then, with the message given, and for more or fewer elements than one.
    """
    if not input:
        raise RuntimeError(assert_msg or "Expected Tensor with single nonzero value, but got zero")


# what the elements are called in C++, for PyTorch's text
_IN_C = {
    "Byte": "unsigned char",
    "Char": "signed char",
    "Short": "short int",
    "Int": "int",
    "Long": "long int",
    "Half": "c10::Half",
    "Float": "float",
    "Double": "double",
    "ComplexFloat": "c10::complex<float>",
    "ComplexDouble": "c10::complex<double>",
    "Bool": "bool",
    "BFloat16": "c10::BFloat16",
}


@parsed_as("_assert_tensor_metadata")
def _assert_tensor_metadata(a, size=None, stride=None, dtype=None, *, device=None, layout=None):
    """Raise RuntimeError unless a tensor is of the size, strides, dtype, device and layout that are given."""
    for name, expected, found in (
        ("sizes", size, a.shape),
        ("strides", stride, a.stride() if stride is not None else None),
    ):
        if expected is not None and list(expected) != list(found):
            raise RuntimeError(
                f"Tensor {name} mismatch! Expected: {list(expected)}, Got: {list(found)}"
            )
    if dtype is not None and dtype is not a.dtype:
        found = _IN_C[a.dtype._class_name]
        raise RuntimeError(f"Tensor dtype mismatch! Expected: {dtype._class_name}, Got: {found}")
    if device is not None and _device(device) != a.device:
        raise RuntimeError(f"Tensor device mismatch! Expected: {device}, Got: {a.device}")
    if layout is not None and layout is not a.layout:
        names = {"torch.strided": "Strided", "torch.sparse_coo": "Sparse"}
        expected, found = (names.get(str(kind), str(kind)) for kind in (layout, a.layout))
        raise RuntimeError(f"Tensor layout mismatch! Expected: {expected}, Got: {found}")
