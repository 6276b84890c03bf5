# Conversion between dtypes, filling, and the test for zeros among integers.

from minitorch.core.dtype cimport NUM_SCALAR_TYPES
from minitorch.kernels.common.table cimport Kernel, present

# [from][to]
cdef Kernel[NUM_SCALAR_TYPES][NUM_SCALAR_TYPES] cast_table

# The loop that converts, or copies if both dtypes are the same; NULL if there is none. Floating to integer truncates,
# to Bool is "not zero", complex to real drops the imaginary part.
cdef inline Kernel* cast_kernel(int from_dtype, int to_dtype) noexcept nogil:
    return present(&cast_table[from_dtype][to_dtype])

# Write the element at `value` n times, `step` bytes apart.
cdef void fill(char* p, Py_ssize_t n, Py_ssize_t step, int dtype, const void* value) noexcept nogil

# Return whether one of n integers is 0; integer division checks this before it computes.
cdef bint has_zero(char* p, Py_ssize_t n, Py_ssize_t step, int dtype) noexcept nogil

cdef void register()
