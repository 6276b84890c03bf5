"""Sums, products and means: folds whose accumulators are wider than the elements.

float32 accumulates in float64 between chunks (Note [Folding in lanes] in fold.pxd), integers in uint64. A complex
sum is a sum over the parts, which are one more kept dimension; a complex product has its own loops.
"""

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy, memset

from minitorch.core.dtype cimport (
    Complex64, Float32, Float64, Int64, is_complex, itemsizes, to_real)
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Complex, Real, complex128, complex64
from minitorch.kernels.common.widening cimport compute_dtype, load_function, store_integer, store_real
from minitorch.kernels.elementwise.complex_numbers cimport times
from minitorch.kernels.reduction.fold cimport FOLD_PROD, FOLD_SUM, MAP_NAN_TO_ZERO, MAP_NONE, fold_tile
from minitorch.kernels.reduction.reduction cimport (
    Finish, Merge, Reducer, Reduction, Tile, reduce, split_complex)

ctypedef fused compute_t:
    uint64_t
    float
    double


cdef enum SumOp:
    SUM
    MEAN
    NANSUM
    PROD


# -- tiles ----------------------------------------------------------------------------------------

cdef simd _sum_tile(char* acc, const compute_t* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                    Py_ssize_t sn, Py_ssize_t first, double parameter) noexcept nogil:
    fold_tile(acc, x, m, sm, n, sn, FOLD_SUM, MAP_NONE)


cdef simd _nansum_tile(char* acc, const Real* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                       Py_ssize_t sn, Py_ssize_t first, double parameter) noexcept nogil:
    fold_tile(acc, x, m, sm, n, sn, FOLD_SUM, MAP_NAN_TO_ZERO)


cdef simd _prod_tile(char* acc, const compute_t* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                     Py_ssize_t sn, Py_ssize_t first, double parameter) noexcept nogil:
    fold_tile(acc, x, m, sm, n, sn, FOLD_PROD, MAP_NONE)


cdef void _complex_prod_tile(char* acc, const Complex* x, Py_ssize_t m, Py_ssize_t sm,
                             Py_ssize_t n, Py_ssize_t sn, Py_ssize_t first,
                             double parameter) noexcept nogil:
    cdef Complex v
    cdef Py_ssize_t i, j
    for j in range(m):
        v = (<Complex*>acc)[j]
        for i in range(n):
            v = times(v, (<const Complex*>(<const char*>x + j * sm + i * sn))[0])
        (<Complex*>acc)[j] = v


# -- merging and results --------------------------------------------------------------------------

cdef void _merge_sums(char* acc, const char* other, Py_ssize_t m) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        (<double*>acc)[j] += (<const double*>other)[j]


cdef void _merge_integer_sums(char* acc, const char* other, Py_ssize_t m) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        (<uint64_t*>acc)[j] += (<const uint64_t*>other)[j]


cdef void _merge_products(char* acc, const char* other, Py_ssize_t m) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        (<double*>acc)[j] *= (<const double*>other)[j]


cdef void _merge_integer_products(char* acc, const char* other, Py_ssize_t m) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        (<uint64_t*>acc)[j] *= (<const uint64_t*>other)[j]


cdef void _merge_complex_products(Complex* acc, const Complex* other,
                                  Py_ssize_t m) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        acc[j] = times(acc[j], other[j])


cdef simd _finish(const double* acc, Py_ssize_t m, char* out, Py_ssize_t step, char* out2,
                  Py_ssize_t step2, Py_ssize_t count, int out_dtype,
                  double parameter) noexcept nogil:
    cdef Py_ssize_t j
    if out_dtype == Float32 and step == 4:
        for j in range(m):
            (<float*>out)[j] = <float>acc[j]
        return
    for j in range(m):
        store_real(out + j * step, acc[j], out_dtype)


cdef void _finish_mean(double* acc, Py_ssize_t m, char* out, Py_ssize_t step, char* out2,
                       Py_ssize_t step2, Py_ssize_t count, int out_dtype,
                       double parameter) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        acc[j] /= count
    _finish(acc, m, out, step, out2, step2, count, out_dtype, parameter)


cdef void _finish_integers(const int64_t* acc, Py_ssize_t m, char* out, Py_ssize_t step,
                           char* out2, Py_ssize_t step2, Py_ssize_t count, int out_dtype,
                           double parameter) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        store_integer(out + j * step, acc[j], out_dtype)


cdef void _finish_complex(const Complex* acc, Py_ssize_t m, char* out, Py_ssize_t step,
                          char* out2, Py_ssize_t step2, Py_ssize_t count, int out_dtype,
                          double parameter) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        (<Complex*>(out + j * step))[0] = acc[j]


# -- choosing -------------------------------------------------------------------------------------

cdef Tile _tile_for(int op, int compute) noexcept nogil:
    if compute == Float32:
        return (<Tile>_prod_tile[float] if op == PROD else
                <Tile>_nansum_tile[float] if op == NANSUM else <Tile>_sum_tile[float])
    if compute == Float64:
        return (<Tile>_prod_tile[double] if op == PROD else
                <Tile>_nansum_tile[double] if op == NANSUM else <Tile>_sum_tile[double])
    return <Tile>_prod_tile[uint64_t] if op == PROD else <Tile>_sum_tile[uint64_t]


cdef int _complex_product(char* input, char* out, const Reduction* r, int dtype) noexcept nogil:
    cdef Reducer k
    cdef complex64 one = 1
    cdef complex128 wide_one = 1
    k.load = NULL
    k.out_dtype = dtype
    k.cost = 2000
    k.itemsize = <int>itemsizes[dtype]
    k.acc_size = k.itemsize
    if dtype == Complex64:
        k.tile = <Tile>_complex_prod_tile[complex64]
        k.merge = <Merge>_merge_complex_products[complex64]
        k.finish = <Finish>_finish_complex[complex64]
        memcpy(k.initial, &one, 8)
    else:
        k.tile = <Tile>_complex_prod_tile[complex128]
        k.merge = <Merge>_merge_complex_products[complex128]
        k.finish = <Finish>_finish_complex[complex128]
        memcpy(k.initial, &wide_one, 16)
    reduce(&k, input, out, NULL, r)
    return 0


cdef int _run(int op, char* input, char* out, const Reduction* r, int in_dtype,
              int out_dtype) noexcept nogil:
    cdef Reducer k
    cdef Reduction parts
    cdef int compute
    cdef uint64_t one = 1
    cdef double real_one = 1
    if is_complex(in_dtype) or is_complex(out_dtype):
        if in_dtype != out_dtype:
            return 1
        if op == PROD:
            return _complex_product(input, out, r, in_dtype)
        split_complex(r, &parts, itemsizes[in_dtype] // 2)
        return _run(op, input, out, &parts, to_real(in_dtype), to_real(in_dtype))
    compute = compute_dtype(out_dtype)
    k.tile = _tile_for(op, compute)
    k.load = NULL
    k.itemsize = <int>itemsizes[compute]
    k.acc_size = 8
    k.out_dtype = out_dtype
    k.cost = k.itemsize * 12
    memset(k.initial, 0, 8)
    if in_dtype != compute:
        k.load = load_function(in_dtype, compute)
        k.cost += 200
        if k.load == NULL:
            return 1
    if compute == Int64:
        k.merge = _merge_integer_products if op == PROD else _merge_integer_sums
        k.finish = <Finish>_finish_integers
        if op == PROD:
            memcpy(k.initial, &one, 8)
        elif op == MEAN:
            return 1
    else:
        k.merge = _merge_products if op == PROD else _merge_sums
        k.finish = <Finish>(_finish_mean if op == MEAN else _finish)
        if op == PROD:
            memcpy(k.initial, &real_one, 8)
    reduce(&k, input, out, NULL, r)
    return 0


cdef int sum_kernel(char* input, char* out, const Reduction* r, int in_dtype,
                    int out_dtype) noexcept nogil:
    return _run(SUM, input, out, r, in_dtype, out_dtype)


cdef int mean_kernel(char* input, char* out, const Reduction* r, int in_dtype,
                     int out_dtype) noexcept nogil:
    return _run(MEAN, input, out, r, in_dtype, out_dtype)


cdef int nansum_kernel(char* input, char* out, const Reduction* r, int in_dtype,
                       int out_dtype) noexcept nogil:
    if is_complex(in_dtype) or is_complex(out_dtype):
        return 1
    if compute_dtype(out_dtype) == Int64:
        return _run(SUM, input, out, r, in_dtype, out_dtype)
    return _run(NANSUM, input, out, r, in_dtype, out_dtype)


cdef int prod_kernel(char* input, char* out, const Reduction* r, int in_dtype,
                     int out_dtype) noexcept nogil:
    return _run(PROD, input, out, r, in_dtype, out_dtype)
