"""The gradient of a convolution with respect to its weight, by register tiles (tiles.pyx).

The product sums over output positions; its rows are output channels, its columns (tap, channel). A tile needs the
columns of one position adjacent in memory, so the input is transposed to channels-last,

    block[line, output column, tap, channel]

where the taps are the horizontal ones: a vertical tap reads the same block from another line on. If there are so
few columns that most of a vector would be empty (an image with one or three channels), the vertical taps are
written out, too. The grad_output is packed with eight channels interleaved.

Tasks are (image, group, output plane, block of lines). Every thread sums into a gradient of its own, in the
layout of the tiles; at the end these are added and transposed to the layout of the weight.
"""

from libc.limits cimport INT_MAX
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from cython.parallel cimport prange

from minitorch.core.dtype cimport Float32
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.linalg.tile_types cimport TILE_ROWS, TILE_SLACK, TILE_VECTORS, Tile32, Tile64
from minitorch.kernels.linalg.tiles cimport tiles32, tiles64
from minitorch.kernels.nn.conv_shape cimport CONV_NO_MEMORY, CONV_OK, CONV_TOO_LARGE

cdef enum:
    BLOCK_BYTES = 256 << 10
    FEW_COLUMNS = 32


cdef struct Plan:
    const ConvShape* s
    Py_ssize_t channels        # in each group
    Py_ssize_t rows
    Py_ssize_t panels          # of TILE_ROWS rows
    bint spread                # whether vertical taps are columns as well
    Py_ssize_t columns         # in one position of the block
    Py_ssize_t sums            # products with each block: one per depth tap and, unless spread, vertical tap
    Py_ssize_t width           # columns rounded up to whole vectors
    Py_ssize_t lines           # output lines of a block
    Py_ssize_t blocks
    Py_ssize_t block_lines     # input lines of a block
    int* offsets               # [lines * out columns]: where a position begins
    int lanes
    Py_ssize_t size            # elements of one thread's gradient


cdef int _lay_out(Plan* p, const ConvShape* s, Py_ssize_t itemsize, int lanes,
                  int parts) noexcept nogil:
    cdef Py_ssize_t size, i, n = s.out_size[2], tasks = s.batch * s.groups * s.out_size[0]
    cdef Py_ssize_t reach = (s.out_size[1] - 1) * s.stride[1] + (s.kernel[1] - 1) * s.dilation[1] + 1
    p.s = s
    p.lanes = lanes
    p.channels = s.in_channels // s.groups
    p.rows = s.out_channels // s.groups
    p.panels = (p.rows + TILE_ROWS - 1) // TILE_ROWS
    p.columns = s.kernel[2] * p.channels
    # the second condition: the lines are so far apart that most lines between them are not read
    p.spread = (p.columns < FEW_COLUMNS and s.kernel[1] > 1
                or reach > s.kernel[1] * s.out_size[1] + 2 * s.in_size[1])
    p.sums = s.kernel[0]
    if p.spread:
        p.columns *= s.kernel[1]
    else:
        p.sums *= s.kernel[1]
    p.width = (p.columns + lanes - 1) // lanes * lanes
    p.size = s.groups * p.sums * p.panels * TILE_ROWS * p.width
    p.lines = s.out_size[1]
    while True:
        p.block_lines = p.lines
        if not p.spread:
            p.block_lines = (p.lines - 1) * s.stride[1] + (s.kernel[1] - 1) * s.dilation[1] + 1
        size = p.block_lines * n * p.columns
        p.blocks = (s.out_size[1] + p.lines - 1) // p.lines
        if p.lines == 1 or (size * itemsize <= BLOCK_BYTES and tasks * p.blocks >= parts):
            break
        p.lines = (p.lines + 1) // 2
    if size > INT_MAX - TILE_SLACK:
        return CONV_TOO_LARGE
    p.offsets = <int*>malloc(p.lines * n * sizeof(int))
    if p.offsets == NULL:
        return CONV_NO_MEMORY
    for i in range(p.lines * n):
        size = i // n * (1 if p.spread else s.stride[1])
        p.offsets[i] = <int>((size * n + i % n) * p.columns)
    return CONV_OK


cdef void _turn(Real* tag, const Plan* p, const Real* line, Real* out) noexcept nogil:
    """Copy one line of all channels to channels-last."""
    cdef const ConvShape* s = p.s
    cdef Py_ssize_t i, c, n = s.in_size[2], channel = s.in_size[0] * s.in_size[1] * n
    if p.channels == 1:
        memcpy(out, line, n * sizeof(Real))
        return
    for c in range(p.channels):
        for i in range(n):
            out[i * p.channels + c] = line[i]
        line += channel


cdef void _spread_line(Real* tag, const Plan* p, const Real* turned, Real* out,
                       Py_ssize_t step) noexcept nogil:
    """Write the horizontal taps of every output column, `step` apart, from a channels-last line (NULL: zeros)."""
    cdef const ConvShape* s = p.s
    cdef Py_ssize_t j, t, i, at, whole = s.kernel[2] * p.channels
    for j in range(s.out_size[2]):
        at = j * s.stride[2] - s.padding[2]
        if turned == NULL:
            memset(out, 0, whole * sizeof(Real))
        elif s.dilation[2] == 1 and at >= 0 and at + s.kernel[2] <= s.in_size[2]:
            for i in range(whole):
                out[i] = turned[at * p.channels + i]
        else:
            for t in range(s.kernel[2]):
                i = at + t * s.dilation[2]
                if 0 <= i < s.in_size[2]:
                    memcpy(out + t * p.channels, turned + i * p.channels, p.channels * sizeof(Real))
                else:
                    memset(out + t * p.channels, 0, p.channels * sizeof(Real))
        out += step


cdef void _fill_block(Real* tag, const Plan* p, const Real* x, Py_ssize_t first, Py_ssize_t lines,
                      Real* turned, Real* block) noexcept nogil:
    """Fill a block from `x`, the input plane of the first channel."""
    cdef const ConvShape* s = p.s
    cdef Py_ssize_t i, t, at, n = s.out_size[2], taps = s.kernel[1] if p.spread else 1
    cdef Py_ssize_t line_columns = s.kernel[2] * p.channels
    cdef Py_ssize_t needed = lines
    cdef Real* source
    if not p.spread:
        needed = (lines - 1) * s.stride[1] + (s.kernel[1] - 1) * s.dilation[1] + 1
    for i in range(needed):
        for t in range(taps):
            if p.spread:
                at = (first + i) * s.stride[1] + t * s.dilation[1] - s.padding[1]
            else:
                at = first * s.stride[1] + i - s.padding[1]
            source = NULL
            if 0 <= at < s.in_size[1]:
                source = turned
                _turn(tag, p, x + at * s.in_size[2], turned)
            _spread_line(tag, p, source, block + i * n * p.columns + t * line_columns, p.columns)


cdef void _pack_rows(Real* tag, const Real* grad, Py_ssize_t channel, Py_ssize_t rows,
                     Py_ssize_t count, Real* out) noexcept nogil:
    """Interleave up to TILE_ROWS channels."""
    cdef Py_ssize_t i, q
    if rows == TILE_ROWS:
        for q in range(count):
            for i in range(TILE_ROWS):
                out[q * TILE_ROWS + i] = grad[i * channel + q]
        return
    memset(out, 0, count * TILE_ROWS * sizeof(Real))
    for i in range(rows):
        for q in range(count):
            out[q * TILE_ROWS + i] = grad[i * channel + q]


cdef inline void _call(int vectors, Py_ssize_t n, const Real* a, const Real* b,
                       const int* offsets, Real* y, Py_ssize_t ldy) noexcept nogil:
    if Real is float:
        (<Tile32>tiles32.tile[vectors])(n, a, b, offsets, y, ldy, NULL)
    else:
        (<Tile64>tiles64.tile[vectors])(n, a, b, offsets, y, ldy, NULL)


cdef void _task(Real* tag, const Plan* p, const Real* grad, const Real* x, Py_ssize_t task,
                Real* block, Real* turned, Real* packed, Real* out) noexcept nogil:
    cdef const ConvShape* s = p.s
    cdef Py_ssize_t b = task % p.blocks
    cdef Py_ssize_t plane = task // p.blocks % s.out_size[0]
    cdef Py_ssize_t g = task // (p.blocks * s.out_size[0]) % s.groups
    cdef Py_ssize_t image = task // (p.blocks * s.out_size[0] * s.groups)
    cdef Py_ssize_t first = b * p.lines
    cdef Py_ssize_t lines = s.out_size[1] - first if s.out_size[1] - first < p.lines else p.lines
    cdef Py_ssize_t n = s.out_size[2], count = lines * n, line_size = s.in_size[1] * s.in_size[2]
    cdef Py_ssize_t channel = s.out_size[0] * s.out_size[1] * n
    cdef Py_ssize_t td, th, at, panel, j, rows, vectors
    cdef Py_ssize_t taps = 1 if p.spread else s.kernel[1]
    cdef Real* target
    cdef const Real* begin
    out += g * p.sums * p.panels * TILE_ROWS * p.width
    grad += (image * s.out_channels + g * p.rows) * channel + (plane * s.out_size[1] + first) * n
    x += (image * s.in_channels + g * p.channels) * s.in_size[0] * line_size
    for panel in range(p.panels):
        rows = p.rows - panel * TILE_ROWS
        _pack_rows(tag, grad + panel * TILE_ROWS * channel, channel,
                   rows if rows < TILE_ROWS else TILE_ROWS, count,
                   packed + panel * count * TILE_ROWS)
    for td in range(s.kernel[0]):
        at = plane * s.stride[0] + td * s.dilation[0] - s.padding[0]
        if at < 0 or at >= s.in_size[0]:
            continue
        _fill_block(tag, p, x + at * line_size, first, lines, turned, block)
        for th in range(taps):
            begin = block + th * s.dilation[1] * n * p.columns
            for panel in range(p.panels):
                target = out + ((td * taps + th) * p.panels + panel) * TILE_ROWS * p.width
                j = 0
                while j < p.width:
                    vectors = (p.width - j) // p.lanes
                    vectors = vectors if vectors < TILE_VECTORS else TILE_VECTORS
                    _call(<int>vectors, count, packed + panel * count * TILE_ROWS, begin + j,
                          p.offsets, target + j, p.width)
                    j += vectors * p.lanes


cdef int _tasks(Real* tag, const Plan* p, const Real* grad, const Real* x, Py_ssize_t low,
                Py_ssize_t high, Real* out) noexcept nogil:
    cdef const ConvShape* s = p.s
    cdef Py_ssize_t block_size = p.block_lines * s.out_size[2] * p.columns + TILE_SLACK
    cdef Py_ssize_t turned_size = s.in_size[2] * p.channels
    cdef Py_ssize_t packed_size = p.lines * s.out_size[2] * p.panels * TILE_ROWS
    cdef Py_ssize_t task
    # zeros at first, since whole vectors are read past the last position
    cdef Real* block = <Real*>calloc(block_size + turned_size + packed_size, sizeof(Real))
    if block == NULL:
        return CONV_NO_MEMORY
    for task in range(low, high):
        _task(tag, p, grad, x, task, block, block + block_size, block + block_size + turned_size,
              out)
    free(block)
    return CONV_OK


cdef void _collect(Real* tag, const Plan* p, const Real* sums, Real* gw) noexcept nogil:
    """Add the gradient of one thread to the gradient of the weight."""
    cdef const ConvShape* s = p.s
    cdef Py_ssize_t g, row, c, td, th, tw, j, taps = s.kernel[1], low
    cdef const Real* source
    for g in range(s.groups):
        for row in range(p.rows):
            for c in range(p.channels):
                for td in range(s.kernel[0]):
                    for th in range(taps):
                        low = td if p.spread else td * taps + th
                        source = sums + (
                            ((g * p.sums + low) * p.panels + row // TILE_ROWS) * TILE_ROWS
                            + row % TILE_ROWS) * p.width
                        j = th * s.kernel[2] if p.spread else 0
                        for tw in range(s.kernel[2]):
                            gw[tw] += source[(j + tw) * p.channels + c]
                        gw += s.kernel[2]


cdef int _run(Real* tag, const ConvShape* s, const Real* grad, const Real* x,
              Real* gw) noexcept nogil:
    cdef Plan p
    cdef Real* sums = NULL
    cdef Py_ssize_t tasks
    cdef int status, part, parts
    cdef double work = <double>s.batch * s.out_channels * s.in_channels / s.groups / 40
    work *= s.kernel[0] * s.kernel[1] * s.kernel[2]
    work *= s.out_size[0] * s.out_size[1] * s.out_size[2]
    parts = threads_for(<Py_ssize_t>work if work < 1e15 else <Py_ssize_t>1e15)
    p.offsets = NULL
    if Real is float:
        status = _lay_out(&p, s, sizeof(Real), tiles32.lanes, parts)
    else:
        status = _lay_out(&p, s, sizeof(Real), tiles64.lanes, parts)
    if status == CONV_OK:
        tasks = s.batch * s.groups * s.out_size[0] * p.blocks
        parts = parts if parts < tasks else <int>tasks
        sums = <Real*>calloc(parts * p.size + TILE_SLACK, sizeof(Real))
        status = CONV_OK if sums != NULL else CONV_NO_MEMORY
    if status == CONV_OK:
        if parts <= 1:
            status = _tasks(tag, &p, grad, x, 0, tasks, sums)
        else:
            for part in prange(parts, num_threads=parts, schedule="static"):
                status |= _tasks(tag, &p, grad, x, tasks * part // parts,
                                 tasks * (part + 1) // parts, sums + part * p.size)
        for part in range(parts):
            _collect(tag, &p, sums + part * p.size, gw)
    free(sums)
    free(p.offsets)
    return status


cdef int weight_gradient(int dtype, const ConvShape* s, const char* grad_output,
                         const char* input_, char* grad_weight) noexcept nogil:
    if dtype == Float32:
        return _run(<float*>NULL, s, <const float*>grad_output, <const float*>input_,
                    <float*>grad_weight)
    return _run(<double*>NULL, s, <const double*>grad_output, <const double*>input_,
                <double*>grad_weight)
