"""Inputs of operators as PyTorch's traces show them: C++ type names, dtypes as numbers."""

from minitorch.autograd.variable import TensorBase
from minitorch.core import types as _types
from minitorch.core.dtype import dtype as _dtype

__all__ = ["InputsOfEvent", "as_cpp_prints", "as_number", "c_type"]

_C_TYPES = {
    "uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int32": "int", "int64": "long int",
    "float16": "c10::Half", "float32": "float", "float64": "double", "complex32": "c10::complex<c10::Half>",
    "complex64": "c10::complex<float>", "complex128": "c10::complex<double>", "bool": "bool",
    "bfloat16": "c10::BFloat16", "float8_e5m2": "c10::Float8_e5m2", "float8_e4m3fn": "c10::Float8_e4m3fn",
    "float8_e5m2fnuz": "c10::Float8_e5m2fnuz", "float8_e4m3fnuz": "c10::Float8_e4m3fnuz",
    "uint16": "short unsigned int", "uint32": "unsigned int", "uint64": "long unsigned int",
}  # fmt: skip
_NUMBERS = {
    "uint8": 0, "int8": 1, "int16": 2, "int32": 3, "int64": 4, "float16": 5, "float32": 6, "float64": 7,
    "complex32": 8, "complex64": 9, "complex128": 10, "bool": 11, "bfloat16": 15, "float8_e5m2": 23,
    "float8_e4m3fn": 24, "float8_e5m2fnuz": 25, "float8_e4m3fnuz": 26, "uint16": 27, "uint32": 28, "uint64": 29,
}  # fmt: skip
_LAYOUTS = {
    "strided": 0,
    "sparse_coo": 1,
    "sparse_csr": 2,
    "sparse_csc": 4,
    "sparse_bsr": 5,
    "sparse_bsc": 6,
}
_FORMATS = {"contiguous_format": 0, "preserve_format": 1, "channels_last": 2, "channels_last_3d": 3}


def _word(value):
    return str(value).removeprefix("torch.").removeprefix("minitorch.")


def c_type(dtype):
    """Return the name of the C++ type of a dtype's elements."""
    return _C_TYPES.get(_word(dtype), _word(dtype))


def as_number(value):
    """Return PyTorch's number of a dtype, layout or memory format; other values unchanged."""
    if isinstance(value, _dtype):
        return _NUMBERS.get(_word(value), -1)
    if isinstance(value, _types.layout):
        return _LAYOUTS[_word(value)]
    if isinstance(value, _types.memory_format):
        return _FORMATS[_word(value)]
    return value


def as_cpp_prints(value):
    """Return a number, a list of numbers or None as C++ prints it."""
    if value is None:
        return ""
    if isinstance(value, list):
        return f"[{', '.join(map(as_cpp_prints, value))}]"
    if isinstance(value, float):
        text = f"{value:.17g}"
        return text if set(text) & set(".einf") else text + "."
    return str(value)


def _sizes(t):
    # a tensor made from a number before class Tensor was created has no shape
    return list(getattr(t, "shape", ()))


def _strides(t):
    return list(t.stride()) if str(getattr(t, "layout", "")).endswith("strided") else []


class InputsOfEvent:
    """Descriptions of an event's inputs: lists with one item per input.

    Attributes
    ----------
    shapes : list
        The shape of each tensor; an empty list for any other input.
    structured_shapes, strides : list
        Shapes and strides; for a list of tensors, a list of them.
    types : list of str
        The C++ type of the elements, ``"TensorList"``, ``"Scalar"`` or ``"ScalarList"``; ``""`` for
        others.
    concrete : list
        The value of a number or a list of numbers; None for others.
    """

    def __init__(self, values):
        self.shapes, self.structured_shapes, self.strides = [], [], []
        self.types, self.concrete = [], []
        for value in values:
            self._add(as_number(value))

    def _add(self, value):
        kind, shape, strides, concrete = "", [], [], None
        listed = isinstance(value, (list, tuple)) and not isinstance(value, str)
        if isinstance(value, TensorBase):
            kind, shape, strides = c_type(value.dtype), _sizes(value), _strides(value)
        elif listed and value and all(isinstance(item, TensorBase) for item in value):
            kind, shape = "TensorList", [_sizes(item) for item in value]
            strides = [_strides(item) for item in value]
        elif listed and all(isinstance(item, (bool, int, float, complex)) for item in value):
            kind, concrete = "ScalarList", list(value)
        elif isinstance(value, (bool, int, float, complex)):
            kind, concrete = "Scalar", value
        self.shapes.append([] if kind == "TensorList" else shape)
        self.structured_shapes.append(shape)
        self.strides.append(strides)
        self.types.append(kind)
        self.concrete.append(concrete)
