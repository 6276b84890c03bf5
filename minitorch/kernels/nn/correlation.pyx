"""Correlation by register tiles (tiles.pyx).

The work is divided into tasks (image, group, output plane, block of lines: conv_block.pyx) that share the packed
weights and write disjoint outputs; each thread takes a range of tasks.
"""

from libc.stdlib cimport calloc, free, malloc

from cython.parallel cimport prange

from minitorch.core.dtype cimport Float32, Float64
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.linalg.tile_types cimport (
    LINE_VECTORS, TILE_ROWS, TILE_VECTORS, Dots32, Dots64, Tile32, Tile64, Tiles,
)
from minitorch.kernels.linalg.tiles cimport tiles32, tiles64
from minitorch.kernels.nn.conv_block cimport Axis, Block, Blocks, block_of, fill_block, free_blocks, lay_out, new_block
from minitorch.kernels.nn.conv_shape cimport CONV_NO_DTYPE, CONV_NO_MEMORY, CONV_OK

cdef enum:
    INNER = 2048                # terms summed before the next rows, so that their weights stay in the cache


# Shared by all tasks of one correlation
cdef struct Plan:
    Blocks blocks
    void* weights              # [group][panel][inner][tile_rows]
    int tile_rows              # 8, or 1 for very few rows
    Py_ssize_t panels          # per group


cdef int _pack_weights(Real* tag, const Correlation* c, Plan* p) noexcept nogil:
    cdef const Axis* d = &c.axis[0]
    cdef const Axis* h = &c.axis[1]
    cdef const Axis* w = &c.axis[2]
    cdef Real* out
    cdef const Real* source
    cdef Py_ssize_t g, panel, row, i, ch, td, th, tw
    p.tile_rows = 1 if c.rows <= 2 else TILE_ROWS
    p.panels = (c.rows + p.tile_rows - 1) // p.tile_rows
    out = <Real*>malloc(c.groups * p.panels * p.blocks.inner * p.tile_rows * sizeof(Real) + 1)
    p.weights = out
    if out == NULL:
        return CONV_NO_MEMORY
    for g in range(c.groups):
        for panel in range(p.panels):
            for ch in range(c.channels):
                for td in range(d.taps):
                    for th in range(h.taps):
                        for tw in range(w.taps):
                            source = (<const Real*>c.w + g * c.w_group + ch * c.w_channel
                                      + (d.tap[td] * c.kernel[1] + h.tap[th]) * c.kernel[2]
                                      + w.tap[tw])
                            for i in range(p.tile_rows):
                                row = panel * p.tile_rows + i
                                out[i] = source[row * c.w_row] if row < c.rows else 0
                            out += p.tile_rows
    return CONV_OK


# -- one task -------------------------------------------------------------------------------------

cdef inline void _call(Tiles* t, int vectors, Py_ssize_t n, const Real* a, const Real* b,
                       const int* offsets, Real* y, Py_ssize_t ldy,
                       const Real* start) noexcept nogil:
    cdef void* tile = t.tile[vectors] if vectors > 0 else t.line[LINE_VECTORS]
    if Real is float:
        (<Tile32>tile)(n, a, b, offsets, y, ldy, start)
    else:
        (<Tile64>tile)(n, a, b, offsets, y, ldy, start)


cdef void _store(const Correlation* c, const Real* tile, Py_ssize_t ldt, Real* y, Py_ssize_t rows,
                 Py_ssize_t first, Py_ssize_t count, bint load) noexcept nogil:
    """Copy the columns [first, first + count) of a block from a tile buffer to the output, or back with `load`."""
    cdef Py_ssize_t i, j, line, column, n = c.axis[2].n_out
    cdef Real* target
    cdef Real* source
    for i in range(rows):
        source = <Real*>tile + i * ldt
        line = first // n
        column = first - line * n
        target = y + i * c.y_channel + line * c.y_size[1]
        for j in range(count):
            if load:
                source[j] = target[column * c.y_size[2]]
            else:
                target[column * c.y_size[2]] = source[j]
            column += 1
            if column == n:
                column = 0
                target += c.y_size[1]


cdef void _multiply(Real* tag, const Correlation* c, const Plan* p, const Real* weights,
                    const Real* block, const Real* bias, Real* y, Py_ssize_t lines) noexcept nogil:
    """Compute all rows for one block; y is its first output."""
    cdef Tiles* t
    cdef Real start[TILE_ROWS]
    cdef Real buffer[TILE_ROWS * 64]
    cdef Py_ssize_t size = lines * c.axis[2].n_out, panel, rows, j, k, n, width, count, i
    cdef bint dense = c.y_size[2] == 1 and (lines == 1 or c.y_size[1] == c.axis[2].n_out)
    cdef int vectors
    cdef const Real* a
    cdef const Real* begin
    if Real is float:
        t = &tiles32
    else:
        t = &tiles64
    for i in range(TILE_ROWS):
        start[i] = 0
    k = 0
    while True:
        n = p.blocks.inner - k if p.blocks.inner - k < INNER else INNER
        for panel in range(p.panels):
            rows = c.rows - panel * p.tile_rows
            rows = rows if rows < p.tile_rows else p.tile_rows
            a = weights + (panel * p.blocks.inner + k) * p.tile_rows
            if bias != NULL:
                for i in range(rows):
                    start[i] = bias[panel * p.tile_rows + i]
            begin = start if k == 0 else NULL
            j = 0
            while j < size:
                if p.tile_rows == 1:
                    vectors = 0
                    width = LINE_VECTORS * t.lanes
                else:
                    vectors = <int>((size - j + t.lanes - 1) // t.lanes)
                    vectors = vectors if vectors < TILE_VECTORS else TILE_VECTORS
                    width = vectors * t.lanes
                count = size - j if size - j < width else width
                if dense and count == width and rows == p.tile_rows:
                    _call(t, vectors, n, a, block + j, p.blocks.offsets + k,
                          y + panel * p.tile_rows * c.y_channel + j, c.y_channel, begin)
                else:
                    if begin == NULL:
                        _store(c, buffer, width, y + panel * p.tile_rows * c.y_channel, rows, j,
                               count, True)
                    _call(t, vectors, n, a, block + j, p.blocks.offsets + k, buffer, width, begin)
                    _store(c, buffer, width, y + panel * p.tile_rows * c.y_channel, rows, j, count,
                           False)
                j += width
        k += n
        if k >= p.blocks.inner:
            return


cdef int _tasks(Real* tag, const Correlation* c, const Plan* p, Py_ssize_t low,
                Py_ssize_t high) noexcept nogil:
    cdef Real* block = new_block(tag, &p.blocks)
    cdef Py_ssize_t task
    cdef Block b
    cdef const Real* bias
    cdef const Real* weights
    cdef Real* y
    if block == NULL:
        return CONV_NO_MEMORY
    for task in range(low, high):
        b = block_of(c, &p.blocks, task)
        fill_block(c, &p.blocks, &b, block)
        bias = NULL if c.bias == NULL else <const Real*>c.bias + b.group * c.rows
        weights = <const Real*>p.weights + b.group * p.panels * p.blocks.inner * p.tile_rows
        y = _output(tag, c, &b)
        _multiply(tag, c, p, weights, block, bias, y, b.lines)
    free(block)
    return CONV_OK


cdef inline Real* _output(Real* tag, const Correlation* c, const Block* b) noexcept nogil:
    return (<Real*>c.y + b.image * c.y_image + b.group * c.rows * c.y_channel
            + b.plane * c.y_size[0] + b.first * c.y_size[1])


cdef int _parts(const Correlation* c) noexcept nogil:
    """Return the number of threads; 40 multiplications or 8 elements of a block take a nanosecond."""
    cdef double work = <double>c.batch * c.groups
    work *= c.axis[0].n_out * c.axis[1].n_out * c.axis[2].n_out
    work *= <double>c.channels * c.axis[0].taps * c.axis[1].taps * c.axis[2].taps
    work = work * c.rows / 40 + work / 8
    return threads_for(<Py_ssize_t>(work if work < 1e15 else 1e15))


cdef int _run(Real* tag, const Correlation* c) noexcept nogil:
    cdef Plan p
    cdef int status, part, parts = _parts(c)
    cdef Py_ssize_t tasks
    p.weights = NULL
    status = lay_out(c, sizeof(Real), parts, &p.blocks)
    if status == CONV_OK:
        status = _pack_weights(tag, c, &p)
    if status == CONV_OK:
        tasks = p.blocks.tasks
        parts = parts if parts < tasks else <int>tasks
        if parts <= 1:
            status = _tasks(tag, c, &p, 0, tasks)
        else:
            for part in prange(parts, num_threads=parts, schedule="static"):
                status |= _tasks(tag, c, &p, tasks * part // parts, tasks * (part + 1) // parts)
    free_blocks(&p.blocks)
    free(p.weights)
    return status


cdef int correlate(int dtype, const Correlation* c) noexcept nogil:
    cdef int d
    if c.batch == 0 or c.rows == 0 or c.groups == 0:
        return CONV_OK
    for d in range(3):
        if c.axis[d].n_out == 0:
            return CONV_OK
    if dtype == Float32:
        return _run(<float*>NULL, c)
    if dtype == Float64:
        return _run(<double*>NULL, c)
    return CONV_NO_DTYPE


# -- sums for the weight --------------------------------------------------------------------------

cdef inline void _dots(Py_ssize_t n, const Real* a, const Real* b, const int* offsets, int count,
                       Real* out) noexcept nogil:
    """Add to `count` sums; tiles handle whole vectors, the remainder is added here."""
    cdef Py_ssize_t whole, j
    cdef int k
    if Real is float:
        whole = n - n % tiles32.lanes
        (<Dots32>(tiles32.dots8 if count == 8 else tiles32.dots1))(whole, a, b, offsets, out)
    else:
        whole = n - n % tiles64.lanes
        (<Dots64>(tiles64.dots8 if count == 8 else tiles64.dots1))(whole, a, b, offsets, out)
    for j in range(whole, n):
        for k in range(count):
            out[k] += a[j] * b[offsets[k] + j]


cdef int _weight_tasks(Real* tag, const Correlation* c, const Blocks* blocks, Py_ssize_t low,
                       Py_ssize_t high, Real* sums) noexcept nogil:
    cdef Real* block = new_block(tag, blocks)
    cdef Py_ssize_t task, _row, k
    cdef int count
    cdef Block b
    cdef const Real* y
    cdef Real* out
    if block == NULL:
        return CONV_NO_MEMORY
    for task in range(low, high):
        b = block_of(c, blocks, task)
        fill_block(c, blocks, &b, block)
        y = _output(tag, c, &b)
        out = sums + b.group * c.rows * blocks.inner
        for _row in range(c.rows):
            k = 0
            while k < blocks.inner:
                count = 8 if blocks.inner - k >= 8 else 1
                _dots(b.lines * c.axis[2].n_out, y, block, blocks.offsets + k, count, out + k)
                k += count
            y += c.y_channel
            out += blocks.inner
    free(block)
    return CONV_OK


cdef int _run_weight(Real* tag, const Correlation* c, Real* gw) noexcept nogil:
    cdef Blocks blocks
    cdef Real* sums = NULL
    cdef Py_ssize_t tasks, size, i
    cdef int part, parts = _parts(c), status = lay_out(c, sizeof(Real), parts, &blocks)
    if status == CONV_OK:
        tasks = blocks.tasks
        parts = parts if parts < tasks else <int>tasks
        parts = parts if parts > 1 else 1
        size = c.groups * c.rows * blocks.inner
        sums = <Real*>calloc(parts * size, sizeof(Real))
        status = CONV_OK if sums != NULL else CONV_NO_MEMORY
    if status == CONV_OK:
        if parts == 1:
            status = _weight_tasks(tag, c, &blocks, 0, tasks, sums)
        else:
            for part in prange(parts, num_threads=parts, schedule="static"):
                status |= _weight_tasks(tag, c, &blocks, tasks * part // parts,
                                        tasks * (part + 1) // parts, sums + part * size)
        for part in range(parts):
            for i in range(size):
                gw[i] += sums[part * size + i]
    free(sums)
    free_blocks(&blocks)
    return status


cdef int correlate_weight(int dtype, const Correlation* c, char* gw) noexcept nogil:
    if dtype == Float32:
        return _run_weight(<float*>NULL, c, <float*>gw)
    return _run_weight(<double*>NULL, c, <double*>gw)
