"""Views of the parts of complex tensors, and complex tensors from parts.

All views share the storage: an element (re, im) is two adjacent elements of the real dtype.
"""

from minitorch.core.dtype cimport (
    Float16, Float32, Float64, class_name, is_complex, to_complex, to_real)
from minitorch.core.iterator cimport TensorIterator, infer_shape, output_geometry
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, SizesAndStrides, TensorImpl, as_strided_impl, empty_geometry, ndim,
    release_geometry, sizes, strides)
from minitorch.ops.common.copy cimport copy_


cdef TensorImpl _part(TensorImpl self, Py_ssize_t offset):
    """Return a view of the real parts (offset 0) or the imaginary parts (offset 1)."""
    cdef Py_ssize_t[MAX_DIMS] s
    cdef int d
    cdef TensorImpl result
    for d in range(ndim(self)):
        s[d] = 2 * strides(self)[d]
    result = as_strided_impl(self, ndim(self), sizes(self), s, 2 * self.storage_offset + offset)
    result.dtype = to_real(self.dtype)
    return result


cdef TensorImpl real(TensorImpl self):
    return _part(self, 0) if is_complex(self.dtype) else self


cdef TensorImpl imag(TensorImpl self):
    if not is_complex(self.dtype):
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return _part(self, 1)


cdef TensorImpl view_as_real(TensorImpl self):
    cdef Py_ssize_t[MAX_DIMS + 1] n, s
    cdef int d, dims = ndim(self)
    cdef TensorImpl result
    if not is_complex(self.dtype):
        raise RuntimeError("view_as_real is only supported for complex tensors")
    for d in range(dims):
        n[d] = sizes(self)[d]
        s[d] = 2 * strides(self)[d]
    n[dims] = 2
    s[dims] = 1
    result = as_strided_impl(self, dims + 1, n, s, 2 * self.storage_offset)
    result.dtype = to_real(self.dtype)
    return result


cdef bint _has_complex(int dtype) noexcept:
    return dtype == Float16 or dtype == Float32 or dtype == Float64


cdef TensorImpl view_as_complex(TensorImpl self):
    cdef Py_ssize_t[MAX_DIMS] s
    cdef int d, dims = ndim(self) - 1
    cdef TensorImpl result
    if not _has_complex(self.dtype):
        raise RuntimeError("view_as_complex is only supported for half, float and double tensors, "
                           f"but got a tensor of scalar type: {class_name(self.dtype)}")
    if dims < 0:
        raise RuntimeError("Input tensor must have one or more dimensions")
    if sizes(self)[dims] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    if strides(self)[dims] != 1:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    for d in range(dims):
        if strides(self)[d] % 2:
            raise RuntimeError("Tensor must have a stride divisible by 2 for all but last "
                               "dimension")
        s[d] = strides(self)[d] // 2
    if self.storage_offset % 2:
        raise RuntimeError("Tensor must have a storage_offset divisible by 2")
    result = as_strided_impl(self, dims, sizes(self), s, self.storage_offset // 2)
    result.dtype = to_complex(self.dtype)
    return result


cdef TensorImpl complex(TensorImpl real, TensorImpl imag):
    cdef TensorIterator it
    cdef SizesAndStrides* inputs[2]
    cdef SizesAndStrides* g
    cdef TensorImpl result
    if not (_has_complex(real.dtype) and _has_complex(imag.dtype)):
        raise RuntimeError("Expected both inputs to be Half, Float or Double tensors but got "
                           f"{class_name(real.dtype)} and {class_name(imag.dtype)}")
    if real.dtype != imag.dtype:
        raise RuntimeError(f"Expected object of scalar type {class_name(real.dtype)} but got "
                           f"scalar type {class_name(imag.dtype)} for second argument")
    inputs[0] = real.geometry
    inputs[1] = imag.geometry
    infer_shape(&it, 2, inputs)
    g = output_geometry(&it)
    try:
        result = empty_geometry(g, to_complex(real.dtype))
    finally:
        release_geometry(g)
    copy_(_part(result, 0), real)
    copy_(_part(result, 1), imag)
    return result
