"""Maxima and minima, with and without their positions.

Values alone are folds (fold.pxd) in the input's own type. float16 and bfloat16 are folded as float32, which
changes nothing since the conversion is exact in both directions.
Note [Positions]
Along a row the position is found in two passes over a chunk that is in the cache: a vectorised fold finds the
extreme value of the chunk, and only if that beats the previous extreme, a search finds the first element equal to
it. Across rows, where the results are adjacent in memory, values and their row numbers are updated together.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t
from libc.string cimport memcpy

from minitorch.core.dtype cimport (
    BFloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, UInt8,
    is_reduced_floating, itemsizes)
from minitorch.kernels.common.always_inline cimport inlined
from minitorch.kernels.common.half cimport bfloat16_t, half_t, store_float
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.widening cimport load_function
from minitorch.kernels.reduction.fold cimport (
    FOLD_MAX, FOLD_MIN, MAP_NONE, fold_extreme_row, fold_join, fold_strided, fold_tile)
from minitorch.kernels.reduction.reduction cimport (
    REDUCE_BLOCK, Finish, Merge, Reducer, Reduction, Tile, reduce)

ctypedef fused value_t:
    uint8_t
    int8_t
    int16_t
    int32_t
    int64_t
    float
    double

# An accumulator of the kernels with positions; the value is stored at its start
cdef struct Found:
    int64_t value
    int64_t index       # -1: no element yet

cdef enum:
    SEARCH_CHUNK = 2048
    ROW_CHUNK = 1 << 14


# -- values alone ---------------------------------------------------------------------------------

cdef simd _max_tile(char* acc, const value_t* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                    Py_ssize_t sn, Py_ssize_t first, double parameter) noexcept nogil:
    fold_tile(acc, x, m, sm, n, sn, FOLD_MAX, MAP_NONE)


cdef simd _min_tile(char* acc, const value_t* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                    Py_ssize_t sn, Py_ssize_t first, double parameter) noexcept nogil:
    fold_tile(acc, x, m, sm, n, sn, FOLD_MIN, MAP_NONE)


cdef void _merge_max(value_t* acc, const value_t* other, Py_ssize_t m) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        acc[j] = fold_join(acc[j], other[j], FOLD_MAX)


cdef void _merge_min(value_t* acc, const value_t* other, Py_ssize_t m) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        acc[j] = fold_join(acc[j], other[j], FOLD_MIN)


cdef inline void _store(char* p, value_t v, int dtype) noexcept nogil:
    if value_t is float:
        if dtype == Float16:
            store_float(<half_t*>p, v)
            return
        if dtype == BFloat16:
            store_float(<bfloat16_t*>p, v)
            return
    (<value_t*>p)[0] = v


cdef void _finish(const value_t* acc, Py_ssize_t m, char* out, Py_ssize_t step, char* out2,
                  Py_ssize_t step2, Py_ssize_t count, int out_dtype,
                  double parameter) noexcept nogil:
    cdef Py_ssize_t j
    if step == <Py_ssize_t>sizeof(value_t) and not is_reduced_floating(out_dtype):
        memcpy(out, acc, m * sizeof(value_t))
        return
    for j in range(m):
        _store(out + j * step, acc[j], out_dtype)


# -- with positions -------------------------------------------------------------------------------

cdef inline bint _beats(value_t a, value_t b, const int op) noexcept nogil:
    # whether a later element `a` replaces `b`
    if op == FOLD_MAX:
        return (a > b) | ((a != a) & (b == b))
    return (a < b) | ((a != a) & (b == b))


cdef inline void _offer(char* acc, Py_ssize_t j, value_t v, int64_t index,
                        const int op) noexcept nogil:
    cdef Found* found = <Found*>acc + j
    cdef value_t best
    memcpy(&best, &found.value, sizeof(value_t))
    if found.index < 0 or _beats(v, best, op):
        memcpy(&found.value, &v, sizeof(value_t))
        found.index = index


cdef inline Py_ssize_t _first_equal(const char* x, Py_ssize_t step, value_t v) noexcept nogil:
    cdef Py_ssize_t i = 0
    cdef value_t w
    while True:
        w = (<const value_t*>(x + i * step))[0]
        if w == v or (w != w and v != v):
            return i
        i += 1


cdef inline bint _improves(char* acc, Py_ssize_t j, value_t v, const int op) noexcept nogil:
    cdef Found* found = <Found*>acc + j
    cdef value_t best
    memcpy(&best, &found.value, sizeof(value_t))
    return found.index < 0 or _beats(v, best, op)


cdef inline inlined _find_in_rows(char* acc, const value_t* x, Py_ssize_t m, Py_ssize_t sm,
                                  Py_ssize_t n, Py_ssize_t sn, Py_ssize_t first,
                                  const int op) noexcept nogil:
    cdef const char* p
    cdef value_t v, w
    cdef Py_ssize_t i = 0, j, c, k, where
    cdef bint better
    while i < n:
        c = n - i if n - i < SEARCH_CHUNK else SEARCH_CHUNK
        for j in range(m):
            p = <const char*>x + j * sm + i * sn
            if c <= 16:
                v = (<const value_t*>p)[0]
                where = 0
                for k in range(1, c):
                    w = (<const value_t*>(p + k * sn))[0]
                    better = _beats(w, v, op)
                    v = w if better else v
                    where = k if better else where
                _offer(acc, j, v, first + i + where, op)
                continue
            if sn == <Py_ssize_t>sizeof(value_t):
                fold_extreme_row(<const value_t*>p, c, &v, op)
            else:
                fold_strided(<value_t*>NULL, p, sn, c, &v, op, MAP_NONE)
            if _improves(acc, j, v, op):
                _offer(acc, j, v, first + i + _first_equal(p, sn, v), op)
        i += c


cdef inline inlined _find_in_columns(char* acc, const value_t* x, Py_ssize_t m, Py_ssize_t n,
                                     Py_ssize_t row, Py_ssize_t first,
                                     const int op) noexcept nogil:
    cdef value_t[REDUCE_BLOCK] best
    cdef int32_t[REDUCE_BLOCK] where
    cdef Py_ssize_t i = 0, j, c
    cdef int32_t k
    cdef bint better
    while i < n:
        c = n - i if n - i < ROW_CHUNK else ROW_CHUNK
        for j in range(m):
            best[j] = x[j]
            where[j] = 0
        for k in range(1, <int32_t>c):
            x += row
            for j in range(m):
                better = _beats(x[j], best[j], op)
                best[j] = x[j] if better else best[j]
                where[j] = k if better else where[j]
        for j in range(m):
            _offer(acc, j, best[j], first + i + where[j], op)
        x += row
        i += c


cdef inline inlined _find_tile(char* acc, const value_t* x, Py_ssize_t m, Py_ssize_t sm,
                               Py_ssize_t n, Py_ssize_t sn, Py_ssize_t first,
                               const int op) noexcept nogil:
    cdef Py_ssize_t size = sizeof(value_t)
    if sm == size and m >= 8 and (sn != size or n < 8) and sn % size == 0:
        _find_in_columns(acc, x, m, n, sn // size, first, op)
    else:
        _find_in_rows(acc, x, m, sm, n, sn, first, op)


cdef simd _argmax_tile(char* acc, const value_t* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                       Py_ssize_t sn, Py_ssize_t first, double parameter) noexcept nogil:
    _find_tile(acc, x, m, sm, n, sn, first, FOLD_MAX)


cdef simd _argmin_tile(char* acc, const value_t* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                       Py_ssize_t sn, Py_ssize_t first, double parameter) noexcept nogil:
    _find_tile(acc, x, m, sm, n, sn, first, FOLD_MIN)


cdef inline void _merge_found(value_t* tag, char* acc, const char* other, Py_ssize_t m,
                              const int op) noexcept nogil:
    cdef Py_ssize_t j
    cdef value_t v
    for j in range(m):
        if (<const Found*>other)[j].index >= 0:
            memcpy(&v, &(<const Found*>other)[j].value, sizeof(value_t))
            _offer(acc, j, v, (<const Found*>other)[j].index, op)


cdef void _merge_argmax(value_t* acc, const char* other, Py_ssize_t m) noexcept nogil:
    _merge_found(acc, <char*>acc, other, m, FOLD_MAX)


cdef void _merge_argmin(value_t* acc, const char* other, Py_ssize_t m) noexcept nogil:
    _merge_found(acc, <char*>acc, other, m, FOLD_MIN)


cdef void _finish_found(const value_t* acc, Py_ssize_t m, char* out, Py_ssize_t step, char* out2,
                        Py_ssize_t step2, Py_ssize_t count, int out_dtype,
                        double parameter) noexcept nogil:
    cdef const Found* found = <const Found*>acc
    cdef Py_ssize_t j
    cdef value_t v
    for j in range(m):
        (<int64_t*>(out2 + j * step2))[0] = found[j].index
    if parameter != 0:       # values are requested
        for j in range(m):
            memcpy(&v, &found[j].value, sizeof(value_t))
            _store(out + j * step, v, out_dtype)


# -- choosing -------------------------------------------------------------------------------------

cdef inline void _set(Reducer* k, value_t least, value_t most, bint minimum,
                      bint positions) noexcept nogil:
    cdef Found nothing
    nothing.value = 0
    nothing.index = -1
    if positions:
        k.acc_size = sizeof(Found)
        k.tile = <Tile>_argmin_tile[value_t] if minimum else <Tile>_argmax_tile[value_t]
        k.merge = <Merge>_merge_argmin[value_t] if minimum else <Merge>_merge_argmax[value_t]
        k.finish = <Finish>_finish_found[value_t]
        memcpy(k.initial, &nothing, sizeof(Found))
    else:
        k.acc_size = sizeof(value_t)
        k.tile = <Tile>_min_tile[value_t] if minimum else <Tile>_max_tile[value_t]
        k.merge = <Merge>_merge_min[value_t] if minimum else <Merge>_merge_max[value_t]
        k.finish = <Finish>_finish[value_t]
        memcpy(k.initial, &most if minimum else &least, sizeof(value_t))


cdef int _run(bint minimum, bint positions, char* input, char* out, char* out2,
              const Reduction* r, int dtype) noexcept nogil:
    cdef Reducer k
    k.load = NULL
    k.out_dtype = dtype
    k.itemsize = <int>itemsizes[dtype]
    k.cost = k.itemsize * (24 if positions else 15)
    k.parameter = out != NULL
    if dtype == UInt8 or dtype == Bool:
        _set[uint8_t](&k, 0, 255, minimum, positions)
    elif dtype == Int8:
        _set[int8_t](&k, -128, 127, minimum, positions)
    elif dtype == Int16:
        _set[int16_t](&k, -0x8000, 0x7fff, minimum, positions)
    elif dtype == Int32:
        _set[int32_t](&k, -0x7fffffff - 1, 0x7fffffff, minimum, positions)
    elif dtype == Int64:
        _set[int64_t](&k, -0x7fffffffffffffff - 1, 0x7fffffffffffffff, minimum, positions)
    elif dtype == Float32 or is_reduced_floating(dtype):
        _set[float](&k, -INFINITY, INFINITY, minimum, positions)
        if dtype != Float32:
            k.itemsize = 4
            k.cost = 300
            k.load = load_function(dtype, Float32)
    elif dtype == Float64:
        _set[double](&k, -INFINITY, INFINITY, minimum, positions)
    else:
        return 1
    reduce(&k, input, out, out2, r)
    return 0


cdef int amax_kernel(char* input, char* out, const Reduction* r, int dtype) noexcept nogil:
    return _run(False, False, input, out, NULL, r, dtype)


cdef int amin_kernel(char* input, char* out, const Reduction* r, int dtype) noexcept nogil:
    return _run(True, False, input, out, NULL, r, dtype)


cdef int max_with_index_kernel(char* input, char* values, char* indices, const Reduction* r,
                               int dtype) noexcept nogil:
    return _run(False, True, input, values, indices, r, dtype)


cdef int min_with_index_kernel(char* input, char* values, char* indices, const Reduction* r,
                               int dtype) noexcept nogil:
    return _run(True, True, input, values, indices, r, dtype)
