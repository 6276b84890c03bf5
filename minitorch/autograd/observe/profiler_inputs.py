"""What operators were given, in the words of PyTorch's traces: C++'s names of types, numbers for dtypes and such."""

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
    """The name that C++ has for the elements of a dtype."""
    return _C_TYPES.get(_word(dtype), _word(dtype))


def as_number(value):
    """A dtype, layout or memory format as the number that PyTorch's operators have for it; others as they are."""
    if isinstance(value, _dtype):
        return _NUMBERS.get(_word(value), -1)
    if isinstance(value, _types.layout):
        return _LAYOUTS[_word(value)]
    if isinstance(value, _types.memory_format):
        return _FORMATS[_word(value)]
    return value


def as_cpp_prints(value):
    """A number, a list of numbers or None as C++ prints it."""
    if value is None:
        return ""
    if isinstance(value, list):
        return f"[{', '.join(map(as_cpp_prints, value))}]"
    if isinstance(value, float):
        text = f"{value:.17g}"
        return text if set(text) & set(".einf") else text + "."
    return str(value)


def _sizes(t):
    # a number that was made a tensor before there was class Tensor has none
    return list(getattr(t, "shape", ()))


def _strides(t):
    return list(t.stride()) if str(getattr(t, "layout", "")).endswith("strided") else []


class InputsOfEvent:
    """What an event tells of its inputs, a list for each fact with an item for each input.

    Attributes
    ----------
    shapes : list
        The shape of each tensor; an empty list for all else.
    structured_shapes, strides : list
        The same, with a list of them for a list of tensors.
    types : list of str
        C++'s name of the elements, or ``"TensorList"``, ``"Scalar"``, ``"ScalarList"``; ``""`` for all else.
    concrete : list
        Numbers and lists of numbers; None for all else.
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
