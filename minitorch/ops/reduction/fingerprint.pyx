"""A hash of the elements of a tensor: the exclusive or of their bits.

Elements are converted to float64 or int64 first, so that the hash depends on the values and not on the width they
are stored in.
"""

from libc.stdint cimport uint64_t

from minitorch.core.dtype cimport Float64, Int64, UInt64, class_name, is_complex, is_floating
from minitorch.core.tensor_impl cimport TensorImpl, data, ndim, numel, sizes, wrap_dim
from minitorch.kernels.reduction.reduction cimport Reduction
from minitorch.kernels.reduction.xor cimport xor_kernel
from minitorch.ops.common.checks cimport CARRIED, not_implemented, reject_dtypes
from minitorch.ops.common.copy cimport cast
from minitorch.ops.reduction.plan cimport RELEASE_GIL, deliver, plan, read_dims, result_for


cdef int _check(TensorImpl self, object dim, TensorImpl out) except -1:
    cdef int d
    if out is not None and out.dtype != UInt64:
        raise RuntimeError(f"Expected result to be of dtype uint64, but got {class_name(out.dtype)}")
    if numel(self) == 0:
        if dim is None or dim == ():
            raise RuntimeError(
                "hash_tensor: Expected reduction dim to be specified for input.numel() == 0. "
                "Specify the reduction dim with the 'dim' argument.")
        for item in (dim,) if isinstance(dim, int) else dim:
            d = wrap_dim(item, ndim(self))
            if sizes(self)[d] == 0:
                raise IndexError(f"hash_tensor: Expected reduction dim {item} to have non-zero size.")
    if is_complex(self.dtype):
        raise not_implemented("xor_sum_cpu", self.dtype)
    return reject_dtypes(self.dtype, CARRIED, "xor_sum_cpu")


cdef TensorImpl hash_tensor(TensorImpl self, object dim=(), bint keepdim=False, Py_ssize_t mode=0,
                            TensorImpl out=None):
    cdef uint64_t mask
    cdef TensorImpl result
    cdef Reduction r
    cdef char* x
    cdef char* y
    if mode != 0:
        raise RuntimeError(f"Unknown hash_tensor mode: {mode}")
    read_dims(dim, ndim(self), &mask)
    _check(self, dim, out)
    self = cast(self, Float64 if is_floating(self.dtype) else Int64)
    result = result_for(self, mask, keepdim, UInt64, out)
    x = data(self)
    y = data(result)
    plan(&r, self, mask, keepdim, result, None, False)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            xor_kernel(x, y, &r)
    else:
        xor_kernel(x, y, &r)
    return deliver(result, out)
