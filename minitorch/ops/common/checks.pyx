"""Checks whose messages several operators share."""

from minitorch.core.dtype cimport Bool, Complex32, class_name, is_complex, is_float8, is_wide_unsigned
from minitorch.core.tensor_impl cimport TensorImpl, ndim, sizes, sizes_tuple, wrap_dim

from minitorch.core.error_pages import explained


cdef Py_ssize_t size_at(TensorImpl t, int d) except -1:
    if ndim(t) == 0:
        raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
    return sizes(t)[wrap_dim(d, ndim(t))]


cdef object not_implemented(str name, int dtype):
    return NotImplementedError(f'"{name}" not implemented for \'{class_name(dtype)}\'')


cdef int reject_dtypes(int dtype, int types, str name) except -1:
    cdef int kind = (WIDE_UNSIGNED if is_wide_unsigned(dtype) else FLOAT8 if is_float8(dtype)
                     else COMPLEX32 if dtype == Complex32 else 0)
    if kind & types:
        raise not_implemented(name, dtype)
    return 0


cdef int check_scalar_type(TensorImpl t, int wanted) except -1:
    if t.dtype != wanted:
        raise RuntimeError(f"expected scalar type {class_name(wanted)} but found "
                           f"{class_name(t.dtype)}")
    return 0


cpdef tuple broadcast_sizes(tuple a, tuple b):
    cdef list result = []
    cdef Py_ssize_t d, x, y, n = max(len(a), len(b))
    if a == b:
        return a
    for d in range(n - 1, -1, -1):
        x = a[d - n + len(a)] if d - n + len(a) >= 0 else 1
        y = b[d - n + len(b)] if d - n + len(b) >= 0 else 1
        if x != y and x != 1 and y != 1:
            raise explained(RuntimeError(
                f"The size of tensor a ({x}) must match the size of tensor b ({y}) "
                f"at non-singleton dimension {d}"), "broadcast-shapes")
        result.append(y if x == 1 else x)
    return tuple(result[::-1])


cdef int check_broadcast(TensorImpl a, TensorImpl b) except -1:
    broadcast_sizes(sizes_tuple(a), sizes_tuple(b))
    return 0


cdef str tensor_type(int dtype):
    if dtype == Bool or is_complex(dtype):
        return f"CPU{class_name(dtype)}Type"
    return f"torch.{class_name(dtype)}Tensor"
