"""Select and sort items so that equal ones come out in PyTorch's order.

Note [The order of equal elements]
PyTorch takes the k best of n by a heap of k elements if there are many more than k, and else by partitions about
pivots, after which the best k - 1 are sorted. Both steps are those of GNU's C++ library: quicksort with the median of
three as the pivot (Musser, "Introspective sorting and selection algorithms", 1997), heapsort (Floyd's, where a
hole sinks to a leaf before the new item rises) where the partitions become too deep, and insertion at the end. The
results differ from those of other algorithms only where elements are equal. So `topk` calls these functions, which
are slower than the selection of `sort_keys`, only if the selection has found equal elements.
"""

from libc.stdint cimport uint64_t

from minitorch.kernels.sorting.sort_keys cimport WideItem, item_key

ctypedef fused item_t:
    uint64_t
    WideItem

cdef enum:
    INSERTION = 16        # shorter ranges are sorted by insertion
    SELECTION = 3         # and this is so short that nothing is left to select
    MANY_TIMES = 64       # a heap is used from this multiple of k


cdef inline bint _before(item_t a, item_t b) noexcept nogil:
    if item_t is WideItem:
        return a.key < b.key
    return a >> 32 < b >> 32


cdef inline void _exchange(item_t* a, Py_ssize_t i, Py_ssize_t j) noexcept nogil:
    cdef item_t kept = a[i]
    a[i] = a[j]
    a[j] = kept


# ---- insertion

cdef void _insert(item_t* a, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, j
    cdef item_t item
    for i in range(1, n):
        item = a[i]
        j = i
        while j > 0 and _before(item, a[j - 1]):
            a[j] = a[j - 1]
            j -= 1
        a[j] = item


# ---- a heap, whose first item is the last in the order

cdef void _sink(item_t* a, Py_ssize_t hole, Py_ssize_t n, item_t item) noexcept nogil:
    """Move the larger child up into the hole until the hole is a leaf, and let `item` rise from there."""
    cdef Py_ssize_t top = hole, child = 2 * hole + 2
    while child < n:
        if _before(a[child], a[child - 1]):
            child -= 1
        a[hole] = a[child]
        hole = child
        child = 2 * hole + 2
    if child == n:
        a[hole] = a[n - 1]
        hole = n - 1
    while hole > top and _before(a[(hole - 1) // 2], item):
        a[hole] = a[(hole - 1) // 2]
        hole = (hole - 1) // 2
    a[hole] = item


cdef void _select_by_heap(item_t* a, Py_ssize_t n, Py_ssize_t k) noexcept nogil:
    cdef Py_ssize_t i
    cdef item_t item
    for i in range(k // 2 - 1, -1, -1):
        _sink(a, i, k, a[i])
    for i in range(k, n):
        if _before(a[i], a[0]):
            item = a[i]
            a[i] = a[0]
            _sink(a, 0, k, item)


cdef void _sort_heap(item_t* a, Py_ssize_t n) noexcept nogil:
    cdef item_t item
    while n > 1:
        n -= 1
        item = a[n]
        a[n] = a[0]
        _sink(a, 0, n, item)


# ---- partitions

cdef inline void _median_to_front(item_t* a, Py_ssize_t i, Py_ssize_t j, Py_ssize_t k) noexcept nogil:
    if _before(a[i], a[j]):
        _exchange(a, 0, j if _before(a[j], a[k]) else k if _before(a[i], a[k]) else i)
    else:
        _exchange(a, 0, i if _before(a[i], a[k]) else k if _before(a[j], a[k]) else j)


cdef Py_ssize_t _partition(item_t* a, Py_ssize_t n) noexcept nogil:
    """Return where the part of the items that are not before the pivot begins. The pivot is the first item."""
    cdef Py_ssize_t i = 1, j = n
    _median_to_front(a, 1, n // 2, n - 1)
    while True:
        while _before(a[i], a[0]):
            i += 1
        j -= 1
        while _before(a[0], a[j]):
            j -= 1
        if i >= j:
            return i
        _exchange(a, i, j)
        i += 1


cdef inline int _depth(Py_ssize_t n) noexcept nogil:
    cdef int depth = 0
    while n > 1:
        n //= 2
        depth += 2
    return depth


cdef void _sort_parts(item_t* a, Py_ssize_t n, int depth) noexcept nogil:
    """Sort but for insertions over short distances."""
    cdef Py_ssize_t cut
    while n > INSERTION:
        if depth == 0:
            _select_by_heap(a, n, n)
            _sort_heap(a, n)
            return
        depth -= 1
        cut = _partition(a, n)
        _sort_parts(a + cut, n - cut, depth)
        n = cut


cdef void _select(item_t* a, Py_ssize_t n, Py_ssize_t k) noexcept nogil:
    """Move the item of rank `k` (from 0) to its place, and those before it in front of it."""
    cdef Py_ssize_t cut
    cdef int depth = _depth(n)
    while n > SELECTION:
        if depth == 0:
            _select_by_heap(a, n, k + 1)
            _exchange(a, 0, k)
            return
        depth -= 1
        cut = _partition(a, n)
        if cut <= k:
            a += cut
            n -= cut
            k -= cut
        else:
            n = cut
    _insert(a, n)


cdef void _best(item_t* a, Py_ssize_t n, Py_ssize_t k) noexcept nogil:
    if k * MANY_TIMES <= n:
        _select_by_heap(a, n, k)
        _sort_heap(a, k)
    else:
        _select(a, n, k - 1)
        _sort_parts(a, k - 1, _depth(k - 1))
        _insert(a, k - 1)


cdef void best_with_ties(char* items, Py_ssize_t n, Py_ssize_t k, bint wide) noexcept nogil:
    if wide:
        _best(<WideItem*>items, n, k)
    else:
        _best(<uint64_t*>items, n, k)


cdef bint has_ties(const char* items, Py_ssize_t n, bint wide) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(1, n):
        if item_key(items, i, wide) == item_key(items, i - 1, wide):
            return True
    return False
