# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""Several operations in one pass: scaled sums, interpolation, addcmul, losses, where.

The kernels are for floating-point numbers. Integer and complex versions of these operators are in integer.pyx and
complex_numbers.pyx. ``WHERE`` only moves elements, so it has one kernel for each element size.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from minitorch.core.dtype cimport (
    BFloat16, Bool, Complex64, Complex128, Float16, Float32, Float64, Int8, Int16, Int32, Int64,
    UInt8)
from minitorch.kernels.common.blocks cimport Block, run_blocks, run_floating, set_floating, set_floating_loops
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.types cimport Item, Item16, Real
from minitorch.kernels.common.vmath cimport absolute


# ---- sums

cdef simd add_alpha(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real alpha = params[0]
    for i in range(n):
        out[i] = a[i] + alpha * b[i]


cdef simd sub_alpha(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real alpha = params[0]
    for i in range(n):
        out[i] = a[i] - alpha * b[i]


cdef simd axpby(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real alpha = params[0], beta = params[1]
    for i in range(n):
        out[i] = alpha * a[i] + beta * b[i]


cdef simd addcmul(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef const Real* c = args[2]
    cdef Real* out = args[3]
    cdef Py_ssize_t i
    cdef Real value = params[0]
    for i in range(n):
        out[i] = a[i] + value * b[i] * c[i]


cdef simd addcdiv(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef const Real* c = args[2]
    cdef Real* out = args[3]
    cdef Py_ssize_t i
    cdef Real value = params[0]
    for i in range(n):
        out[i] = a[i] + value * b[i] / c[i]


# ---- interpolation: computed from the nearer end, so that both ends are exact

cdef inline Real _lerp(Real a, Real b, Real weight) noexcept nogil:
    cdef Real near_a = a + weight * (b - a)
    cdef Real near_b = b - (b - a) * (1 - weight)
    return near_a if absolute(weight) < <Real>0.5 else near_b


cdef simd lerp(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef const Real* weight = args[2]
    cdef Real* out = args[3]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = _lerp(a[i], b[i], weight[i])


cdef simd lerp_scalar(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real weight = params[0]
    for i in range(n):
        out[i] = _lerp(a[i], b[i], weight)


# ---- clamping between tensors; propagates a nan in any of the three

cdef simd clamp_tensor(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef const Real* low = args[1]
    cdef const Real* high = args[2]
    cdef Real* out = args[3]
    cdef Py_ssize_t i
    cdef Real y, z
    for i in range(n):
        y = low[i] if low[i] > x[i] else x[i]
        y = low[i] if low[i] != low[i] else y
        z = high[i] if high[i] < y else y
        out[i] = high[i] if high[i] != high[i] else z


# ---- losses without their reduction

cdef simd smooth_l1(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real beta = params[0], half = 0.5, z, inside, outside
    for i in range(n):
        z = absolute(a[i] - b[i])
        inside = half * z * z / beta
        outside = z - half * beta
        out[i] = inside if z < beta else outside


cdef simd huber(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real delta = params[0], half = 0.5, z, inside, outside
    for i in range(n):
        z = absolute(a[i] - b[i])
        inside = half * z * z
        outside = delta * (z - half * delta)
        out[i] = inside if z <= delta else outside


# ---- where

cdef simd where(Item** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const uint8_t* condition = <const uint8_t*>args[0]
    cdef const Item* a = args[1]
    cdef const Item* b = args[2]
    cdef Item* out = args[3]
    cdef Py_ssize_t i
    cdef Item x, y
    for i in range(n):
        x = a[i]
        y = b[i]
        out[i] = x if condition[i] else y


cdef void where_loop(Item** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                     void* _) noexcept nogil:
    cdef int size = sizeof(Item)
    cdef int* sizes = [1, size, size, size]
    run_blocks(<Block>where[Item], 3, sizes, <char**>args, n[0], steps, NULL)


# ---- registration

cdef void add_alpha_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                         void* data) noexcept nogil:
    run_floating(2, args, n, steps, data, <Block>add_alpha[float], <Block>add_alpha[double])


cdef void sub_alpha_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                         void* data) noexcept nogil:
    run_floating(2, args, n, steps, data, <Block>sub_alpha[float], <Block>sub_alpha[double])


cdef void axpby_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                     void* data) noexcept nogil:
    run_floating(2, args, n, steps, data, <Block>axpby[float], <Block>axpby[double])


cdef void lerp_scalar_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                           void* data) noexcept nogil:
    run_floating(2, args, n, steps, data, <Block>lerp_scalar[float], <Block>lerp_scalar[double])


cdef void smooth_l1_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                         void* data) noexcept nogil:
    run_floating(2, args, n, steps, data, <Block>smooth_l1[float], <Block>smooth_l1[double])


cdef void huber_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                     void* data) noexcept nogil:
    run_floating(2, args, n, steps, data, <Block>huber[float], <Block>huber[double])


cdef void addcmul_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                       void* data) noexcept nogil:
    run_floating(3, args, n, steps, data, <Block>addcmul[float], <Block>addcmul[double])


cdef void addcdiv_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                       void* data) noexcept nogil:
    run_floating(3, args, n, steps, data, <Block>addcdiv[float], <Block>addcdiv[double])


cdef void register() except *:
    cdef int dtype
    set_floating_loops(binary_row(ADD_ALPHA), <Loop>add_alpha_loop[float],
                       <Loop>add_alpha_loop[double], 1)
    set_floating_loops(binary_row(SUB_ALPHA), <Loop>sub_alpha_loop[float],
                       <Loop>sub_alpha_loop[double], 1)
    set_floating_loops(binary_row(AXPBY), <Loop>axpby_loop[float], <Loop>axpby_loop[double], 1)
    set_floating_loops(binary_row(LERP_SCALAR), <Loop>lerp_scalar_loop[float],
                       <Loop>lerp_scalar_loop[double], 1)
    set_floating_loops(binary_row(SMOOTH_L1), <Loop>smooth_l1_loop[float],
                       <Loop>smooth_l1_loop[double], 3)
    set_floating_loops(binary_row(HUBER), <Loop>huber_loop[float], <Loop>huber_loop[double], 1)
    set_floating_loops(ternary_row(ADDCMUL), <Loop>addcmul_loop[float],
                       <Loop>addcmul_loop[double], 2)
    set_floating_loops(ternary_row(ADDCDIV), <Loop>addcdiv_loop[float],
                       <Loop>addcdiv_loop[double], 3)
    set_floating(ternary_row(LERP), 3, <Block>lerp[float], <Block>lerp[double], 2)
    set_floating(ternary_row(CLAMP_TENSOR), 3, <Block>clamp_tensor[float],
                 <Block>clamp_tensor[double], 2)
    for dtype in (UInt8, Int8, Bool):
        set_kernel(&ternary_row(WHERE)[dtype], <Loop>where_loop[uint8_t], NULL, 1)
    for dtype in (Int16, Float16, BFloat16):
        set_kernel(&ternary_row(WHERE)[dtype], <Loop>where_loop[uint16_t], NULL, 1)
    for dtype in (Int32, Float32):
        set_kernel(&ternary_row(WHERE)[dtype], <Loop>where_loop[uint32_t], NULL, 1)
    for dtype in (Int64, Float64, Complex64):
        set_kernel(&ternary_row(WHERE)[dtype], <Loop>where_loop[uint64_t], NULL, 2)
    set_kernel(&ternary_row(WHERE)[<int>Complex128], <Loop>where_loop[Item16], NULL, 4)
