"""Four ways to walk over a bound TensorIterator, and the choice between them.

A call of an inner loop costs about 15 ns before its first element, so its rows should not be short:

- `_for_range`: one call for each row of the fastest dimension; the way of everything else;
- `_for_tiles`: short rows that follow each other in memory, beside operands that are broadcast:
  these are written out for some rows, and one call does all of them;
- `_for_short_rows`: other short rows; the loop runs along the next dimension.

Invariants
----------
- each call gets a scratch copy of the pointers: some of NumPy's loops advance them.
- nothing here holds the GIL, allocates or fails.
"""

from cython.parallel cimport prange
from libc.string cimport memcpy

from minitorch.core.iterator cimport MAX_DIMS, MAX_OPERANDS, Loop, TensorIterator, bind_flat

cdef enum:
    SHORT_ROW = 32                      # elements up to which rows are walked across
    TILED_ROW = 256                     # elements up to which a row is repeated in a tile
    TILE_BYTES = 8192
    MAX_TILES = 3


# ---- rows

cdef void _for_range(TensorIterator* self, Loop loop, void* data,
                     Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t[MAX_DIMS] index
    cdef char* row[MAX_OPERANDS]
    cdef char* args[MAX_OPERANDS]
    cdef Py_ssize_t[MAX_OPERANDS] steps
    cdef int noperands = self.ninputs + 1, operand, d
    cdef Py_ssize_t rest = begin, n
    for operand in range(noperands):
        row[operand] = self.data[operand]
        steps[operand] = self.strides[operand][0]
    for d in range(self.ndim):
        index[d] = rest % self.sizes[d]
        rest //= self.sizes[d]
        for operand in range(noperands):
            row[operand] += index[d] * self.strides[operand][d]
    while True:
        n = self.sizes[0] - index[0]
        if n > end - begin:
            n = end - begin
        for operand in range(noperands):
            args[operand] = row[operand]
        loop(args, &n, steps, data)
        begin += n
        if begin >= end:
            return
        if index[0]:
            for operand in range(noperands):
                row[operand] -= index[0] * steps[operand]
            index[0] = 0
        for d in range(1, self.ndim):
            index[d] += 1
            for operand in range(noperands):
                row[operand] += self.strides[operand][d]
            if index[d] < self.sizes[d]:
                break
            for operand in range(noperands):
                row[operand] -= self.sizes[d] * self.strides[operand][d]
            index[d] = 0


# ---- tiles

cdef enum OperandKind:
    IN_MEMORY = 0                       # a row follows the row before
    REPEATED = 1                        # every row is the same one: a bias
    SPREAD = 2                          # one value for each row: a mean


cdef bint _plan_tiles(TensorIterator* self, int* kind) noexcept nogil:
    """Return whether rows can be joined by writing out broadcast operands; find the kind of each operand."""
    cdef int operand, tiles = 0
    cdef Py_ssize_t row = self.sizes[0], fast, slow, item
    if self.ndim < 2 or row > TILED_ROW or self.sizes[1] < 4:
        return False
    for operand in range(self.ninputs + 1):
        fast = self.strides[operand][0]
        slow = self.strides[operand][1]
        item = self.itemsize[operand]
        if slow == row * fast:
            kind[operand] = IN_MEMORY
            continue
        if operand == self.ninputs:
            return False
        if slow == 0 and fast == item:
            kind[operand] = REPEATED
        elif fast == 0 and row <= SHORT_ROW:
            kind[operand] = SPREAD
        else:
            return False
        tiles += 1
        if tiles > MAX_TILES or row * item * 4 > TILE_BYTES:
            return False
    return tiles > 0


cdef void _repeat(char* tile, const char* row, Py_ssize_t nbytes, Py_ssize_t rows) noexcept nogil:
    """Write the row `rows` times."""
    cdef Py_ssize_t done = nbytes, total = nbytes * rows, n
    memcpy(tile, row, nbytes)
    while done < total:
        n = min(done, total - done)
        memcpy(tile + done, tile, n)
        done += n


ctypedef fused Element:
    unsigned char
    unsigned short
    unsigned int
    unsigned long long


cdef void _spread_elements(Element* tile, const char* value, Py_ssize_t stride, Py_ssize_t row,
                           Py_ssize_t rows) noexcept nogil:
    cdef Py_ssize_t i, k
    cdef Element x
    for i in range(rows):
        x = (<const Element*>(value + i * stride))[0]
        for k in range(row):
            tile[k] = x
        tile += row


cdef void _spread(char* tile, const char* value, Py_ssize_t stride, Py_ssize_t item, Py_ssize_t row,
                  Py_ssize_t rows) noexcept nogil:
    """Write each of `rows` values `row` times."""
    cdef Py_ssize_t i
    if item == 4:
        _spread_elements(<unsigned int*>tile, value, stride, row, rows)
    elif item == 8:
        _spread_elements(<unsigned long long*>tile, value, stride, row, rows)
    elif item == 2:
        _spread_elements(<unsigned short*>tile, value, stride, row, rows)
    elif item == 1:
        _spread_elements(<unsigned char*>tile, value, stride, row, rows)
    else:
        for i in range(rows):
            _repeat(tile + i * row * item, value + i * stride, item, row)


cdef void _for_tiles(TensorIterator* self, Loop loop, void* data, const int* kind,
                     Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """The rows begin to end, counted over all dimensions but the fastest."""
    cdef char[MAX_TILES][TILE_BYTES] tiles
    cdef Py_ssize_t[MAX_DIMS] index
    cdef char* corner[MAX_OPERANDS]
    cdef char* args[MAX_OPERANDS]
    cdef char* tile_of[MAX_OPERANDS]
    cdef char* tiled[MAX_OPERANDS]
    cdef Py_ssize_t[MAX_OPERANDS] steps
    cdef int noperands = self.ninputs + 1, operand, d, used = 0
    cdef Py_ssize_t row = self.sizes[0], rest = begin, rows, n, most = end - begin
    if most > self.sizes[1]:
        most = self.sizes[1]
    for operand in range(noperands):
        corner[operand] = self.data[operand]
        steps[operand] = self.strides[operand][0]
        if kind[operand] != IN_MEMORY:
            steps[operand] = self.itemsize[operand]
            tile_of[operand] = tiles[used]
            tiled[operand] = NULL
            used += 1
            if TILE_BYTES // (row * steps[operand]) < most:
                most = TILE_BYTES // (row * steps[operand])
    for d in range(1, self.ndim):
        index[d] = rest % self.sizes[d]
        rest //= self.sizes[d]
        for operand in range(noperands):
            corner[operand] += index[d] * self.strides[operand][d]
    while begin < end:
        rows = min(self.sizes[1] - index[1], min(end - begin, most))
        for operand in range(noperands):
            args[operand] = corner[operand]
            if kind[operand] == REPEATED:
                if tiled[operand] != corner[operand]:
                    _repeat(tile_of[operand], corner[operand], row * steps[operand], most)
                    tiled[operand] = corner[operand]
                args[operand] = tile_of[operand]
            elif kind[operand] == SPREAD:
                _spread(tile_of[operand], corner[operand], self.strides[operand][1], steps[operand],
                        row, rows)
                args[operand] = tile_of[operand]
        n = rows * row
        loop(args, &n, steps, data)
        begin += rows
        index[1] += rows
        for operand in range(noperands):
            corner[operand] += rows * self.strides[operand][1]
        if index[1] < self.sizes[1]:
            continue
        for operand in range(noperands):
            corner[operand] -= self.sizes[1] * self.strides[operand][1]
        index[1] = 0
        for d in range(2, self.ndim):
            index[d] += 1
            for operand in range(noperands):
                corner[operand] += self.strides[operand][d]
            if index[d] < self.sizes[d]:
                break
            for operand in range(noperands):
                corner[operand] -= self.sizes[d] * self.strides[operand][d]
            index[d] = 0


# ---- short rows

cdef void _for_short_rows(TensorIterator* self, Loop loop, void* data,
                          Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """The rows begin to end, counted over all dimensions but the fastest."""
    cdef Py_ssize_t[MAX_DIMS] index
    cdef char* corner[MAX_OPERANDS]
    cdef char* args[MAX_OPERANDS]
    cdef Py_ssize_t[MAX_OPERANDS] steps
    cdef int noperands = self.ninputs + 1, operand, d
    cdef Py_ssize_t rest = begin, n, i, chunk = 2048 // self.sizes[0]
    for operand in range(noperands):
        corner[operand] = self.data[operand]
        steps[operand] = self.strides[operand][1]
    for d in range(1, self.ndim):
        index[d] = rest % self.sizes[d]
        rest //= self.sizes[d]
        for operand in range(noperands):
            corner[operand] += index[d] * self.strides[operand][d]
    while begin < end:
        n = min(self.sizes[1] - index[1], min(end - begin, chunk))
        for i in range(self.sizes[0]):
            for operand in range(noperands):
                args[operand] = corner[operand] + i * self.strides[operand][0]
            loop(args, &n, steps, data)
        begin += n
        index[1] += n
        for operand in range(noperands):
            corner[operand] += n * steps[operand]
        if index[1] < self.sizes[1]:
            continue
        for operand in range(noperands):
            corner[operand] -= self.sizes[1] * steps[operand]
        index[1] = 0
        for d in range(2, self.ndim):
            index[d] += 1
            for operand in range(noperands):
                corner[operand] += self.strides[operand][d]
            if index[d] < self.sizes[d]:
                break
            for operand in range(noperands):
                corner[operand] -= self.sizes[d] * self.strides[operand][d]
            index[d] = 0


# ---- the choice

cdef enum Way:
    ROWS = 0
    TILES = 1
    ACROSS = 2


cdef inline void _walk(TensorIterator* self, Loop loop, void* data, Way way, const int* kind,
                       Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    if way == ROWS:
        _for_range(self, loop, data, begin, end)
    elif way == TILES:
        _for_tiles(self, loop, data, kind, begin, end)
    else:
        _for_short_rows(self, loop, data, begin, end)


cdef void for_each(TensorIterator* self, Loop loop, void* data, int nthreads) noexcept nogil:
    cdef int[MAX_OPERANDS] kind
    cdef Py_ssize_t share, count = self.numel
    cdef int thread
    cdef Way way = ROWS
    if count == 0:
        return
    if self.ndim > 1:
        if _plan_tiles(self, kind):
            way = TILES
        elif self.sizes[0] <= SHORT_ROW and self.sizes[1] > self.sizes[0]:
            way = ACROSS
        if way != ROWS:
            count //= self.sizes[0]
    if nthreads <= 1 or count < nthreads:
        _walk(self, loop, data, way, kind, 0, count)
        return
    # multiples of 64 elements, so that no two threads write to one cache line of a dense result
    share = ((count + nthreads - 1) // nthreads + 63) // 64 * 64
    for thread in prange(nthreads, num_threads=nthreads, schedule="static", chunksize=1):
        if thread * share < count:
            _walk(self, loop, data, way, kind, thread * share, min(count, (thread + 1) * share))


cdef void for_each_flat(int noperands, Py_ssize_t n, char** args, const Py_ssize_t* steps,
                        Loop loop, void* data, int nthreads) noexcept nogil:
    cdef TensorIterator it
    bind_flat(&it, noperands, n, args, steps)
    for_each(&it, loop, data, nthreads)
