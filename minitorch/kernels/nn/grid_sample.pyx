"""Sampling images at the positions of a grid, and the gradients.

Each block of points is located first, as offsets of pixels and weights. Then the channels are processed one after
the other with these offsets and weights.

Notes
-----
Positions are computed in the precision of the data, since rounding decides which pixel is the nearest. For the
gradient, a border counts as outside. Cubic weights follow R. Keys, Cubic convolution interpolation for digital
image processing, IEEE TASSP 29 (1981), with a = -0.75. With cubic interpolation each pixel is padded separately;
otherwise the position is.
"""

from libc.math cimport floor, fma, fmaf, fmod, isfinite, rint
from libc.string cimport memset

from cython.parallel cimport prange

from minitorch.core.dtype cimport Float32
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.types cimport Real

cdef enum:
    BLOCK = 64
    MOST = 16                      # maximum number of pixels of a point
    LINE = 4                       # maximum number along one dimension


cdef inline int _line_taps(const GridShape* s) noexcept nogil:
    return 4 if s.interpolation == GRID_CUBIC else 1 if s.interpolation == GRID_NEAREST else 2


cdef int grid_taps(const GridShape* s) noexcept nogil:
    cdef int line = _line_taps(s)
    return line * line * (line if s.dims == 3 else 1)


cdef inline Real _padded(const GridShape* s, Real x, Py_ssize_t n, Real* slope) noexcept nogil:
    """Return the position after padding, and store its derivative in `slope`."""
    cdef Real low, span, left
    slope[0] = 1
    if s.padding == GRID_ZEROS:
        return x
    if s.padding == GRID_REFLECTION:
        low = 0 if s.align_corners else <Real>-0.5
        span = <Real>(n - 1 if s.align_corners else n)
        if span == 0:
            slope[0] = 0
            return 0
        x = x - low
        if x < 0:
            x = -x
            slope[0] = -1
        left = <Real>fmod(x, span)
        if <long long>floor(x / span) % 2 == 0:
            x = left + low
        else:
            x = span - left + low
            slope[0] = -slope[0]
    if x != x:
        # in 2-d PyTorch clamps nan to the first pixel, in 3-d to the last one
        slope[0] = 0
        return 0 if s.dims == 2 else <Real>(n - 1)
    if not x > 0:
        slope[0] = 0
        return 0
    if x >= n - 1:
        slope[0] = 0
        return <Real>(n - 1)
    return x


cdef inline Real _floor(Real x) noexcept nogil:
    """Return floor(x), without the call of libm for every value that a pixel position can have."""
    cdef long long i
    if not (-1e9 < x and x < 1e9):
        return <Real>floor(x)
    i = <long long>x
    return <Real>(i - (x < <Real>i))


cdef inline Real _fma(Real a, Real b, Real c) noexcept nogil:
    return fmaf(a, b, c) if Real is float else fma(a, b, c)


cdef inline Py_ssize_t _inside(Real x, Py_ssize_t n) noexcept nogil:
    """Return the pixel at an integer position, or -1 outside."""
    return <Py_ssize_t>x if 0 <= x and x <= n - 1 else -1


cdef inline Real _cubic(Real t, int k, int order) noexcept nogil:
    """Return the weight of tap k at the fraction t, or its derivative of this order."""
    cdef Real a = <Real>-0.75
    # the distance, and the sign of its derivative with respect to t
    cdef Real d = t + 1 if k == 0 else t if k == 1 else 1 - t if k == 2 else 2 - t
    cdef Real sign = 1 if k < 2 or order % 2 == 0 else -1
    if k == 0 or k == 3:
        if order == 0:
            return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
        if order == 1:
            return sign * ((3 * a * d - 10 * a) * d + 8 * a)
        if order == 2:
            return 6 * a * d - 10 * a
        return sign * 6 * a if order == 3 else 0
    if order == 0:
        return ((a + 2) * d - (a + 3)) * d * d + 1
    if order == 1:
        return sign * (3 * (a + 2) * d - 2 * (a + 3)) * d
    if order == 2:
        return 6 * (a + 2) * d - 2 * (a + 3)
    return sign * 6 * (a + 2) if order == 3 else 0


cdef inline void _line(const GridShape* s, Real coordinate, Py_ssize_t n, int order,
                       Py_ssize_t* index, Real* factor) noexcept nogil:
    """Store the taps along one dimension: pixels (-1 outside) and factors, differentiated `order` times."""
    cdef Real x, base, slope, scale, power = 1, ignored
    cdef int k, _k
    scale = <Real>(n - 1 if s.align_corners else n) / 2
    if s.dims == 2:
        # in 2-d, PyTorch rounds a position twice, in 3-d at each step; this decides which pixel a position on a
        # border belongs to
        x = coordinate + 1
        x = x * scale if s.align_corners else _fma(x, scale, <Real>-0.5)
    elif s.align_corners:
        x = (coordinate + 1) / 2 * (n - 1)
    else:
        x = ((coordinate + 1) * n - 1) / 2
    if s.interpolation != GRID_CUBIC:
        x = _padded(s, x, n, &slope)
        scale = scale * slope
    for _k in range(order):
        power = power * scale
    if s.interpolation == GRID_NEAREST:
        index[0] = _inside(<Real>rint(x), n)
        factor[0] = 1 if order == 0 else 0
        return
    base = _floor(x)
    if not isfinite(x):
        # There is no such pixel. In 3-d it is skipped; in 2-d it counts as 0, with a weight of nan.
        for k in range(_line_taps(s)):
            index[k] = -1 if s.padding == GRID_ZEROS else 0
            factor[k] = 0 if s.dims == 3 else x - x
        if s.dims == 2 and s.interpolation == GRID_LINEAR and order:
            factor[0] = -power if order == 1 else 0
            factor[1] = power if order == 1 else 0
        return
    if s.interpolation == GRID_LINEAR:
        index[0] = _inside(base, n)
        index[1] = _inside(base + 1, n)
        factor[0] = base + 1 - x if order == 0 else -power if order == 1 else 0
        factor[1] = x - base if order == 0 else power if order == 1 else 0
        return
    for k in range(4):
        # each of the four pixels is padded separately
        index[k] = _inside(_floor(_padded(s, base + (k - 1), n, &ignored)), n)
        factor[k] = _cubic(x - base, k, order) * power


cdef inline bint _has_pixel(const GridShape* s, Real coordinate) noexcept nogil:
    """Return whether a coordinate of a volume passes on its gradient, as in PyTorch.

    If not, the forward pass reads the last pixel of a padded volume.
    """
    return coordinate == coordinate and (s.padding != GRID_REFLECTION or isfinite(coordinate))


cdef inline void _locate(const GridShape* s, const Real* point, const int* orders,
                         Py_ssize_t* offset, Real* weight) noexcept nogil:
    """Store the offsets and weights of one point, as the products of its lines."""
    cdef Py_ssize_t[3][LINE] index
    cdef Real[3][LINE] factor
    cdef int line = _line_taps(s), d, i, j, k, at = 0
    cdef int last = s.dims - 1
    for d in range(s.dims):
        _line(s, point[last - d], s.in_size[d], orders[last - d], &index[d][0], &factor[d][0])
    for i in range(line):
        for j in range(line):
            if s.dims == 2:
                weight[at] = factor[0][i] * factor[1][j]
                offset[at] = -1 if index[0][i] < 0 or index[1][j] < 0 else (
                    index[0][i] * s.in_size[1] + index[1][j])
                at += 1
                continue
            for k in range(line):
                weight[at] = factor[0][i] * factor[1][j] * factor[2][k]
                offset[at] = -1
                if index[0][i] >= 0 and index[1][j] >= 0 and index[2][k] >= 0:
                    offset[at] = ((index[0][i] * s.in_size[1] + index[1][j]) * s.in_size[2]
                                  + index[2][k])
                at += 1


cdef inline Py_ssize_t _pixels(const GridShape* s) noexcept nogil:
    return s.in_size[0] * s.in_size[1] * (s.in_size[2] if s.dims == 3 else 1)


# ---- forward

cdef void _sample_block(const GridShape* s, const Real* image, const Real* grid, Real* output,
                        Py_ssize_t count) noexcept nogil:
    """Sample `count` points of one example; image and output are at its first channel."""
    cdef Py_ssize_t[BLOCK * MOST] offset
    cdef Real[BLOCK * MOST] weight
    cdef int[3] orders
    cdef int taps = grid_taps(s), k
    cdef Py_ssize_t p, _c, o, pixels = _pixels(s)
    cdef Real total
    memset(orders, 0, sizeof(orders))
    for p in range(count):
        _locate(s, grid + p * s.dims, orders, &offset[p * taps], &weight[p * taps])
    for _c in range(s.channels):
        if taps == 1:
            for p in range(count):
                o = offset[p]
                output[p] = image[o] if o >= 0 else 0
        elif taps == 4:
            # unrolled; the sum has the order of the taps
            for p in range(count):
                k = <int>(4 * p)
                total = weight[k] * image[offset[k]] if offset[k] >= 0 else weight[k] * 0
                if offset[k + 1] >= 0:
                    total += weight[k + 1] * image[offset[k + 1]]
                if offset[k + 2] >= 0:
                    total += weight[k + 2] * image[offset[k + 2]]
                if offset[k + 3] >= 0:
                    total += weight[k + 3] * image[offset[k + 3]]
                output[p] = total
        else:
            for p in range(count):
                total = weight[p * taps] * 0        # nan at a position that is not finite
                for k in range(taps):
                    o = offset[p * taps + k]
                    if o >= 0:
                        total += weight[p * taps + k] * image[o]
                output[p] = total
        image += pixels
        output += s.points


cdef void _sample(const GridShape* s, const Real* image, const Real* grid,
                  Real* output) noexcept nogil:
    cdef Py_ssize_t blocks = (s.points + BLOCK - 1) // BLOCK, b, n, first, count
    cdef Py_ssize_t plane = s.channels * _pixels(s)
    cdef int threads = threads_for(s.batch * s.points * grid_taps(s) * (s.channels + 4))
    for b in prange(s.batch * blocks, num_threads=threads, schedule="static"):
        n = b // blocks
        first = b % blocks * BLOCK
        count = s.points - first
        if count > BLOCK:
            count = BLOCK
        _sample_block(s, image + n * plane, grid + (n * s.points + first) * s.dims,
                      output + n * s.channels * s.points + first, count)


cdef void grid_sample(int dtype, const GridShape* s, const char* input_, const char* grid,
                      char* output) noexcept nogil:
    if dtype == Float32:
        _sample(s, <const float*>input_, <const float*>grid, <float*>output)
    else:
        _sample(s, <const double*>input_, <const double*>grid, <double*>output)


# ---- backward

cdef inline void _locate_slopes(const GridShape* s, const Real* point, Py_ssize_t* offset,
                                Real* weight, Real* slopes, Py_ssize_t apart) noexcept nogil:
    """Locate a point like _locate, and store the derivatives of the weights by x, y (and z), `apart` from each other.
    """
    cdef Py_ssize_t[3][LINE] index
    cdef Real[3][LINE] factor
    cdef Real[3][LINE] slope
    cdef int line = _line_taps(s), d, i, j, k, at = 0
    cdef int last = s.dims - 1
    for d in range(s.dims):
        _line(s, point[last - d], s.in_size[d], 0, &index[d][0], &factor[d][0])
        _line(s, point[last - d], s.in_size[d], 1, &index[d][0], &slope[d][0])
        if s.dims == 3 and not _has_pixel(s, point[last - d]):
            for i in range(line):
                index[d][i] = -1
    for i in range(line):
        for j in range(line):
            if s.dims == 2:
                weight[at] = factor[0][i] * factor[1][j]
                slopes[at] = factor[0][i] * slope[1][j]
                slopes[apart + at] = slope[0][i] * factor[1][j]
                offset[at] = -1 if index[0][i] < 0 or index[1][j] < 0 else (
                    index[0][i] * s.in_size[1] + index[1][j])
                at += 1
                continue
            for k in range(line):
                weight[at] = factor[0][i] * factor[1][j] * factor[2][k]
                slopes[at] = factor[0][i] * factor[1][j] * slope[2][k]
                slopes[apart + at] = factor[0][i] * slope[1][j] * factor[2][k]
                slopes[2 * apart + at] = slope[0][i] * factor[1][j] * factor[2][k]
                offset[at] = -1
                if index[0][i] >= 0 and index[1][j] >= 0 and index[2][k] >= 0:
                    offset[at] = ((index[0][i] * s.in_size[1] + index[1][j]) * s.in_size[2]
                                  + index[2][k])
                at += 1


cdef void _backward_block(const GridShape* s, const Real* slope, const Real* image,
                          const Real* grid, Real* grad_image, Real* grad_grid,
                          Py_ssize_t count) noexcept nogil:
    """Compute the gradients of _sample_block; `slope` is the gradient of the output."""
    cdef Py_ssize_t[BLOCK * MOST] offset
    cdef Real[BLOCK * MOST] weight
    cdef Real[BLOCK * MOST] reach
    cdef Real[3 * BLOCK * MOST] slopes
    cdef int taps = grid_taps(s), k, a
    cdef Py_ssize_t p, c, o, pixels = _pixels(s)
    cdef Real total, g
    for p in range(count):
        _locate_slopes(s, grid + p * s.dims, &offset[p * taps], &weight[p * taps],
                       &slopes[p * taps], BLOCK * MOST)
    if grad_image != NULL:
        for c in range(s.channels):
            for p in range(count):
                g = slope[c * s.points + p]
                for k in range(p * taps, (p + 1) * taps):
                    o = offset[k]
                    if o >= 0:
                        grad_image[c * pixels + o] += weight[k] * g
    if grad_grid == NULL:
        return
    if s.interpolation == GRID_NEAREST:
        memset(grad_grid, 0, count * s.dims * sizeof(Real))
        return
    # first the gradient of each weight, summed over the channels, then that of the coordinates
    memset(reach, 0, count * taps * sizeof(Real))
    for c in range(s.channels):
        for p in range(count):
            g = slope[c * s.points + p]
            for k in range(p * taps, (p + 1) * taps):
                o = offset[k]
                if o >= 0:
                    reach[k] += image[c * pixels + o] * g
    for p in range(count):
        for a in range(s.dims):
            total = 0
            for k in range(p * taps, (p + 1) * taps):
                total += slopes[a * BLOCK * MOST + k] * reach[k]
            grad_grid[p * s.dims + a] = total


cdef void _backward_example(const GridShape* s, Py_ssize_t n, const Real* slope, const Real* image,
                            const Real* grid, Real* grad_image, Real* grad_grid) noexcept nogil:
    cdef Py_ssize_t plane = s.channels * _pixels(s), first = 0, count
    while first < s.points:
        count = s.points - first
        if count > BLOCK:
            count = BLOCK
        _backward_block(
            s, slope + n * s.channels * s.points + first, image + n * plane,
            grid + (n * s.points + first) * s.dims,
            grad_image + n * plane if grad_image != NULL else NULL,
            grad_grid + (n * s.points + first) * s.dims if grad_grid != NULL else NULL, count)
        first += BLOCK


cdef void _backward(const GridShape* s, const Real* slope, const Real* image, const Real* grid,
                    Real* grad_image, Real* grad_grid) noexcept nogil:
    cdef Py_ssize_t n
    cdef int threads = threads_for(3 * s.batch * s.points * grid_taps(s) * (s.channels + 4))
    # points of one example may share a pixel, points of different examples cannot
    for n in prange(s.batch, num_threads=threads, schedule="static"):
        _backward_example(s, n, slope, image, grid, grad_image, grad_grid)


cdef void grid_sample_backward(int dtype, const GridShape* s, const char* grad_output,
                               const char* input_, const char* grid, char* grad_input,
                               char* grad_grid) noexcept nogil:
    if dtype == Float32:
        _backward(s, <const float*>grad_output, <const float*>input_, <const float*>grid,
                  <float*>grad_input, <float*>grad_grid)
    else:
        _backward(s, <const double*>grad_output, <const double*>input_, <const double*>grid,
                  <double*>grad_input, <double*>grad_grid)


# ---- weights and offsets as tensors

cdef void _weights(const GridShape* s, const int* orders, const Real* grid,
                   Real* weights) noexcept nogil:
    cdef Py_ssize_t[MOST] offset
    cdef int taps = grid_taps(s), k
    cdef Py_ssize_t p
    for p in range(s.batch * s.points):
        _locate(s, grid + p * s.dims, orders, offset, weights + p * taps)
        for k in range(taps):
            if offset[k] < 0 and isfinite(weights[p * taps + k]):
                weights[p * taps + k] = 0


cdef void grid_weights(int dtype, const GridShape* s, const int* orders, const char* grid,
                       char* weights) noexcept nogil:
    if dtype == Float32:
        _weights(s, orders, <const float*>grid, <float*>weights)
    else:
        _weights(s, orders, <const double*>grid, <double*>weights)


cdef void _offsets(const GridShape* s, const Real* grid, long long* offsets) noexcept nogil:
    cdef Py_ssize_t[MOST] offset
    cdef Real[MOST] weight
    cdef int[3] orders
    cdef int taps = grid_taps(s), k
    cdef Py_ssize_t p
    memset(orders, 0, sizeof(orders))
    for p in range(s.batch * s.points):
        _locate(s, grid + p * s.dims, orders, offset, weight)
        for k in range(taps):
            offsets[p * taps + k] = offset[k] if offset[k] >= 0 else 0


cdef void grid_offsets(int dtype, const GridShape* s, const char* grid,
                       long long* offsets) noexcept nogil:
    if dtype == Float32:
        _offsets(s, <const float*>grid, offsets)
    else:
        _offsets(s, <const double*>grid, offsets)
