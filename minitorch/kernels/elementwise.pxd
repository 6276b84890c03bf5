# The elementwise kernels: which loop computes an operator on a dtype.
#
# A kernel is called with scratch copies of the pointers:
#     kernel.loop(args, &n, steps, kernel.data)
# and a parametrised one (see the enums in table.pxd) with what `loop_data` makes of the caller's
# doubles in place of kernel.data. Both operands have one dtype; promotion is done by the caller.

from minitorch.kernels.table cimport *

# NULL when the dtype has none
cdef Kernel* unary_kernel(int op, int dtype) noexcept nogil
cdef Kernel* binary_kernel(int op, int dtype) noexcept nogil
cdef Kernel* ternary_kernel(int op, int dtype) noexcept nogil

# Conversion, or a copy when both are the same. Floating to integer truncates, anything to Bool is
# "not zero", complex to real drops the imaginary part.
cdef Kernel* cast_kernel(int from_dtype, int to_dtype) noexcept nogil

# Write the element at `value` n times, `step` bytes apart.
cdef void fill(char* p, Py_ssize_t n, Py_ssize_t step, int dtype,
               const void* value) noexcept nogil

# Whether one of n integers is 0: integer division checks this before it computes.
cdef bint has_zero(char* p, Py_ssize_t n, Py_ssize_t step, int dtype) noexcept nogil

# Give float16 the kernels that float32 has and it has not: after loops were added to the tables.
cdef void widen_halves()
