"""Correlation by register tiles (tiles.pyx).

Note [No im2col]
For one image, the columns of the product are the output positions and its inner dimension runs over
(channel, taps). Writing out that whole matrix (im2col) costs as much memory traffic as the product
itself. But its rows overlap: those of vertically neighbouring taps are the same values one line
further. So a block of lines is copied once for each *horizontal* tap,

    block[channel, depth tap, width tap, line, column]

with the padding as zeros, and the row of a tap begins at an offset: the tiles read straight through
the table of offsets. When the step is not 1, lines are sorted by their phase (line mod step), or
copied once for each vertical tap, whichever is less.

Work is cut into tasks (image, group, output plane, block of lines) that share the packed weights
and write disjoint outputs; threads take ranges of tasks.
"""

from libc.limits cimport INT_MAX
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from cython.parallel cimport prange

from minitorch.core.dtype cimport Float32, Float64
from minitorch.kernels.convolution cimport (
    CONV_NO_DTYPE, CONV_NO_MEMORY, CONV_OK, CONV_TOO_LARGE,
)
from minitorch.kernels.parallel cimport threads_for
from minitorch.kernels.tiles cimport (
    LINE_VECTORS, TILE_ROWS, TILE_SLACK, TILE_VECTORS, Tile32, Tile64, Tiles, tiles32, tiles64,
)

ctypedef fused Real:
    float
    double

cdef enum:
    BLOCK_BYTES = 384 << 10    # of a block: it stays in the second-level cache
    INNER = 512                # terms summed before the next rows: their weights stay in the first


# What all tasks of one correlation share
cdef struct Plan:
    Py_ssize_t lines           # output lines of a full block
    Py_ssize_t blocks          # per plane
    Py_ssize_t block_lines     # lines in memory: one for each needed input line
    Py_ssize_t inner           # channels * taps
    int* offsets               # [inner]: where the row of a term begins in the block
    Py_ssize_t* line           # [block_lines]: its input line, from the block's first
    void* weights              # [group][rows / tile_rows][inner][tile_rows]
    int tile_rows              # 8, or 1 for very few rows
    Py_ssize_t panels          # per group
    Py_ssize_t block_size      # elements


# -- the plan -------------------------------------------------------------------------------------

cdef int _lay_out(const Correlation* c, Plan* p, Py_ssize_t itemsize, int parts) noexcept nogil:
    """Block height, offsets and line table."""
    cdef const Axis* h = &c.axis[1]
    cdef Py_ssize_t low, span, t, per_tap, per_phase, size, line_size, phases, i, k
    cdef Py_ssize_t tasks = c.batch * c.groups * c.axis[0].n_out
    cdef Py_ssize_t ch, td, tw
    cdef bint by_phase
    low = h.shift[0] if h.taps > 0 else 0
    span = low
    for t in range(h.taps):
        low = h.shift[t] if h.shift[t] < low else low
        span = h.shift[t] if h.shift[t] > span else span
    span -= low
    p.inner = c.channels * c.axis[0].taps * h.taps * c.axis[2].taps
    line_size = c.channels * c.axis[0].taps * c.axis[2].taps * c.axis[2].n_out
    # as many lines as fit, at least one, and few enough that every thread gets a task
    p.lines = h.n_out
    while True:
        phases = h.step
        per_phase = phases * (p.lines + span // h.step)
        per_tap = h.taps * p.lines
        by_phase = per_phase <= per_tap
        p.block_lines = per_phase if by_phase else per_tap
        size = p.block_lines * line_size
        p.blocks = (h.n_out + p.lines - 1) // p.lines
        if p.lines == 1 or (size * itemsize <= BLOCK_BYTES and tasks * p.blocks >= parts):
            break
        p.lines = (p.lines + 1) // 2
    if size > INT_MAX - TILE_SLACK:
        return CONV_TOO_LARGE
    p.block_size = size + TILE_SLACK
    p.offsets = <int*>malloc(p.inner * sizeof(int) + 1)
    p.line = <Py_ssize_t*>malloc(p.block_lines * sizeof(Py_ssize_t) + 1)
    if p.offsets == NULL or p.line == NULL:
        return CONV_NO_MEMORY
    if by_phase:
        size = p.lines + span // h.step
        for i in range(p.block_lines):
            p.line[i] = (i % size) * h.step + i // size + low
    else:
        for i in range(p.block_lines):
            p.line[i] = (i % p.lines) * h.step + h.shift[i // p.lines]
    k = 0
    line_size = p.block_lines * c.axis[2].n_out
    for ch in range(c.channels):
        for td in range(c.axis[0].taps):
            for t in range(h.taps):
                if by_phase:
                    i = (h.shift[t] - low) % h.step * (p.lines + span // h.step)
                    i += (h.shift[t] - low) // h.step
                else:
                    i = t * p.lines
                for tw in range(c.axis[2].taps):
                    p.offsets[k] = <int>(
                        ((ch * c.axis[0].taps + td) * c.axis[2].taps + tw) * line_size
                        + i * c.axis[2].n_out)
                    k += 1
    return CONV_OK


cdef int _pack_weights(Real* tag, const Correlation* c, Plan* p) noexcept nogil:
    cdef const Axis* d = &c.axis[0]
    cdef const Axis* h = &c.axis[1]
    cdef const Axis* w = &c.axis[2]
    cdef Real* out
    cdef const Real* source
    cdef Py_ssize_t g, panel, row, i, ch, td, th, tw
    p.tile_rows = 1 if c.rows <= 2 else TILE_ROWS
    p.panels = (c.rows + p.tile_rows - 1) // p.tile_rows
    out = <Real*>malloc(c.groups * p.panels * p.inner * p.tile_rows * sizeof(Real) + 1)
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

cdef inline void _copy_line(Real* dst, const Real* src, Py_ssize_t n_out, Py_ssize_t step,
                            Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    """dst[j] = src[j * step] for j in [low, high), else 0."""
    cdef Py_ssize_t j
    for j in range(low):
        dst[j] = 0
    if step == 1:
        if high - low >= 64:
            memcpy(dst + low, src + low, (high - low) * sizeof(Real))
        else:
            for j in range(low, high):
                dst[j] = src[j]
    else:
        for j in range(low, high):
            dst[j] = src[j * step]
    for j in range(high, n_out):
        dst[j] = 0


cdef void _fill_block(Real* tag, const Correlation* c, const Plan* p, const Real* x,
                      Py_ssize_t plane, Py_ssize_t first, Py_ssize_t lines,
                      Real* out) noexcept nogil:
    """The block of output lines [first, first + lines) of one output plane."""
    cdef const Axis* d = &c.axis[0]
    cdef const Axis* h = &c.axis[1]
    cdef const Axis* w = &c.axis[2]
    cdef Py_ssize_t ch, td, tw, i, at, low, high, n = w.n_out
    cdef Py_ssize_t start = first * h.step
    cdef const Real* source
    for ch in range(c.channels):
        for td in range(d.taps):
            at = plane * d.step + d.shift[td]
            if at < 0 or at >= d.n_in:
                memset(out, 0, w.taps * p.block_lines * n * sizeof(Real))
                out += w.taps * p.block_lines * n
                continue
            source = x + ch * c.x_channel + at * c.x_size[0]
            for tw in range(w.taps):
                # columns whose input lies inside: 0 <= j * step + shift < n_in
                low = 0 if w.shift[tw] >= 0 else (-w.shift[tw] + w.step - 1) // w.step
                high = w.n_in - w.shift[tw]
                high = (high + w.step - 1) // w.step if high > 0 else 0
                low = low if low < n else n
                high = high if high < n else n
                high = high if high > low else low
                for i in range(p.block_lines):
                    at = start + p.line[i]
                    if at < 0 or at >= h.n_in or high == low:
                        memset(out, 0, n * sizeof(Real))
                    else:
                        _copy_line(out, source + at * c.x_size[1] + w.shift[tw], n, w.step, low,
                                   high)
                    out += n


cdef inline void _call(Tiles* t, int vectors, Py_ssize_t n, const Real* a, const Real* b,
                       const int* offsets, Real* y, Py_ssize_t ldy, const Real* start) noexcept nogil:
    cdef void* tile = t.tile[vectors] if vectors > 0 else t.line
    if Real is float:
        (<Tile32>tile)(n, a, b, offsets, y, ldy, start)
    else:
        (<Tile64>tile)(n, a, b, offsets, y, ldy, start)


cdef void _store(const Correlation* c, const Real* tile, Py_ssize_t ldt, Real* y, Py_ssize_t rows,
                 Py_ssize_t first, Py_ssize_t count, bint load) noexcept nogil:
    """Columns [first, first + count) of the block between a tile in a buffer and the output."""
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
    """All rows for one block; y is its first output."""
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
        n = p.inner - k if p.inner - k < INNER else INNER
        for panel in range(p.panels):
            rows = c.rows - panel * p.tile_rows
            rows = rows if rows < p.tile_rows else p.tile_rows
            a = weights + (panel * p.inner + k) * p.tile_rows
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
                    _call(t, vectors, n, a, block + j, p.offsets + k,
                          y + panel * p.tile_rows * c.y_channel + j, c.y_channel, begin)
                else:
                    if begin == NULL:
                        _store(c, buffer, width, y + panel * p.tile_rows * c.y_channel, rows, j,
                               count, True)
                    _call(t, vectors, n, a, block + j, p.offsets + k, buffer, width, begin)
                    _store(c, buffer, width, y + panel * p.tile_rows * c.y_channel, rows, j, count,
                           False)
                j += width
        k += n
        if k >= p.inner:
            return


cdef int _tasks(Real* tag, const Correlation* c, const Plan* p, Py_ssize_t low,
                Py_ssize_t high) noexcept nogil:
    cdef Real* block = <Real*>malloc(p.block_size * sizeof(Real))
    cdef Py_ssize_t task, b, plane, g, image, first, lines
    cdef const Real* bias
    cdef Real* y
    if block == NULL:
        return CONV_NO_MEMORY
    # whole vectors are read beyond the last line; what they hold is dropped but has to be there
    memset(block + p.block_size - TILE_SLACK, 0, TILE_SLACK * sizeof(Real))
    for task in range(low, high):
        b = task % p.blocks
        plane = task // p.blocks % c.axis[0].n_out
        g = task // (p.blocks * c.axis[0].n_out) % c.groups
        image = task // (p.blocks * c.axis[0].n_out * c.groups)
        first = b * p.lines
        lines = c.axis[1].n_out - first if c.axis[1].n_out - first < p.lines else p.lines
        _fill_block(tag, c, p, <const Real*>c.x + image * c.x_image + g * c.channels * c.x_channel,
                    plane, first, lines, block)
        bias = NULL if c.bias == NULL else <const Real*>c.bias + g * c.rows
        y = <Real*>c.y + image * c.y_image + g * c.rows * c.y_channel
        y += plane * c.y_size[0] + first * c.y_size[1]
        _multiply(tag, c, p, <Real*>p.weights + g * p.panels * p.inner * p.tile_rows, block, bias,
                  y, lines)
    free(block)
    return CONV_OK


cdef int _run(Real* tag, const Correlation* c) noexcept nogil:
    cdef Plan p
    cdef double work
    cdef int status, part, parts
    cdef Py_ssize_t tasks
    p.offsets = NULL
    p.line = NULL
    p.weights = NULL
    # 40 multiplications and 8 elements of the block a nanosecond
    work = <double>c.batch * c.groups * c.axis[0].n_out * c.axis[1].n_out * c.axis[2].n_out
    work *= <double>c.channels * c.axis[0].taps * c.axis[1].taps * c.axis[2].taps
    work = work * c.rows / 40 + work / 8
    parts = threads_for(<Py_ssize_t>work if work < 1e15 else <Py_ssize_t>1e15)
    status = _lay_out(c, &p, sizeof(Real), parts)
    if status == CONV_OK:
        status = _pack_weights(tag, c, &p)
    if status == CONV_OK:
        tasks = c.batch * c.groups * c.axis[0].n_out * p.blocks
        parts = parts if parts < tasks else <int>tasks
        if parts <= 1:
            status = _tasks(tag, c, &p, 0, tasks)
        else:
            for part in prange(parts, num_threads=parts, schedule="static"):
                status |= _tasks(tag, c, &p, tasks * part // parts, tasks * (part + 1) // parts)
    free(p.offsets)
    free(p.line)
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
