# The output of a pooling operator, adaptive or not.

from minitorch.core.tensor_impl cimport MAX_DIMS, TensorImpl, empty, ndim, sizes
from minitorch.kernels.nn.pooling cimport PoolShape

# Counts the channels of all samples, each of which is pooled by itself
cdef inline void count_planes(PoolShape* s, TensorImpl self, int dims) noexcept:
    cdef int d
    s.planes = 1
    for d in range(ndim(self) - dims):
        s.planes *= sizes(self)[d]

cdef inline TensorImpl pool_output(const PoolShape* s, TensorImpl self, int dims, int dtype):
    cdef Py_ssize_t[MAX_DIMS] shape
    cdef int d, n = ndim(self)
    for d in range(n):
        shape[d] = sizes(self)[d] if d < n - dims else s.out_size[d - n + 3]
    return empty(n, shape, dtype)
