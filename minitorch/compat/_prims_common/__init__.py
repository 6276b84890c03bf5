"""Dtype promotion of elementwise operators, and comparison of tensor metadata."""

import enum
import functools

import minitorch
from minitorch._tensor import Tensor
from minitorch.core.lazy import lazy_attributes

__all__ = [
    "ELEMENTWISE_TYPE_PROMOTION_KIND",
    "compare_tensor_meta",
    "corresponding_complex_dtype",
    "corresponding_real_dtype",
    "dtype_to_type",
    "elementwise_dtypes",
    "get_computation_dtype",
    "is_boolean_dtype",
    "is_complex_dtype",
    "is_float_dtype",
    "is_integer_dtype",
    "suggest_memory_format",
    "type_to_dtype",
]


class ELEMENTWISE_TYPE_PROMOTION_KIND(enum.Enum):
    """How an operator derives its computation and result dtypes from the promoted dtype."""

    DEFAULT = (0,)
    NO_OPMATH = (1,)
    INT_TO_FLOAT = (2,)
    ALWAYS_BOOL = (3,)
    COMPLEX_TO_FLOAT = (4,)
    BOOL_TO_LONG = (5,)


_ORDER = (bool, int, float, complex)
_COMPUTED_IN = {
    minitorch.float16: minitorch.float32,
    minitorch.bfloat16: minitorch.float32,
    minitorch.complex32: minitorch.complex64,
}
_REAL = {
    minitorch.complex32: minitorch.float16,
    minitorch.complex64: minitorch.float32,
    minitorch.complex128: minitorch.float64,
}
_COMPLEX = {real: complex_ for complex_, real in _REAL.items()}


def is_boolean_dtype(dtype):
    """Return whether a dtype is bool."""
    return dtype is minitorch.bool


def is_integer_dtype(dtype):
    """Return whether a dtype is an integer dtype, which excludes bool."""
    return dtype_to_type(dtype) is int


def is_float_dtype(dtype):
    """Return whether a dtype is a real floating-point dtype."""
    return dtype.is_floating_point


def is_complex_dtype(dtype):
    """Return whether a dtype is complex."""
    return dtype.is_complex


def dtype_to_type(dtype):
    """Return the Python type of a dtype's elements: bool, int, float or complex."""
    if dtype is minitorch.bool:
        return bool
    return complex if dtype.is_complex else float if dtype.is_floating_point else int


def suggest_memory_format(x):
    """Return the memory format of a tensor: channels last if it has that, else contiguous."""
    last = {4: minitorch.channels_last, 5: minitorch.channels_last_3d}.get(x.dim())
    there = last is not None and x.is_contiguous(memory_format=last)
    return last if there and not x.is_contiguous() else minitorch.contiguous_format


def type_to_dtype(typ):
    """Return the default dtype of tensors made from numbers of a Python type.

    Raises
    ------
    ValueError
        If `typ` is not bool, int, float or complex.
    """
    if typ not in _ORDER:
        raise ValueError(f"Invalid type {typ}!")
    if typ in (bool, int):
        return minitorch.bool if typ is bool else minitorch.int64
    real = minitorch.get_default_dtype()
    return real if typ is float else corresponding_complex_dtype(real)


def corresponding_real_dtype(dtype):
    """Return the dtype of the real and imaginary parts of a complex dtype."""
    return _REAL[dtype]


def corresponding_complex_dtype(dtype):
    """Return the complex dtype whose parts have this dtype; complex64 for bfloat16."""
    return minitorch.complex64 if dtype is minitorch.bfloat16 else _COMPLEX[dtype]


def get_computation_dtype(dtype):
    """Return the dtype in which operators compute; half precision is widened."""
    return _COMPUTED_IN.get(dtype, dtype)


def elementwise_dtypes(*args, type_promotion_kind):
    """Return the computation dtype and the result dtype of an elementwise operator.

    Tensors with dimensions determine the dtype, unless a zero-dimensional tensor or a number is of
    a higher category (bool, integer, real, complex).

    Parameters
    ----------
    *args : Tensor, number or None
    type_promotion_kind : ELEMENTWISE_TYPE_PROMOTION_KIND

    Returns
    -------
    tuple of dtype

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._prims_common import ELEMENTWISE_TYPE_PROMOTION_KIND, elementwise_dtypes
    >>> kind = ELEMENTWISE_TYPE_PROMOTION_KIND.INT_TO_FLOAT
    >>> elementwise_dtypes(torch.ones(2, dtype=torch.int32), 3, type_promotion_kind=kind)
    (torch.float32, torch.float32)
    """
    result = _common_dtype([x for x in args if x is not None])
    kinds = ELEMENTWISE_TYPE_PROMOTION_KIND
    if type_promotion_kind is kinds.NO_OPMATH:
        return result, result
    if type_promotion_kind is kinds.ALWAYS_BOOL:
        return get_computation_dtype(result), minitorch.bool
    if type_promotion_kind is kinds.BOOL_TO_LONG and is_boolean_dtype(result):
        return minitorch.int64, minitorch.int64
    if type_promotion_kind is kinds.INT_TO_FLOAT and dtype_to_type(result) in (bool, int):
        result = minitorch.get_default_dtype()
    computed = get_computation_dtype(result)
    if type_promotion_kind is kinds.COMPLEX_TO_FLOAT and is_complex_dtype(result):
        result = corresponding_real_dtype(result)
    return computed, result


def _common_dtype(operands):
    highest = bool
    for x in operands:
        kind = dtype_to_type(x.dtype) if isinstance(x, Tensor) else type(x)
        if kind not in _ORDER:
            raise ValueError(
                f"Unexpected type {type(x)} when computing elementwise type promotion!"
            )
        highest = max(highest, kind, key=_ORDER.index)
    tensors = [x for x in operands if isinstance(x, Tensor)]
    for group in ([x for x in tensors if x.dim()], [x for x in tensors if not x.dim()]):
        dtypes = [dtype for x in group if (dtype := _as_kind(x.dtype, highest)) is not None]
        if dtypes:
            return functools.reduce(minitorch.promote_types, dtypes)
    return type_to_dtype(highest)


def _as_kind(dtype, kind):
    """Return the dtype if it is of category `kind`, else None.

    If `kind` is complex, a real dtype is converted to its complex dtype.
    """
    if kind is complex and is_float_dtype(dtype):
        return corresponding_complex_dtype(dtype)
    return dtype if dtype_to_type(dtype) is kind else None


def _mismatched(a, b):
    """Yield a message for each difference in shape, dtype and device."""
    for name in ("shape", "dtype", "device"):
        if (of_a := getattr(a, name)) != (of_b := getattr(b, name)):
            yield f"{name.capitalize()}s {of_a} and {of_b} are not equal!"


def _mismatched_layouts(a, b):
    """Yield a message for each difference in strides and storage offset.

    Strides of dimensions of size 0 or 1 are ignored.
    """
    strides = zip(a.stride(), b.stride(), strict=True)
    for i, (of_a, of_b) in enumerate(strides):
        if a.numel() and a.shape[i] > 1 and of_a != of_b:
            yield f"Stride mismatch! Strides are {a.stride()} and {b.stride()} (mismatched at {i})!"
    if a.storage_offset() != b.storage_offset():
        of_a, of_b = a.storage_offset(), b.storage_offset()
        yield f"Storage offset mismatch! Storage offsets are {of_a} and {of_b}!"


def _mismatched_bits(a, b, check_conj):
    if check_conj and a.is_conj() != b.is_conj():
        yield f"Conj mismatch! is_conj is set to {a.is_conj()} and {b.is_conj()}"
    if a.is_neg() != b.is_neg():
        yield f"Neg mismatch! is_neg is set to {a.is_neg()} and {b.is_neg()}"


def compare_tensor_meta(
    a, b, check_sizes=True, check_strides=False, *, allow_rhs_unbacked=False, check_conj=True
):
    """Raise an error if the metadata of two tensors differs.

    Parameters
    ----------
    a, b : Tensor
    check_sizes, check_strides, check_conj : bool
        Whether to compare sizes, strides and storage offset, and conjugate bits. Dtypes, devices
        and negative bits are always compared.
    allow_rhs_unbacked : bool
        Ignored, because sizes are always numbers.

    Raises
    ------
    AssertionError
        If an argument is not a tensor.
    MetadataMismatchError
        If the metadata differs.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._prims_common import compare_tensor_meta
    >>> compare_tensor_meta(torch.ones(2), torch.zeros(2))
    """
    for name, tensor in (("a", a), ("b", b)):
        if not isinstance(tensor, Tensor):
            raise AssertionError(f"{name} must be TensorLike, got {type(tensor)}")
    found = [text for text in _mismatched(a, b) if check_sizes or not text.startswith("Shape")]
    if check_strides and not found:
        found.extend(_mismatched_layouts(a, b))
    found.extend(_mismatched_bits(a, b, check_conj))
    if found:
        from minitorch._subclasses.fake_tensor import MetadataMismatchError

        raise MetadataMismatchError(found[0])


__getattr__ = lazy_attributes(__name__, "wrappers")
