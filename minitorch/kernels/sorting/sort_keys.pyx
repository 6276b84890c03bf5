"""Ordering by unsigned integers: keys, sorting by digits, selection by digits.

Note [Sorting by digits]
Keys are sorted by the least significant digit first, eight bits at a time. The counts of all digits are computed
in one pass, and a digit that all keys share is skipped, so short integers take few passes. Equal keys keep their
order, so every sort here is stable. Up to INSERTION items are sorted by insertion instead.

Note [Selecting by digits]
The item of rank k is searched in the bucket of the most significant eleven bits that contains it, then in that
bucket by the next eleven bits, and so on. Every bucket is a fraction of the previous one, and no choice of a
pivot can be bad. Where PyTorch's choice among equal elements is needed, the items are partitioned about pivots,
as in PyTorch.

Note [The best k]
Elements are examined in blocks, and those that beat the k-th best of the candidates so far become candidates. If
there are more than 4 k candidates, they are reduced to the best k. Most blocks of a long row contain no
candidate, which one vectorised comparison determines.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy, memset

from minitorch.core.dtype cimport (
    BFloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, itemsizes)
from minitorch.kernels.common.half cimport bfloat16_t, half_t, narrow_t, to_float
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Numeric, Unsigned

ctypedef fused item_t:
    uint64_t
    WideItem

cdef enum:
    INSERTION = 24
    DIGIT = 8
    BUCKETS = 256
    SHORT = 384           # up to this length, eight digits would be too slow for wide items
    BLOCK = 512
    SELECT_DIGIT = 11
    SELECT_BUCKETS = 2048


# -- keys -----------------------------------------------------------------------------------------

cdef inline uint64_t _key(Numeric v) noexcept nogil:
    # floats: complement the bits of a negative number, set the top bit of a positive one
    cdef uint32_t bits
    cdef uint64_t wide_bits
    cdef float f
    if Numeric is float or Numeric in narrow_t:
        if Numeric in narrow_t:
            f = to_float(v)
        else:
            f = v
        f = f + <float>0.0          # -0 + 0 is 0
        memcpy(&bits, &f, 4)
        bits ^= 0x80000000U | (0 - (bits >> 31))
        return bits if f == f else 0xffffffffULL
    elif Numeric is double:
        v = v + 0.0
        memcpy(&wide_bits, &v, 8)
        wide_bits ^= (<uint64_t>1 << 63) | (0 - (wide_bits >> 63))
        return wide_bits if v == v else <uint64_t>-1
    elif Numeric is int64_t:
        return <uint64_t>v ^ (<uint64_t>1 << 63)
    else:
        return <uint64_t>(<int64_t>v + 0x80000000LL)


cdef simd _narrow_items(const Numeric* x, Py_ssize_t n, bint descending,
                        uint64_t* items) noexcept nogil:
    cdef uint64_t flip = 0xffffffffULL if descending else 0
    cdef Py_ssize_t i
    for i in range(n):
        items[i] = (_key(x[i]) ^ flip) << 32 | <uint64_t>i


cdef simd _wide_items(const Numeric* x, Py_ssize_t n, bint descending,
                      WideItem* items) noexcept nogil:
    cdef uint64_t flip = 0
    cdef Py_ssize_t i
    if descending:
        flip = <uint64_t>-1 if Numeric is int64_t or Numeric is double else 0xffffffffULL
    for i in range(n):
        items[i].key = _key(x[i]) ^ flip
        items[i].index = <uint64_t>i


cdef int takes_wide_items(int dtype, Py_ssize_t n) noexcept nogil:
    if dtype == Int64 or dtype == Float64:
        return 1
    if dtype <= Float32 or dtype == Bool or dtype == BFloat16:
        return n > 0xffffffffLL
    return -1


cdef inline void _make(Numeric* x, Py_ssize_t n, bint descending, char* items,
                       bint wide) noexcept nogil:
    if wide:
        _wide_items(<const Numeric*>x, n, descending, <WideItem*>items)
    else:
        _narrow_items(<const Numeric*>x, n, descending, <uint64_t*>items)


cdef void make_items(const char* x, Py_ssize_t n, int dtype, bint descending, char* items,
                     bint wide) noexcept nogil:
    if dtype == Float32:
        _make(<float*>x, n, descending, items, wide)
    elif dtype == Float64:
        _make(<double*>x, n, descending, items, wide)
    elif dtype == Int64:
        _make(<int64_t*>x, n, descending, items, wide)
    elif dtype == Int32:
        _make(<int32_t*>x, n, descending, items, wide)
    elif dtype == Int16:
        _make(<int16_t*>x, n, descending, items, wide)
    elif dtype == Int8:
        _make(<int8_t*>x, n, descending, items, wide)
    elif dtype == Float16:
        _make(<half_t*>x, n, descending, items, wide)
    elif dtype == BFloat16:
        _make(<bfloat16_t*>x, n, descending, items, wide)
    else:
        _make(<uint8_t*>x, n, descending, items, wide)


# -- sorting --------------------------------------------------------------------------------------

cdef inline uint64_t _key_of(const item_t* item) noexcept nogil:
    if item_t is WideItem:
        return item.key
    else:
        return item[0] >> 32


cdef inline void _insertion_sort(item_t* a, Py_ssize_t n) noexcept nogil:
    cdef item_t v
    cdef uint64_t key
    cdef Py_ssize_t i, j
    for i in range(1, n):
        v = a[i]
        key = _key_of(&v)
        j = i
        while j > 0 and _key_of(a + j - 1) > key:
            a[j] = a[j - 1]
            j -= 1
        a[j] = v


cdef inline char* _radix_sort(item_t* a, item_t* b, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t[8 * BUCKETS] counts
    cdef Py_ssize_t* count
    cdef item_t* other
    cdef Py_ssize_t i, c, position
    cdef int digits = 8 if item_t is WideItem else 4, d
    cdef uint64_t key, bucket
    if n <= INSERTION:
        _insertion_sort(a, n)
        return <char*>a
    if item_t is WideItem:
        if n <= SHORT:
            _sort_by_prefix(a, <uint64_t*>b, n)
            return <char*>a
    memset(counts, 0, digits * BUCKETS * sizeof(Py_ssize_t))
    for i in range(n):
        key = _key_of(a + i)
        for d in range(digits):
            counts[d * BUCKETS + (key >> (DIGIT * d) & 255)] += 1
    for d in range(digits):
        count = counts + d * BUCKETS
        if count[_key_of(a) >> (DIGIT * d) & 255] == n:
            continue
        position = 0
        for i in range(BUCKETS):
            c = count[i]
            count[i] = position
            position += c
        for i in range(n):
            bucket = _key_of(a + i) >> (DIGIT * d) & 255
            b[count[bucket]] = a[i]
            count[bucket] += 1
        other = a
        a = b
        b = other
    return <char*>a


cdef char* sort_items(char* items, char* scratch, Py_ssize_t n, bint wide) noexcept nogil:
    if wide:
        return _radix_sort(<WideItem*>items, <WideItem*>scratch, n)
    return _radix_sort(<uint64_t*>items, <uint64_t*>scratch, n)


cdef void _sort_by_prefix(WideItem* a, uint64_t* scratch, Py_ssize_t n) noexcept nogil:
    # Sort by the 32 highest bits in which the keys differ, as narrow items; insertion sorts the rest, which for
    # most data is nothing.
    cdef WideItem[SHORT] result
    cdef uint64_t different = 0
    cdef Py_ssize_t i
    cdef int shift = 0
    cdef const char* order
    for i in range(n):
        different |= a[i].key ^ a[0].key
    while different >> shift > 0xffffffffULL:
        shift += 1
    for i in range(n):
        scratch[i] = (a[i].key >> shift) << 32 | <uint64_t>i
    order = _radix_sort(scratch, scratch + n, n)
    for i in range(n):
        result[i] = a[item_index(order, i, False)]
    if shift > 0:
        _insertion_sort(result, n)
    memcpy(a, result, n * sizeof(WideItem))


# -- selecting ------------------------------------------------------------------------------------

cdef inline item_t _select(const item_t* a, item_t* scratch, Py_ssize_t n,
                           Py_ssize_t k) noexcept nogil:
    cdef Py_ssize_t[SELECT_BUCKETS] counts
    cdef Py_ssize_t i, kept
    cdef int shift = 64 if item_t is WideItem else 32
    cdef uint64_t mask, bucket
    if n <= INSERTION:
        memcpy(scratch, a, n * sizeof(item_t))
        _insertion_sort(scratch, n)
        return scratch[k]
    while n > 1 and shift > 0:
        mask = SELECT_BUCKETS - 1 if shift >= SELECT_DIGIT else (<uint64_t>1 << shift) - 1
        shift = shift - SELECT_DIGIT if shift > SELECT_DIGIT else 0
        memset(counts, 0, sizeof(counts))
        for i in range(n):
            counts[_key_of(a + i) >> shift & mask] += 1
        bucket = 0
        while k >= counts[bucket]:
            k -= counts[bucket]
            bucket += 1
        if counts[bucket] == n:
            continue
        # scratch may be `a` itself, since items only move forward
        kept = 0
        for i in range(n):
            scratch[kept] = a[i]
            kept += (_key_of(a + i) >> shift & mask) == bucket
        a = scratch
        n = counts[bucket]
    return a[k]


cdef WideItem select_item(const char* items, char* scratch, Py_ssize_t n, Py_ssize_t k,
                          bint wide) noexcept nogil:
    cdef WideItem result
    cdef uint64_t narrow
    if wide:
        return _select(<const WideItem*>items, <WideItem*>scratch, n, k)
    narrow = _select(<const uint64_t*>items, <uint64_t*>scratch, n, k)
    result.key = narrow >> 32
    result.index = narrow & 0xffffffffULL
    return result


cdef inline void _exchange(item_t* a, Py_ssize_t i, Py_ssize_t j) noexcept nogil:
    cdef item_t first = a[i]
    a[i] = a[j]
    a[j] = first


cdef inline void _order(item_t* a, Py_ssize_t i, Py_ssize_t j) noexcept nogil:
    if _key_of(a + i) > _key_of(a + j):
        _exchange(a, i, j)


cdef void _partition(item_t* a, Py_ssize_t n, Py_ssize_t k) noexcept nogil:
    # W. H. Press et al., Numerical Recipes, "Selecting the Mth largest"
    cdef Py_ssize_t left = 0, right = n - 1, i, j
    cdef item_t pivot
    while right > left + 1:
        _exchange(a, left + (right - left) // 2, left + 1)
        _order(a, left + 1, right)
        _order(a, left, right)
        _order(a, left + 1, left)
        i, j, pivot = left + 1, right, a[left]
        while True:
            i += 1
            while _key_of(a + i) < _key_of(&pivot):
                i += 1
            j -= 1
            while _key_of(a + j) > _key_of(&pivot):
                j -= 1
            if j < i:
                break
            _exchange(a, i, j)
        _exchange(a, left, j)
        if j <= k:
            left = i
        if j >= k:
            right = j - 1
    if right == left + 1:
        _order(a, left, right)


cdef int64_t partitioned_index(char* items, Py_ssize_t n, Py_ssize_t k, bint wide) noexcept nogil:
    if wide:
        _partition(<WideItem*>items, n, k)
    else:
        _partition(<uint64_t*>items, n, k)
    return item_index(items, k, wide)


cdef inline Py_ssize_t _keep_up_to(item_t* a, Py_ssize_t n, const item_t* last) noexcept nogil:
    # moves the items that are not after `last` to the front
    cdef Py_ssize_t i, kept = 0
    cdef bint keep
    for i in range(n):
        if item_t is WideItem:
            keep = a[i].key < last.key or a[i].key == last.key and a[i].index <= last.index
        else:
            keep = a[i] <= last[0]
        a[kept] = a[i]
        kept += keep
    return kept


cdef simd _any_before(const item_t* a, Py_ssize_t n, uint64_t key, bint* result) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint64_t before = 0
    for i in range(n):
        before |= _key_of(a + i) < key
    result[0] = before != 0


cdef inline void _best(const char* x, Py_ssize_t n, Py_ssize_t k, int dtype, bint descending,
                       item_t* items, item_t* scratch, bint wide) noexcept nogil:
    cdef Py_ssize_t start = 0, count = 0, added, c, i, size = itemsizes[dtype]
    cdef uint64_t key
    cdef item_t* block
    cdef item_t last
    cdef bint full = False, better = True
    while start < n:
        c = n - start if n - start < BLOCK else BLOCK
        block = items + count
        make_items(x + start * size, c, dtype, descending, <char*>block, wide)
        added = c
        if full:
            key = _key_of(&last)
            _any_before(block, c, key, &better)
            added = 0
            if better:
                for i in range(c):
                    block[added] = block[i]
                    added += _key_of(block + i) < key
        for i in range(added):
            if item_t is WideItem:
                block[i].index += start
            else:
                block[i] += start
        count += added
        start += c
        if count > 4 * k + BLOCK // 2 or start >= n and count > k or not full and count > k:
            last = _select(items, scratch, count, k - 1)
            count = _keep_up_to(items, count, &last)
            full = True


cdef void best_items(const char* x, Py_ssize_t n, Py_ssize_t k, int dtype, bint descending,
                     char* items, char* scratch, bint wide) noexcept nogil:
    if wide:
        _best(x, n, k, dtype, descending, <WideItem*>items, <WideItem*>scratch, wide)
    else:
        _best(x, n, k, dtype, descending, <uint64_t*>items, <uint64_t*>scratch, wide)


# -- gathering ------------------------------------------------------------------------------------

cdef inline void _gather(const Unsigned* x, const char* items, bint wide, Unsigned* out,
                         Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    if wide:
        for i in range(n):
            out[i] = x[(<const WideItem*>items)[i].index]
    else:
        for i in range(n):
            out[i] = x[(<const uint64_t*>items)[i] & 0xffffffffULL]


cdef void gather_items(const char* x, int itemsize, const char* items, bint wide, char* out,
                       Py_ssize_t n) noexcept nogil:
    if itemsize == 1:
        _gather(<const uint8_t*>x, items, wide, <uint8_t*>out, n)
    elif itemsize == 2:
        _gather(<const uint16_t*>x, items, wide, <uint16_t*>out, n)
    elif itemsize == 4:
        _gather(<const uint32_t*>x, items, wide, <uint32_t*>out, n)
    else:
        _gather(<const uint64_t*>x, items, wide, <uint64_t*>out, n)
