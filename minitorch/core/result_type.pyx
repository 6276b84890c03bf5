"""The dtype in which operands of several dtypes are computed.

References
----------
The rules are on PyTorch's "Tensor Attributes" documentation page.
"""

from minitorch.core.dtype cimport (
    Bool, NoType, class_name, default_complex_dtype, get_default_dtype, is_complex, is_float8, is_floating,
    is_integral, is_wide_unsigned, promote_types, to_complex)
from minitorch.core.tensor_impl cimport ndim


cdef int combine_types(int dimensioned, int zero_dim, int wrapped) except -1:
    return _combine(dimensioned, _combine(zero_dim, wrapped))


cdef int _combine(int higher, int lower) except -1:
    """Combine the types of two ranks: the lower counts only if its category (bool, int, float, complex) is higher."""
    if higher == NoType:
        return lower
    if lower == NoType or is_complex(higher):
        return higher
    if is_floating(higher):
        if is_complex(lower) and is_float8(higher):
            raise RuntimeError(f"Unknown Complex ScalarType for {class_name(higher)}")
        return to_complex(higher) if is_complex(lower) else higher
    if is_wide_unsigned(higher) and is_complex(lower):
        return lower
    if higher == Bool or is_floating(lower) or is_complex(lower):
        return promote_types(higher, lower)
    return higher


cdef int result_type(TensorImpl a, TensorImpl b, TensorImpl c) except -1:
    cdef int dimensioned = NoType, zero_dim = NoType, wrapped = NoType
    _rank(a, &dimensioned, &zero_dim, &wrapped)
    if b is not None:
        _rank(b, &dimensioned, &zero_dim, &wrapped)
    if c is not None:
        _rank(c, &dimensioned, &zero_dim, &wrapped)
    return combine_types(dimensioned, zero_dim, wrapped)


cdef inline int _rank(TensorImpl t, int* dimensioned, int* zero_dim, int* wrapped) except -1:
    cdef int dtype = t.dtype
    if t.is_wrapped_number:
        if is_complex(dtype):
            dtype = default_complex_dtype()
        elif is_floating(dtype):
            dtype = get_default_dtype()
    if ndim(t) > 0:
        dimensioned[0] = promote_types(dimensioned[0], dtype)
    elif t.is_wrapped_number:
        wrapped[0] = promote_types(wrapped[0], dtype)
    else:
        zero_dim[0] = promote_types(zero_dim[0], dtype)
    return 0


cdef bint can_cast(int from_dtype, int to_dtype) noexcept nogil:
    if is_complex(from_dtype) and not is_complex(to_dtype):
        return False
    if is_floating(from_dtype) and is_integral(to_dtype):
        return False
    return from_dtype == Bool or to_dtype != Bool
