"""Blocks of lines: the input of a correlation in the layout that tiles read.

Note [No im2col]
For one image, the columns of the matrix product are the output positions, and its inner dimension runs over
(channel, taps). Writing out the whole matrix (im2col) takes as much memory traffic as the product itself. But its
rows overlap: the rows of two vertically adjacent taps have the same values, shifted by one line. So a block of
lines is copied once for each *horizontal* tap,

    block[channel, depth tap, width tap, line, column]

with zeros for the padding, and the row of a tap begins at an offset, so that the tiles read it in place through
the table of offsets. If the step is not 1, lines are either sorted by their phase (line mod step) or copied once
for each vertical tap, whichever takes less memory.

A padded line is copied first, then its taps. If steps, dilations or the padding are so large that most of a
padded line is not read, the taps are gathered from the input instead, so that memory does not grow with the
padding.
"""

from libc.limits cimport INT_MAX
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from minitorch.kernels.linalg.tile_types cimport TILE_SLACK
from minitorch.kernels.nn.conv_shape cimport CONV_NO_MEMORY, CONV_OK, CONV_TOO_LARGE

cdef enum:
    BLOCK_BYTES = 384 << 10    # bytes of a block, which stays in the second-level cache


cdef void _span(const Axis* axis, Py_ssize_t* low, Py_ssize_t* span) noexcept nogil:
    """Store the lowest shift and its distance to the highest."""
    cdef Py_ssize_t high
    cdef int t
    low[0] = high = axis.shift[0] if axis.taps > 0 else 0
    for t in range(axis.taps):
        low[0] = axis.shift[t] if axis.shift[t] < low[0] else low[0]
        high = axis.shift[t] if axis.shift[t] > high else high
    span[0] = high - low[0]


cdef int lay_out(const Correlation* c, Py_ssize_t itemsize, int parts, Blocks* out) noexcept nogil:
    cdef const Axis* h = &c.axis[1]
    cdef Py_ssize_t low, span, t, per_tap, per_phase, size, line_size, phases, i, k
    cdef Py_ssize_t tasks = c.batch * c.groups * c.axis[0].n_out
    cdef Py_ssize_t ch, td, tw
    cdef bint by_phase
    out.offsets = NULL
    out.line = NULL
    _span(h, &low, &span)
    _span(&c.axis[2], &out.left, &i)
    out.width = (c.axis[2].n_out - 1) * c.axis[2].step + i + 1
    if out.width > c.axis[2].taps * c.axis[2].n_out + 2 * c.axis[2].n_in:
        out.width = 0
    out.inner = c.channels * c.axis[0].taps * h.taps * c.axis[2].taps
    line_size = c.channels * c.axis[0].taps * c.axis[2].taps * c.axis[2].n_out
    # as many lines as fit, but at least one, and few enough that every thread gets a task
    out.lines = h.n_out
    while True:
        phases = h.step
        per_phase = phases * (out.lines + span // h.step)
        per_tap = h.taps * out.lines
        by_phase = phases <= h.taps and per_phase <= per_tap  # the first condition keeps the products small
        out.block_lines = per_phase if by_phase else per_tap
        size = out.block_lines * line_size
        out.count = (h.n_out + out.lines - 1) // out.lines
        if out.lines == 1 or (size * itemsize <= BLOCK_BYTES and tasks * out.count >= parts):
            break
        out.lines = (out.lines + 1) // 2
    if size > INT_MAX - TILE_SLACK:
        return CONV_TOO_LARGE
    out.size = size + TILE_SLACK
    out.tasks = tasks * out.count
    out.offsets = <int*>malloc(out.inner * sizeof(int) + 1)
    out.line = <Py_ssize_t*>malloc(out.block_lines * sizeof(Py_ssize_t) + 1)
    if out.offsets == NULL or out.line == NULL:
        return CONV_NO_MEMORY
    if by_phase:
        size = out.lines + span // h.step
        for i in range(out.block_lines):
            out.line[i] = (i % size) * h.step + i // size + low
    else:
        for i in range(out.block_lines):
            out.line[i] = (i % out.lines) * h.step + h.shift[i // out.lines]
    k = 0
    line_size = out.block_lines * c.axis[2].n_out
    for ch in range(c.channels):
        for td in range(c.axis[0].taps):
            for t in range(h.taps):
                if by_phase:
                    i = (h.shift[t] - low) % h.step * (out.lines + span // h.step)
                    i += (h.shift[t] - low) // h.step
                else:
                    i = t * out.lines
                for tw in range(c.axis[2].taps):
                    out.offsets[k] = <int>(
                        ((ch * c.axis[0].taps + td) * c.axis[2].taps + tw) * line_size
                        + i * c.axis[2].n_out)
                    k += 1
    return CONV_OK


cdef void free_blocks(Blocks* b) noexcept nogil:
    free(b.offsets)
    free(b.line)


cdef Block block_of(const Correlation* c, const Blocks* b, Py_ssize_t task) noexcept nogil:
    cdef Block out
    out.first = task % b.count * b.lines
    out.lines = c.axis[1].n_out - out.first
    out.lines = out.lines if out.lines < b.lines else b.lines
    task //= b.count
    out.plane = task % c.axis[0].n_out
    task //= c.axis[0].n_out
    out.group = task % c.groups
    out.image = task // c.groups
    return out


cdef Real* new_block(Real* tag, const Blocks* b) noexcept nogil:
    cdef Real* out = <Real*>malloc((b.size + b.block_lines * b.width + TILE_SLACK) * sizeof(Real))
    if out != NULL:
        # whole vectors are read past the last line; their values are ignored but must be readable
        memset(out + b.size - TILE_SLACK, 0, TILE_SLACK * sizeof(Real))
    return out


cdef inline void _pad_line(Real* dst, const Real* src, Py_ssize_t left, Py_ssize_t width,
                           Py_ssize_t n_in) noexcept nogil:
    """Set dst[j] = src[left + j] if that is in [0, n_in), else 0, for j < width."""
    cdef Py_ssize_t low = -left if left < 0 else 0
    cdef Py_ssize_t high = n_in - left if n_in - left < width else width
    cdef Py_ssize_t j
    low = low if low < width else width
    high = high if high > low else low
    for j in range(low):
        dst[j] = 0
    memcpy(dst + low, src + left + low, (high - low) * sizeof(Real))
    for j in range(high, width):
        dst[j] = 0


cdef inline void _take_lines(Real* dst, const Real* src, Py_ssize_t lines, Py_ssize_t n,
                             Py_ssize_t width, Py_ssize_t step) noexcept nogil:
    """Copy every step-th element of lines that are `width` apart to lines without gaps."""
    cdef Py_ssize_t _i, j
    for _i in range(lines):
        if step == 1 and n <= 64:
            # Two or three moves of a fixed size are faster than a call of memcpy. They write too far, but the
            # next line overwrites that, and both buffers have room at the end.
            j = 0
            while j < n:
                memcpy(dst + j, src + j, 32)
                j += 32 // <Py_ssize_t>sizeof(Real)
        elif step == 1:
            memcpy(dst, src, n * sizeof(Real))
        else:
            for j in range(n):
                dst[j] = src[j * step]
        dst += n
        src += width


cdef void _gather(const Correlation* c, const Blocks* b, const Real* source, Py_ssize_t start,
                  Real* out) noexcept nogil:
    """Copy the elements that the horizontal taps read from one plane."""
    cdef const Axis* h = &c.axis[1]
    cdef const Axis* w = &c.axis[2]
    cdef Py_ssize_t tw, i, j, at, column
    for tw in range(w.taps):
        for i in range(b.block_lines):
            at = start + b.line[i]
            for j in range(w.n_out):
                column = j * w.step + w.shift[tw]
                if 0 <= at < h.n_in and 0 <= column < w.n_in:
                    out[j] = source[at * c.x_size[1] + column]
                else:
                    out[j] = 0
            out += w.n_out


cdef void fill_block(const Correlation* c, const Blocks* b, const Block* place,
                     Real* out) noexcept nogil:
    cdef const Axis* d = &c.axis[0]
    cdef const Axis* h = &c.axis[1]
    cdef const Axis* w = &c.axis[2]
    cdef Py_ssize_t ch, td, tw, i, at, n = w.n_out
    cdef Py_ssize_t start = place.first * h.step
    cdef const Real* source
    cdef const Real* x = <const Real*>c.x + place.image * c.x_image
    cdef Real* padded = out + b.size
    cdef bint direct = w.taps == 1 and w.step == 1
    x += place.group * c.channels * c.x_channel
    for ch in range(c.channels):
        for td in range(d.taps):
            at = place.plane * d.step + d.shift[td]
            if at < 0 or at >= d.n_in:
                memset(out, 0, w.taps * b.block_lines * n * sizeof(Real))
                out += w.taps * b.block_lines * n
                continue
            source = x + ch * c.x_channel + at * c.x_size[0]
            if b.width == 0:
                _gather(c, b, source, start, out)
                out += w.taps * b.block_lines * n
                continue
            if direct:
                padded = out
            for i in range(b.block_lines):
                at = start + b.line[i]
                if at < 0 or at >= h.n_in:
                    memset(padded + i * b.width, 0, b.width * sizeof(Real))
                else:
                    _pad_line(padded + i * b.width, source + at * c.x_size[1], b.left, b.width,
                              w.n_in)
            if direct:
                out += b.block_lines * n
                continue
            for tw in range(w.taps):
                _take_lines(out, padded + w.shift[tw] - b.left, b.block_lines, n, b.width, w.step)
                out += b.block_lines * n
