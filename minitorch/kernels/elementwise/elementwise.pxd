# The elementwise kernels: which loop computes an operator for a dtype.
#
# A kernel is called with scratch copies of the pointers:
#     kernel.loop(args, &n, steps, kernel.data)
# A parametrised kernel (see the enums in table.pxd) takes the result of `loop_data` for the caller's doubles in
# place of kernel.data. All operands have one dtype; the caller does the promotion.

from minitorch.kernels.common.table cimport *

# NULL if there is no kernel for the dtype
cdef Kernel* unary_kernel(int op, int dtype) noexcept nogil
cdef Kernel* binary_kernel(int op, int dtype) noexcept nogil
cdef Kernel* ternary_kernel(int op, int dtype) noexcept nogil

# Conversion, or a copy if both dtypes are the same. Floating to integer truncates, to Bool is "not zero", complex
# to real drops the imaginary part.
cdef Kernel* cast_kernel(int from_dtype, int to_dtype) noexcept nogil

# Write the element at `value` n times, `step` bytes apart.
cdef void fill(char* p, Py_ssize_t n, Py_ssize_t step, int dtype,
               const void* value) noexcept nogil

# Whether one of n integers is 0; integer division checks this before it computes.
cdef bint has_zero(char* p, Py_ssize_t n, Py_ssize_t step, int dtype) noexcept nogil

# Give float16 and bfloat16 the float32 kernels that they lack; call it after adding loops to the tables.
cdef void widen_halves()
