# The template of reductions that fold values, or a function of them, with one associative operation: sums,
# products and maxima. `fold_tile` is the tile function of a reduction (reduction.pxd); its constants `op` and
# `map` must be literals in the caller.
#
# Note [Extremes of floats]
# A maximum that propagates nan takes three instructions, one that does not takes one. So the fast loops use the
# latter together with a sum that is nan if one of the elements is. (It is also nan for infinities of both signs,
# or sums that overflow both ways.) If the sum is nan, the elements are folded again with the slower maximum.
#
# Note [Folding in lanes]
# A row is folded 256 elements at a time into 32 lanes, eight elements of a lane as a balanced tree. In this form
# the compiler vectorises it without reordering floating-point operations, and rounding errors grow as in pairwise
# summation. Every FOLD_CHUNK elements the lanes are folded into the accumulator. For sums and products of floats
# that is a double, so that the error of a long float32 sum does not grow with its length.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t

from minitorch.kernels.common.always_inline cimport inlined
from minitorch.kernels.reduction.reduction cimport REDUCE_BLOCK

ctypedef fused fold_t:
    uint8_t
    int8_t
    int16_t
    int32_t
    int64_t
    uint64_t        # integer sums are unsigned, since overflow must wrap around
    float
    double

cdef enum FoldOp:
    FOLD_SUM
    FOLD_PROD
    FOLD_MAX        # propagates nan
    FOLD_MIN

cdef enum FoldMap:
    MAP_NONE
    MAP_NAN_TO_ZERO
    MAP_ABS
    MAP_SQUARE
    MAP_NONZERO     # 1 if the value is not 0

cdef enum:
    FOLD_LANES = 32
    EXTREME_LANES = 128
    FOLD_STEP = 256
    FOLD_CHUNK = 4096
    FOLD_ROWS = 128       # rows folded in the element type before they are added to the accumulators


cdef inline fold_t fold_map(fold_t v, const int map) noexcept nogil:
    if map == MAP_NAN_TO_ZERO:
        return v if v == v else 0
    if map == MAP_ABS:
        return v if v > 0 else 0 - v
    if map == MAP_SQUARE:
        return v * v
    if map == MAP_NONZERO:
        return 1 if v != 0 else 0
    return v


cdef inline fold_t fold_join(fold_t a, fold_t b, const int op) noexcept nogil:
    cdef fold_t best
    if op == FOLD_SUM:
        return a + b
    if op == FOLD_PROD:
        return a * b
    # the first selection keeps a nan in b, the second a nan in a
    if op == FOLD_MAX:
        best = a if a > b else b
    else:
        best = a if a < b else b
    return a if a != a else best


cdef inline fold_t fold_four(const fold_t* x, Py_ssize_t step, const int op,
                             const int map) noexcept nogil:
    return fold_join(
        fold_join(fold_map(x[0], map), fold_map(x[step], map), op),
        fold_join(fold_map(x[2 * step], map), fold_map(x[3 * step], map), op), op)


cdef inline void fold_absorb(char* acc, Py_ssize_t j, fold_t v, const int op) noexcept nogil:
    if fold_t is float or fold_t is double:
        if op == FOLD_SUM or op == FOLD_PROD:
            (<double*>acc)[j] = fold_join((<double*>acc)[j], <double>v, op)
        else:
            (<fold_t*>acc)[j] = fold_join((<fold_t*>acc)[j], v, op)
    else:
        (<fold_t*>acc)[j] = fold_join((<fold_t*>acc)[j], v, op)


cdef inline inlined fold_lanes(fold_t* lane, const int op) noexcept nogil:
    # folds all lanes into the first
    cdef Py_ssize_t j
    for j in range(16):
        lane[j] = fold_join(lane[j], lane[j + 16], op)
    for j in range(8):
        lane[j] = fold_join(lane[j], lane[j + 8], op)
    for j in range(4):
        lane[j] = fold_join(lane[j], lane[j + 4], op)
    lane[0] = fold_join(fold_join(lane[0], lane[1], op), fold_join(lane[2], lane[3], op), op)


cdef inline inlined fold_row(const fold_t* x, Py_ssize_t n, fold_t* result, const int op,
                             const int map) noexcept nogil:
    # folds n >= 1 contiguous elements
    cdef fold_t[FOLD_LANES] lane
    cdef fold_t s = fold_map(x[0], map)
    cdef Py_ssize_t i = 1, j
    if n >= 2 * FOLD_LANES:
        for j in range(FOLD_LANES):
            lane[j] = fold_map(x[j], map)
        i = FOLD_LANES
        while i + FOLD_STEP <= n:
            for j in range(FOLD_LANES):
                lane[j] = fold_join(lane[j], fold_join(
                    fold_four(x + i + j, FOLD_LANES, op, map),
                    fold_four(x + i + j + 4 * FOLD_LANES, FOLD_LANES, op, map), op), op)
            i += FOLD_STEP
        while i + FOLD_LANES <= n:
            for j in range(FOLD_LANES):
                lane[j] = fold_join(lane[j], fold_map(x[i + j], map), op)
            i += FOLD_LANES
        fold_lanes(lane, op)
        s = lane[0]
    while i < n:
        s = fold_join(s, fold_map(x[i], map), op)
        i += 1
    result[0] = s


cdef inline inlined fold_strided(fold_t* tag, const char* x, Py_ssize_t step, Py_ssize_t n,
                                 fold_t* result, const int op, const int map) noexcept nogil:
    # folds n >= 1 elements `step` bytes apart in four chains, since a single one would wait for its last result
    cdef fold_t a, b, c, d
    cdef Py_ssize_t i = 1
    a = fold_map((<const fold_t*>x)[0], map)
    if n >= 8:
        b = fold_map((<const fold_t*>(x + step))[0], map)
        c = fold_map((<const fold_t*>(x + 2 * step))[0], map)
        d = fold_map((<const fold_t*>(x + 3 * step))[0], map)
        i = 4
        while i + 4 <= n:
            x += 4 * step
            a = fold_join(a, fold_map((<const fold_t*>x)[0], map), op)
            b = fold_join(b, fold_map((<const fold_t*>(x + step))[0], map), op)
            c = fold_join(c, fold_map((<const fold_t*>(x + 2 * step))[0], map), op)
            d = fold_join(d, fold_map((<const fold_t*>(x + 3 * step))[0], map), op)
            i += 4
        a = fold_join(fold_join(a, b, op), fold_join(c, d, op), op)
        x += 3 * step
    while i < n:
        x += step
        a = fold_join(a, fold_map((<const fold_t*>x)[0], map), op)
        i += 1
    result[0] = a


cdef inline fold_t fold_plain(fold_t a, fold_t b, const int op) noexcept nogil:
    # FOLD_MAX and FOLD_MIN if nan does not have to be propagated
    if op == FOLD_MAX:
        return a if a > b else b
    return a if a < b else b


cdef inline inlined fold_extreme_row(const fold_t* x, Py_ssize_t n, fold_t* result,
                                     const int op) noexcept nogil:
    # fold_row for FOLD_MAX and FOLD_MIN of floats (Note [Extremes of floats])
    cdef fold_t[EXTREME_LANES] lane
    cdef fold_t[EXTREME_LANES] total
    cdef fold_t sum_, best
    cdef Py_ssize_t i = EXTREME_LANES, j
    if n < 2 * EXTREME_LANES:
        fold_row(x, n, result, op, MAP_NONE)
        return
    for j in range(EXTREME_LANES):
        lane[j] = x[j]
        total[j] = x[j]
    while i + EXTREME_LANES <= n:
        for j in range(EXTREME_LANES):
            total[j] += x[i + j]
            lane[j] = fold_plain(lane[j], x[i + j], op)
        i += EXTREME_LANES
    while i + 32 <= n:
        for j in range(32):
            total[j] += x[i + j]
            lane[j] = fold_plain(lane[j], x[i + j], op)
        i += 32
    for j in range(64):
        total[j] += total[j + 64]
        lane[j] = fold_plain(lane[j], lane[j + 64], op)
    for j in range(32):
        total[j] += total[j + 32]
        lane[j] = fold_plain(lane[j], lane[j + 32], op)
    for j in range(16):
        total[j] += total[j + 16]
        lane[j] = fold_plain(lane[j], lane[j + 16], op)
    sum_ = total[0]
    best = lane[0]
    for j in range(1, 16):
        sum_ += total[j]
        best = fold_plain(best, lane[j], op)
    while i < n:
        sum_ += x[i]
        best = fold_plain(best, x[i], op)
        i += 1
    if sum_ == sum_:
        result[0] = best
    else:
        fold_row(x, n, result, op, MAP_NONE)


cdef inline inlined fold_extreme_columns(char* acc, const fold_t* x, Py_ssize_t m, Py_ssize_t n,
                                         Py_ssize_t row, const int op) noexcept nogil:
    # fold_columns for FOLD_MAX and FOLD_MIN of floats (Note [Extremes of floats])
    cdef fold_t[REDUCE_BLOCK] part
    cdef fold_t[REDUCE_BLOCK] total
    cdef fold_t v
    cdef Py_ssize_t _, j
    cdef bint careful = False
    cdef const fold_t* p = x
    for j in range(m):
        part[j] = p[j]
        total[j] = p[j]
    for _ in range(1, n):
        p += row
        for j in range(m):
            total[j] += p[j]
            part[j] = fold_plain(part[j], p[j], op)
    for j in range(m):
        careful |= total[j] != total[j]
    if careful:
        for j in range(m):
            fold_strided(<fold_t*>NULL, <const char*>(x + j), row * <Py_ssize_t>sizeof(fold_t), n,
                         &v, op, MAP_NONE)
            part[j] = v
    for j in range(m):
        fold_absorb(acc, j, part[j], op)


cdef inline inlined fold_columns(char* acc, const fold_t* x, Py_ssize_t m, Py_ssize_t n,
                                 Py_ssize_t row, const int op, const int map) noexcept nogil:
    # folds n rows of m <= REDUCE_BLOCK contiguous elements; two rows are `row` elements apart
    cdef fold_t[REDUCE_BLOCK] part
    cdef Py_ssize_t i = 0, j, end
    while i < n:
        end = n if n - i < FOLD_ROWS else i + FOLD_ROWS
        for j in range(m):
            part[j] = fold_map(x[j], map)
        x += row
        i += 1
        while i + 8 <= end:
            for j in range(m):
                part[j] = fold_join(part[j], fold_join(
                    fold_four(x + j, row, op, map), fold_four(x + j + 4 * row, row, op, map), op),
                    op)
            x += 8 * row
            i += 8
        while i < end:
            for j in range(m):
                part[j] = fold_join(part[j], fold_map(x[j], map), op)
            x += row
            i += 1
        for j in range(m):
            fold_absorb(acc, j, part[j], op)


cdef inline bint _is_extreme_of_floats(fold_t* tag, const int op) noexcept nogil:
    if fold_t is float or fold_t is double:
        return op == FOLD_MAX or op == FOLD_MIN
    else:
        return False


cdef inline inlined fold_tile(char* acc, const fold_t* x, Py_ssize_t m, Py_ssize_t sm,
                              Py_ssize_t n, Py_ssize_t sn, const int op,
                              const int map) noexcept nogil:
    cdef const char* p = <const char*>x
    cdef fold_t v
    cdef Py_ssize_t size = sizeof(fold_t), i = 0, j, c
    if sm == size and m >= 8 and (sn != size or n < 8) and sn % size == 0:
        if map == MAP_NONE and _is_extreme_of_floats(&v, op):
            fold_extreme_columns(acc, x, m, n, sn // size, op)
        else:
            fold_columns(acc, x, m, n, sn // size, op, map)
        return
    while i < n:
        c = FOLD_CHUNK if sn == size else FOLD_STEP      # without lanes, errors grow faster
        c = n - i if n - i < c else c
        for j in range(m):
            if sn == size and map == MAP_NONE and _is_extreme_of_floats(&v, op):
                fold_extreme_row(<const fold_t*>(p + j * sm), c, &v, op)
            elif sn == size:
                fold_row(<const fold_t*>(p + j * sm), c, &v, op, map)
            else:
                fold_strided(<fold_t*>NULL, p + j * sm, sn, c, &v, op, map)
            fold_absorb(acc, j, v, op)
        p += c * sn
        i += c
