"""The elementwise kernels by operator and dtype.

Importing this module fills the tables: first with the loops borrowed from NumPy, then
with our own, by topic; at last float16 gets what float32 has, with a conversion around it.
"""

from minitorch.core.dtype cimport Float16, Float32
from minitorch.kernels cimport (
    activation, activation_backward, arithmetic, cast, compare, complex_numbers, division, fused,
    gamma, integer, polynomials, power, special, trigonometric, ufunc_loops, zeta)
from minitorch.kernels.blocks cimport (
    half_binary_loop, half_comparison_loop, half_predicate_loop, half_unary_loop)


cdef Kernel* unary_kernel(int op, int dtype) noexcept nogil:
    cdef Kernel* k = &unary_table[op][dtype]
    return k if k.loop != NULL else NULL


cdef Kernel* binary_kernel(int op, int dtype) noexcept nogil:
    cdef Kernel* k = &binary_table[op][dtype]
    return k if k.loop != NULL else NULL


cdef Kernel* ternary_kernel(int op, int dtype) noexcept nogil:
    cdef Kernel* k = &ternary_table[op][dtype]
    return k if k.loop != NULL else NULL


cdef Kernel* cast_kernel(int from_dtype, int to_dtype) noexcept nogil:
    cdef Kernel* k = &cast.cast_table[from_dtype][to_dtype]
    return k if k.loop != NULL else NULL


cdef void fill(char* p, Py_ssize_t n, Py_ssize_t step, int dtype, const void* value) noexcept nogil:
    cast.fill(p, n, step, dtype, value)


cdef bint has_zero(char* p, Py_ssize_t n, Py_ssize_t step, int dtype) noexcept nogil:
    return cast.has_zero(p, n, step, dtype)


cdef bint _is_predicate(int op):
    return op in (LOGICAL_NOT, ISNAN, ISINF, ISFINITE, SIGNBIT)


cdef bint _is_comparison(int op):
    return EQ <= op <= LOGICAL_XOR


cdef void widen_halves():
    cdef int op
    cdef Kernel* narrow
    cdef Kernel* wide
    for op in range(NUM_UNARY):
        narrow = &unary_table[op][<int>Float16]
        wide = &unary_table[op][<int>Float32]
        if narrow.loop == NULL and wide.loop != NULL:
            set_kernel(narrow, half_predicate_loop if _is_predicate(op) else half_unary_loop,
                       wide, wide.cost + 2)
    for op in range(NUM_BINARY):
        narrow = &binary_table[op][<int>Float16]
        wide = &binary_table[op][<int>Float32]
        if narrow.loop == NULL and wide.loop != NULL:
            set_kernel(narrow, half_comparison_loop if _is_comparison(op) else half_binary_loop,
                       wide, wide.cost + 3)


cast.register()
ufunc_loops.register()
arithmetic.register()
division.register()
integer.register()
complex_numbers.register()
power.register()
fused.register()
special.register()
gamma.register()
trigonometric.register()
polynomials.register()
zeta.register()
activation.register()
activation_backward.register()
compare.register()
widen_halves()
