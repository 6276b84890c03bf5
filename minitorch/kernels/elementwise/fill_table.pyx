"""Fill the tables of elementwise kernels (kernels/common/table.pxd), when `minitorch.ops` is imported.

First come NumPy's loops, then our own loops by topic. Then float16 and bfloat16 get the kernels of float32 with a
conversion around them, and finally the types that are computed in a carrier.
"""

from minitorch.core.dtype cimport BFloat16, Float16, Float32
from minitorch.kernels.common cimport cast
from minitorch.kernels.common.blocks cimport widened_loop
from minitorch.kernels.common.half cimport bfloat16_t, half_t
from minitorch.kernels.common.table cimport *
from minitorch.kernels.elementwise cimport (
    activation, activation_backward, arithmetic, bessel, carried, compare, complex_numbers,
    division, fused, gamma, integer, polynomials, power, rounded, special, trigonometric,
    ufunc_loops, zeta)


# ---- float16 and bfloat16: Note [Widened kernels]

cdef Widened[NUM_UNARY] _unary
cdef Widened[NUM_BINARY] _binary
cdef Widened[NUM_TERNARY] _ternary


cdef void _widen(Kernel* row, Widened* widened, int inputs, bint to_bool):
    cdef Kernel* wide = &row[<int>Float32]
    if wide.loop == NULL:
        return
    widened.kernel = wide
    widened.data = wide.data
    widened.inputs = inputs
    widened.to_bool = to_bool
    if row[<int>Float16].loop == NULL:
        set_kernel(&row[<int>Float16], <Loop>widened_loop[half_t], widened,
                   wide.cost + inputs + 1)
    if row[<int>BFloat16].loop == NULL:
        set_kernel(&row[<int>BFloat16], <Loop>widened_loop[bfloat16_t], widened,
                   wide.cost + inputs)


cdef void widen_halves():
    cdef int op
    for op in range(NUM_UNARY):
        _widen(unary_row(op), &_unary[op], 1,
               op in (LOGICAL_NOT, ISNAN, ISINF, ISFINITE, SIGNBIT))
    for op in range(NUM_BINARY):
        _widen(binary_row(op), &_binary[op], 2, EQ <= op <= LOGICAL_XOR)
    for op in range(NUM_TERNARY):
        _widen(ternary_row(op), &_ternary[op], 3, False)


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
bessel.register()
polynomials.register()
zeta.register()
activation.register()
activation_backward.register()
compare.register()
rounded.register()
widen_halves()
carried.register()
