"""Maximum pooling; average pooling is in avg_pooling.pyx.

LANES outputs are computed at a time: tap by tap, each output is updated with the input at the tap if that is
larger. There are no branches and no dependencies between the lanes, so they become a vector. As their number is
constant, there is no remainder: the last outputs of a line are computed again together with some before them.
Outputs whose window extends into the left or right padding, and lines shorter than LANES, are handled by `_edge`.
"""

from libc.math cimport INFINITY
from libc.stdint cimport (
    INT8_MIN, INT16_MIN, INT32_MAX, INT32_MIN, INT64_MIN, int8_t, int16_t, int32_t, int64_t,
    uint8_t,
)
from libc.string cimport memset

from cython.parallel cimport prange

from minitorch.core.dtype cimport (
    BFloat16, Float16, Float32, Float64, Int16, Int32, Int64, Int8, UInt8, has_float_kernels, itemsizes)
from minitorch.kernels.common.half cimport bfloat16_t, half_t, narrow_t, store_float, to_float
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Floating, Numeric

cdef enum:
    LANES = 8                  # outputs computed at once


cdef inline Py_ssize_t _volume(const Py_ssize_t* size) noexcept nogil:
    return size[0] * size[1] * size[2]


# -- elements -------------------------------------------------------------------------------------

cdef inline bint _better(Numeric value, Numeric best) noexcept nogil:
    """Return whether value replaces best; nan always does."""
    cdef float v
    if Numeric in narrow_t:
        v = to_float(value)
        return (v > to_float(best)) | (v != v)
    elif Numeric is float or Numeric is double:
        return (value > best) | (value != value)
    else:
        return value > best


cdef inline Numeric _lowest(Numeric* tag) noexcept nogil:
    cdef Numeric least
    if Numeric in narrow_t:
        store_float(&least, -INFINITY)
        return least
    elif Numeric is float or Numeric is double:
        return -INFINITY
    elif Numeric is uint8_t:
        return 0
    elif Numeric is int8_t:
        return INT8_MIN
    elif Numeric is int16_t:
        return INT16_MIN
    elif Numeric is int32_t:
        return INT32_MIN
    else:
        return INT64_MIN


# -- max_pool -------------------------------------------------------------------------------------

# The windows of one line of outputs. Positions are those of the first output's window.
cdef struct Line:
    Py_ssize_t begin[2]        # first position inside the input, in depth and height
    Py_ssize_t count[2]        # taps inside
    Py_ssize_t left            # of the first window; negative in the padding


cdef inline Py_ssize_t _first(Py_ssize_t o, Py_ssize_t stride, Py_ssize_t padding,
                              Py_ssize_t dilation) noexcept nogil:
    """Return the first position of a window that is not in the padding before the input."""
    cdef Py_ssize_t at = o * stride - padding
    return at if at >= 0 else at + (-at + dilation - 1) // dilation * dilation


cdef inline void _inside_of(Numeric* tag, const PoolShape* s, const Line* line, const Numeric* x,
                            Py_ssize_t step, bint paired, Py_ssize_t lanes, Py_ssize_t low,
                            Py_ssize_t high, Numeric* out, int64_t* indices) noexcept nogil:
    """Compute the outputs [low, high), at least LANES, whose windows touch no left or right padding.

    `lanes` is LANES, but not a constant: gcc would unroll the loops before it vectorises them, and the result
    would have branches. `paired` processes two adjacent taps at once. With a step of two, they are loaded without
    gaps, which gcc would not do by itself at the end of an array. If the number of taps is odd, the last one is
    paired with the previous one again, which does not change the maximum.
    """
    cdef Numeric best[LANES]
    cdef int32_t where[LANES]
    cdef Numeric value
    cdef bint better
    cdef Py_ssize_t w = s.in_size[2], area = s.in_size[1] * w, j = low, td, th, tw, i
    cdef int32_t at, first = <int32_t>(line.begin[0] * area + line.begin[1] * w + line.left)
    while True:
        for i in range(lanes):
            best[i] = _lowest(tag)
            where[i] = <int32_t>(first + (j + i) * step)
        for td in range(line.count[0]):
            for th in range(line.count[1]):
                tw = 0
                while tw < s.kernel[2]:
                    if paired and tw + 1 == s.kernel[2]:
                        tw -= 1
                    at = <int32_t>(first + j * step + td * s.dilation[0] * area
                                   + th * s.dilation[1] * w + tw * s.dilation[2])
                    for i in range(lanes):
                        value = x[at + i * step]
                        better = _better(value, best[i])
                        best[i] = value if better else best[i]
                        where[i] = <int32_t>(at + i * step) if better else where[i]
                        if paired:
                            value = x[at + i * step + 1]
                            better = _better(value, best[i])
                            best[i] = value if better else best[i]
                            where[i] = <int32_t>(at + i * step + 1) if better else where[i]
                    tw += 2 if paired else 1
        for i in range(lanes):
            out[j + i] = best[i]
        for i in range(lanes):
            indices[j + i] = where[i]
        if j + LANES == high:
            return
        j = j + LANES if j + 2 * LANES <= high else high - LANES


cdef simd _inside_float(const PoolShape* s, const Line* line, const float* x, Py_ssize_t lanes,
                        Py_ssize_t low, Py_ssize_t high, float* out,
                        int64_t* indices) noexcept nogil:
    # with these constants, gcc uses vector loads
    if s.stride[2] == 1:
        _inside_of(<float*>NULL, s, line, x, 1, False, lanes, low, high, out, indices)
    elif s.stride[2] == 2 and s.dilation[2] == 1 and s.kernel[2] >= 2:
        _inside_of(<float*>NULL, s, line, x, 2, True, lanes, low, high, out, indices)
    else:
        _inside_of(<float*>NULL, s, line, x, s.stride[2], False, lanes, low, high, out, indices)


cdef void _edge(Numeric* tag, const PoolShape* s, const Line* line, const Numeric* x, Py_ssize_t low,
                Py_ssize_t high, Numeric* out, int64_t* indices) noexcept nogil:
    """Compute the outputs [low, high) one by one."""
    cdef Py_ssize_t j, td, th, tw, left, at, w = s.in_size[2], area = s.in_size[1] * w
    cdef Numeric best
    for j in range(low, high):
        left = _first(j, s.stride[2], s.padding[2], s.dilation[2])
        at = line.begin[0] * area + line.begin[1] * w + left
        indices[j] = at
        best = _lowest(tag)
        for td in range(line.count[0]):
            for th in range(line.count[1]):
                at = ((line.begin[0] + td * s.dilation[0]) * area
                      + (line.begin[1] + th * s.dilation[1]) * w)
                tw = left
                while tw < w and tw <= line.left + j * s.stride[2] + (
                        s.kernel[2] - 1) * s.dilation[2]:
                    if _better(x[at + tw], best):
                        best = x[at + tw]
                        indices[j] = at + tw
                    tw += s.dilation[2]
        out[j] = best


cdef void _max_line(Numeric* tag, const PoolShape* s, const Numeric* x, const Line* line,
                    Numeric* out, int64_t* indices) noexcept nogil:
    cdef Py_ssize_t n = s.out_size[2], low, high, reach = (s.kernel[2] - 1) * s.dilation[2]
    # windows with 0 <= left + j * stride and left + j * stride + reach < in_size
    low = (s.padding[2] + s.stride[2] - 1) // s.stride[2]
    high = s.in_size[2] - reach + s.padding[2]
    high = (high + s.stride[2] - 1) // s.stride[2] if high > 0 else 0
    high = high if high < n else n
    if high - low < LANES:
        _edge(tag, s, line, x, 0, n, out, indices)
        return
    _edge(tag, s, line, x, 0, low, out, indices)
    _edge(tag, s, line, x, high, n, out, indices)
    if Numeric is float:
        _inside_float(s, line, x, LANES, low, high, out, indices)
    else:
        _inside_of(tag, s, line, x, s.stride[2], False, LANES, low, high, out, indices)


cdef inline void _taps(const PoolShape* s, int d, Py_ssize_t o, Line* line) noexcept nogil:
    cdef Py_ssize_t begin = _first(o, s.stride[d], s.padding[d], s.dilation[d])
    cdef Py_ssize_t end = o * s.stride[d] - s.padding[d] + (s.kernel[d] - 1) * s.dilation[d] + 1
    end = end if end < s.in_size[d] else s.in_size[d]
    line.begin[d] = begin
    line.count[d] = (end - begin + s.dilation[d] - 1) // s.dilation[d] if end > begin else 0


cdef void _max_planes(Numeric* tag, const PoolShape* s, const char* x, char* out, char* indices,
                      Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    cdef Py_ssize_t plane, od, oh, n_in = _volume(s.in_size), n_out = _volume(s.out_size), at
    cdef Line line
    line.left = -s.padding[2]
    for plane in range(low, high):
        at = plane * n_out
        for od in range(s.out_size[0]):
            _taps(s, 0, od, &line)
            for oh in range(s.out_size[1]):
                _taps(s, 1, oh, &line)
                _max_line(tag, s, <const Numeric*>x + plane * n_in, &line, <Numeric*>out + at,
                          <int64_t*>indices + at)
                at += s.out_size[2]


cdef inline Py_ssize_t _begin(Py_ssize_t o, Py_ssize_t n_in, Py_ssize_t n_out) noexcept nogil:
    return o * n_in // n_out


cdef inline Py_ssize_t _end(Py_ssize_t o, Py_ssize_t n_in, Py_ssize_t n_out) noexcept nogil:
    return ((o + 1) * n_in + n_out - 1) // n_out


cdef void _adaptive_planes(Numeric* tag, const PoolShape* s, const char* x_, char* out_,
                           char* indices_, Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    cdef const Numeric* x
    cdef Numeric* out = <Numeric*>out_ + low * _volume(s.out_size)
    cdef int64_t* indices = <int64_t*>indices_ + low * _volume(s.out_size)
    cdef Py_ssize_t plane, od, oh, ow, d, h, w
    cdef Py_ssize_t d0, h0, w0, d1, h1, w1, n = s.in_size[2], area = s.in_size[1] * n
    cdef Numeric best
    cdef Py_ssize_t where, at
    for plane in range(low, high):
        x = <const Numeric*>x_ + plane * s.in_size[0] * area
        for od in range(s.out_size[0]):
            d0 = _begin(od, s.in_size[0], s.out_size[0])
            d1 = _end(od, s.in_size[0], s.out_size[0])
            for oh in range(s.out_size[1]):
                h0 = _begin(oh, s.in_size[1], s.out_size[1])
                h1 = _end(oh, s.in_size[1], s.out_size[1])
                for ow in range(s.out_size[2]):
                    w0 = _begin(ow, n, s.out_size[2])
                    w1 = _end(ow, n, s.out_size[2])
                    best = _lowest(tag)
                    where = d0 * area + h0 * n + w0
                    for d in range(d0, d1):
                        for h in range(h0, h1):
                            for w in range(w0, w1):
                                at = d * area + h * n + w
                                if _better(x[at], best):
                                    best = x[at]
                                    where = at
                    out[0] = best
                    indices[0] = where
                    out += 1
                    indices += 1


cdef void _part(Numeric* tag, const PoolShape* s, bint adaptive, const char* x, char* out,
                char* indices, Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    if adaptive:
        _adaptive_planes(tag, s, x, out, indices, low, high)
    else:
        _max_planes(tag, s, x, out, indices, low, high)


cdef int _run(Numeric* tag, const PoolShape* s, bint adaptive, const char* x, char* out,
              char* indices) noexcept nogil:
    cdef Py_ssize_t work = s.planes * _volume(s.in_size), planes = s.planes
    cdef int part, parts
    if _volume(s.in_size) > INT32_MAX:
        return POOL_TOO_LARGE
    if planes * _volume(s.out_size) == 0:
        return POOL_OK
    if not adaptive:
        work = s.planes * _volume(s.out_size) * _volume(s.kernel)
    parts = threads_for(work // 2)
    parts = parts if parts < planes else <int>planes
    if parts <= 1:
        _part(tag, s, adaptive, x, out, indices, 0, planes)
    else:
        for part in prange(parts, num_threads=parts, schedule="static"):
            _part(tag, s, adaptive, x, out, indices, planes * part // parts,
                  planes * (part + 1) // parts)
    return POOL_OK


cdef int _max_pool(int dtype, const PoolShape* s, bint adaptive, const char* input_, char* output,
                   char* indices) noexcept nogil:
    if dtype == Float32:
        return _run(<float*>NULL, s, adaptive, input_, output, indices)
    if dtype == Float64:
        return _run(<double*>NULL, s, adaptive, input_, output, indices)
    if dtype == Float16:
        return _run(<half_t*>NULL, s, adaptive, input_, output, indices)
    if dtype == BFloat16:
        return _run(<bfloat16_t*>NULL, s, adaptive, input_, output, indices)
    if dtype == Int64:
        return _run(<int64_t*>NULL, s, adaptive, input_, output, indices)
    if dtype == Int32:
        return _run(<int32_t*>NULL, s, adaptive, input_, output, indices)
    if dtype == Int16:
        return _run(<int16_t*>NULL, s, adaptive, input_, output, indices)
    if dtype == Int8:
        return _run(<int8_t*>NULL, s, adaptive, input_, output, indices)
    if dtype == UInt8:
        return _run(<uint8_t*>NULL, s, adaptive, input_, output, indices)
    return POOL_NO_DTYPE


cdef int max_pool(int dtype, const PoolShape* s, const char* input_, char* output,
                  char* indices) noexcept nogil:
    return _max_pool(dtype, s, False, input_, output, indices)


cdef int adaptive_max_pool(int dtype, const PoolShape* s, const char* input_, char* output,
                           char* indices) noexcept nogil:
    if not has_float_kernels(dtype):
        return POOL_NO_DTYPE
    return _max_pool(dtype, s, True, input_, output, indices)


# -- max_pool_backward ----------------------------------------------------------------------------

cdef inline void _scatter(Floating* tag, const char* grad_, const char* indices_, Py_ssize_t n,
                          char* out_, Py_ssize_t n_in) noexcept nogil:
    cdef const Floating* grad = <const Floating*>grad_
    cdef const int64_t* indices = <const int64_t*>indices_
    cdef Floating* out = <Floating*>out_
    cdef Floating* target
    cdef Py_ssize_t i
    for i in range(n):
        if not 0 <= indices[i] < n_in:
            continue        # a window without elements of the input, or indices from the user
        target = out + indices[i]
        if Floating in narrow_t:
            store_float(target, to_float(target[0]) + to_float(grad[i]))
        else:
            target[0] += grad[i]


cdef void _plane_back(int dtype, const char* grad, const char* indices, Py_ssize_t n, char* out,
                      Py_ssize_t n_in) noexcept nogil:
    memset(out, 0, n_in * itemsizes[dtype])
    if dtype == Float32:
        _scatter(<float*>NULL, grad, indices, n, out, n_in)
    elif dtype == Float64:
        _scatter(<double*>NULL, grad, indices, n, out, n_in)
    elif dtype == Float16:
        _scatter(<half_t*>NULL, grad, indices, n, out, n_in)
    else:
        _scatter(<bfloat16_t*>NULL, grad, indices, n, out, n_in)


cdef int max_pool_backward(int dtype, const PoolShape* s, const char* grad_output,
                           const char* indices, char* grad_input) noexcept nogil:
    cdef Py_ssize_t n_in = _volume(s.in_size), n_out = _volume(s.out_size), plane
    cdef Py_ssize_t size = itemsizes[dtype]
    cdef int parts
    if not has_float_kernels(dtype):
        return POOL_NO_DTYPE
    parts = threads_for(s.planes * (n_out + n_in // 8))
    if parts <= 1:
        for plane in range(s.planes):
            _plane_back(dtype, grad_output + plane * n_out * size, indices + plane * n_out * 8,
                        n_out, grad_input + plane * n_in * size, n_in)
    else:
        for plane in prange(s.planes, num_threads=parts, schedule="static"):
            _plane_back(dtype, grad_output + plane * n_out * size, indices + plane * n_out * 8,
                        n_out, grad_input + plane * n_in * size, n_in)
    return POOL_OK
