"""Operators on float16 and bfloat16 for which PyTorch rounds intermediate results too.

All other operators are float32 kernels with one rounding at the end (Note [Widened kernels] in blocks.pxd). Here
`_rounded` is applied wherever PyTorch's own expression yields a 16-bit number.

Interface: ``register``, which must be called before the kernels of float32 are widened.
"""

from libc.math cimport fabsf, logf

from minitorch.core.dtype cimport BFloat16, Float16
from minitorch.kernels.common.blocks cimport Block, run_blocks, set_block
from minitorch.kernels.common.half cimport bfloat16_t, half_t, narrow_t, store_float, to_float
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.vmath cimport truncated


cdef inline float _rounded(float value, const narrow_t* tag) noexcept nogil:
    cdef narrow_t narrow
    store_float(&narrow, value)
    return to_float(narrow)


# ---- losses

cdef simd squared_difference(narrow_t** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const narrow_t* a = args[0]
    cdef const narrow_t* b = args[1]
    cdef narrow_t* out = args[2]
    cdef Py_ssize_t i
    cdef float d
    for i in range(n):
        d = _rounded(to_float(a[i]) - to_float(b[i]), out)
        store_float(out + i, d * d)


cdef simd smooth_l1(half_t** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const half_t* a = args[0]
    cdef const half_t* b = args[1]
    cdef half_t* out = args[2]
    cdef Py_ssize_t i
    cdef float beta = _rounded(<float>params[0], out), z, inside, outside
    cdef float half_beta = _rounded(<float>0.5 * beta, out)
    for i in range(n):
        z = fabsf(_rounded(to_float(a[i]) - to_float(b[i]), out))
        inside = _rounded(_rounded(<float>0.5 * z, out) * z, out) / beta
        outside = z - half_beta
        store_float(out + i, inside if z < beta else outside)


cdef void smooth_l1_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                         void* data) noexcept nogil:
    cdef int* sizes = [2, 2, 2]
    run_blocks(<Block>smooth_l1, 2, sizes, args, n[0], steps, <double*>data)


cdef simd huber(bfloat16_t** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const bfloat16_t* a = args[0]
    cdef const bfloat16_t* b = args[1]
    cdef bfloat16_t* out = args[2]
    cdef Py_ssize_t i
    cdef float delta = _rounded(<float>params[0], out), z, inside, outside
    cdef float half_delta = _rounded(<float>0.5 * delta, out)
    for i in range(n):
        z = fabsf(_rounded(to_float(a[i]) - to_float(b[i]), out))
        inside = _rounded(<float>0.5 * z, out) * z
        outside = delta * _rounded(z - half_delta, out)
        store_float(out + i, inside if z <= delta else outside)


cdef void huber_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                     void* data) noexcept nogil:
    cdef int* sizes = [2, 2, 2]
    run_blocks(<Block>huber, 2, sizes, args, n[0], steps, <double*>data)


# ---- a product with a logarithm

cdef void xlogy(narrow_t** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const narrow_t* a = args[0]
    cdef const narrow_t* b = args[1]
    cdef narrow_t* out = args[2]
    cdef Py_ssize_t i
    cdef float x, y
    for i in range(n):
        x = to_float(a[i])
        y = to_float(b[i])
        y = y if y != y else 0 if x == 0 else x * _rounded(logf(y), out)
        store_float(out + i, y)


# ---- quotients

cdef simd trunc_divide(narrow_t** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const narrow_t* a = args[0]
    cdef const narrow_t* b = args[1]
    cdef narrow_t* out = args[2]
    cdef Py_ssize_t i
    for i in range(n):
        store_float(out + i, truncated(_rounded(to_float(a[i]) / to_float(b[i]), out)))


# ---- the neighbour in the direction of another number

cdef simd nextafter(bfloat16_t** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const bfloat16_t* a = args[0]
    cdef const bfloat16_t* b = args[1]
    cdef bfloat16_t* out = args[2]
    cdef Py_ssize_t i
    cdef float x, y
    cdef int bits, sign
    for i in range(n):
        x = to_float(a[i])
        y = to_float(b[i])
        sign = 0x8000 if y < 0 else 0
        bits = a[i].bits + (1 if (x < y) == (x > 0) else -1)
        bits = (sign | 1) if x == 0 else bits
        bits = b[i].bits if x == y else bits
        out[i].bits = <unsigned short>(0x7fc0 if (x != x) | (y != y) else bits)


# ---- registration

cdef void _register(int dtype, const narrow_t* tag) except *:
    set_block(&binary_row(SQUARED_DIFFERENCE)[dtype], <Block>squared_difference[narrow_t], 2, 2, 2,
              3)
    set_block(&binary_row(XLOGY)[dtype], <Block>xlogy[narrow_t], 2, 2, 2, 50)
    set_block(&binary_row(TRUNC_DIVIDE)[dtype], <Block>trunc_divide[narrow_t], 2, 2, 2, 4)


cdef void register() except *:
    _register(Float16, <half_t*>NULL)
    _register(BFloat16, <bfloat16_t*>NULL)
    # which of the two dtypes needs such a kernel follows no rule
    set_kernel(&binary_row(SMOOTH_L1)[<int>Float16], <Loop>smooth_l1_loop, NULL, 6)
    set_kernel(&binary_row(HUBER)[<int>BFloat16], <Loop>huber_loop, NULL, 4)
    set_block(&binary_row(NEXTAFTER)[<int>BFloat16], <Block>nextafter, 2, 2, 2, 4)
