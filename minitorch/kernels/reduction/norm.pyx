"""Vector norms: sums, maxima and minima of a function of the magnitudes.

p = 0, 1, 2, inf and -inf are folds (fold.pxd) with this function inlined; any other p takes a `pow` per element.
Complex numbers are converted to magnitudes, block by block, when they are loaded.
"""

from libc.math cimport INFINITY, fabs, pow, sqrt
from libc.string cimport memcpy, memset

from minitorch.core.dtype cimport (
    Complex64, Complex128, Float32, Float64, is_reduced_floating, itemsizes)
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.common.widening cimport load_function, store_real
from minitorch.kernels.common.table cimport ABS, Kernel, unary_kernel
from minitorch.kernels.reduction.fold cimport (
    FOLD_MAX, FOLD_MIN, FOLD_SUM, MAP_ABS, MAP_NONZERO, MAP_SQUARE, fold_join, fold_tile)
from minitorch.kernels.reduction.reduction cimport Finish, Merge, Reducer, Reduction, Tile, reduce


# -- tiles ----------------------------------------------------------------------------------------

cdef simd _sum_tile(char* acc, const Real* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                    Py_ssize_t sn, Py_ssize_t first, double p) noexcept nogil:
    if p == 2:
        fold_tile(acc, x, m, sm, n, sn, FOLD_SUM, MAP_SQUARE)
    elif p == 1:
        fold_tile(acc, x, m, sm, n, sn, FOLD_SUM, MAP_ABS)
    else:
        fold_tile(acc, x, m, sm, n, sn, FOLD_SUM, MAP_NONZERO)


cdef simd _max_tile(char* acc, const Real* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                    Py_ssize_t sn, Py_ssize_t first, double p) noexcept nogil:
    fold_tile(acc, x, m, sm, n, sn, FOLD_MAX, MAP_ABS)


cdef simd _min_tile(char* acc, const Real* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                    Py_ssize_t sn, Py_ssize_t first, double p) noexcept nogil:
    fold_tile(acc, x, m, sm, n, sn, FOLD_MIN, MAP_ABS)


cdef void _power_tile(double* acc, const Real* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                      Py_ssize_t sn, Py_ssize_t first, double p) noexcept nogil:
    # each power is rounded, so that it overflows or underflows for the same numbers as in PyTorch
    cdef Py_ssize_t i, j
    for i in range(n):
        for j in range(m):
            acc[j] += <Real>pow(fabs((<const Real*>(<const char*>x + j * sm + i * sn))[0]), p)


# -- loading magnitudes ---------------------------------------------------------------------------

cdef inline void _load_magnitudes(int dtype, const char* src, Py_ssize_t step, char* dst,
                                  Py_ssize_t n) noexcept nogil:
    # with the loop of abs(), so that the largest magnitude equals one of the values of abs()
    cdef Kernel* kernel = unary_kernel(ABS, dtype)
    cdef char* args[2]
    cdef Py_ssize_t[2] steps
    args[0] = <char*>src
    args[1] = dst
    steps[0] = step
    steps[1] = itemsizes[dtype] // 2
    kernel.loop(args, &n, steps, kernel.data)


cdef void _load_complex64(const char* src, Py_ssize_t step, char* dst, Py_ssize_t n) noexcept nogil:
    _load_magnitudes(Complex64, src, step, dst, n)


cdef void _load_complex128(const char* src, Py_ssize_t step, char* dst,
                           Py_ssize_t n) noexcept nogil:
    _load_magnitudes(Complex128, src, step, dst, n)


# -- merging and results --------------------------------------------------------------------------

cdef void _merge_sums(char* acc, const char* other, Py_ssize_t m) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        (<double*>acc)[j] += (<const double*>other)[j]


cdef void _merge_max(Real* acc, const Real* other, Py_ssize_t m) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        acc[j] = fold_join(acc[j], other[j], FOLD_MAX)


cdef void _merge_min(Real* acc, const Real* other, Py_ssize_t m) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        acc[j] = fold_join(acc[j], other[j], FOLD_MIN)


cdef void _finish_sum(const double* acc, Py_ssize_t m, char* out, Py_ssize_t step, char* out2,
                      Py_ssize_t step2, Py_ssize_t count, int out_dtype,
                      double p) noexcept nogil:
    cdef Py_ssize_t j
    cdef double v
    for j in range(m):
        v = acc[j]
        if p == 2:
            v = sqrt(v)
        elif p != 0 and p != 1:
            v = pow(<float>v if out_dtype == Float32 else v, 1 / p)
        store_real(out + j * step, v, out_dtype)


cdef void _finish_extreme(const Real* acc, Py_ssize_t m, char* out, Py_ssize_t step, char* out2,
                          Py_ssize_t step2, Py_ssize_t count, int out_dtype,
                          double p) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        store_real(out + j * step, acc[j], out_dtype)


# -- choosing -------------------------------------------------------------------------------------

cdef inline void _set(Reducer* k, Real tag, double p) noexcept nogil:
    # magnitudes are at least 0, so a maximum can start there
    cdef Real least = 0, most = INFINITY
    k.itemsize = sizeof(Real)
    if p == INFINITY or p == -INFINITY:
        k.acc_size = sizeof(Real)
        k.finish = <Finish>_finish_extreme[Real]
        if p > 0:
            k.tile = <Tile>_max_tile[Real]
            k.merge = <Merge>_merge_max[Real]
            memcpy(k.initial, &least, sizeof(Real))
        else:
            k.tile = <Tile>_min_tile[Real]
            k.merge = <Merge>_merge_min[Real]
            memcpy(k.initial, &most, sizeof(Real))
        return
    k.acc_size = 8
    k.merge = _merge_sums
    k.finish = <Finish>_finish_sum
    memset(k.initial, 0, 8)
    if p == 0 or p == 1 or p == 2:
        k.tile = <Tile>_sum_tile[Real]
    else:
        k.tile = <Tile>_power_tile[Real]
        k.cost = 20000


cdef int norm_kernel(char* input, char* out, const Reduction* r, int in_dtype, int out_dtype,
                     double p) noexcept nogil:
    cdef Reducer k
    k.load = NULL
    k.out_dtype = out_dtype
    k.parameter = p
    k.cost = 20 * <int>itemsizes[in_dtype]
    if in_dtype == Float64 or in_dtype == Complex128:
        _set[double](&k, 0, p)
    elif in_dtype == Float32 or is_reduced_floating(in_dtype) or in_dtype == Complex64:
        _set[float](&k, 0, p)
    else:
        return 1
    if is_reduced_floating(in_dtype):
        k.load = load_function(in_dtype, Float32)
        k.cost += 200
    elif in_dtype == Complex64:
        k.load = _load_complex64
        k.cost += 3000
    elif in_dtype == Complex128:
        k.load = _load_complex128
        k.cost += 5000
    reduce(&k, input, out, NULL, r)
    return 0
