# Conversion between dtypes, filling, and the test for zeros among integers. They are specified in
# elementwise.pxd, which exports them.

from minitorch.core.dtype cimport NUM_SCALAR_TYPES
from minitorch.kernels.common.table cimport Kernel

# [from][to]
cdef Kernel[NUM_SCALAR_TYPES][NUM_SCALAR_TYPES] cast_table

cdef void fill(char* p, Py_ssize_t n, Py_ssize_t step, int dtype, const void* value) noexcept nogil
cdef bint has_zero(char* p, Py_ssize_t n, Py_ssize_t step, int dtype) noexcept nogil

cdef void register()
