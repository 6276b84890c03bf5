"""Checks whose messages several operators share."""

from minitorch.core.dtype cimport Bool, Complex32, class_name, is_complex, is_float8, is_wide_unsigned
from minitorch.core.tensor_impl cimport TensorImpl, ndim, sizes, wrap_dim


cdef Py_ssize_t size_at(TensorImpl t, int d) except -1:
    if ndim(t) == 0:
        raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
    return sizes(t)[wrap_dim(d, ndim(t))]


cdef object not_implemented(str name, int dtype):
    return NotImplementedError(f'"{name}" not implemented for \'{class_name(dtype)}\'')


cdef int refuse(int dtype, int types, str name) except -1:
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


cdef int check_broadcast(TensorImpl a, TensorImpl b) except -1:
    cdef int n = max(ndim(a), ndim(b)), d
    cdef Py_ssize_t x, y
    for d in range(1, n + 1):
        x = sizes(a)[ndim(a) - d] if d <= ndim(a) else 1
        y = sizes(b)[ndim(b) - d] if d <= ndim(b) else 1
        if x != y and x != 1 and y != 1:
            raise RuntimeError(f"The size of tensor a ({x}) must match the size of tensor b ({y}) "
                               f"at non-singleton dimension {n - d}")
    return 0


cdef str tensor_type(int dtype):
    if dtype == Bool or is_complex(dtype):
        return f"CPU{class_name(dtype)}Type"
    return f"torch.{class_name(dtype)}Tensor"
