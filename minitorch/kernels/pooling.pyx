"""Maximum pooling. (Average pooling is in avg_pooling.pyx.)

A line of outputs is worked out together: for every tap of the window, one pass over the line takes
the better of what it has and the input at the tap. Such a pass has no branch and no dependency
between its elements, so it is vectorised. Where taps fall into the padding, the pass covers only
the outputs for which they do not.
"""

from libc.math cimport INFINITY
from libc.stdint cimport (
    INT8_MIN, INT16_MIN, INT32_MAX, INT32_MIN, INT64_MIN, int8_t, int16_t, int32_t, int64_t,
    uint8_t, uint16_t,
)
from libc.string cimport memset

from cython.parallel cimport prange

from minitorch.core.dtype cimport (
    Float16, Float32, Float64, Int8, Int16, Int32, Int64, UInt8, itemsizes,
)
from minitorch.kernels.half cimport float_to_half, half_to_float
from minitorch.kernels.parallel cimport threads_for
from minitorch.kernels.simd cimport simd

ctypedef struct Half:
    uint16_t bits

ctypedef fused Number:
    uint8_t
    int8_t
    int16_t
    int32_t
    int64_t
    Half
    float
    double

ctypedef fused Floating:
    Half
    float
    double

cdef enum:
    CHUNK = 256                # outputs worked out together


cdef inline Py_ssize_t _volume(const Py_ssize_t* size) noexcept nogil:
    return size[0] * size[1] * size[2]


# -- one tap, or one element ----------------------------------------------------------------------

cdef inline void _take_of(Py_ssize_t n, Number* best, int32_t* where, const Number* x,
                          Py_ssize_t step, int32_t index) noexcept nogil:
    cdef Py_ssize_t j
    cdef Number value
    cdef bint better
    for j in range(n):
        value = x[j * step]
        if Number is Half:
            better = (half_to_float(value.bits) > half_to_float(best[j].bits)
                      or (value.bits & 0x7fff) > 0x7c00)
        elif Number is float or Number is double:
            better = (value > best[j]) | (value != value)
        else:
            better = value > best[j]
        best[j] = value if better else best[j]
        where[j] = <int32_t>(index + j * step) if better else where[j]


cdef simd _take_float(Py_ssize_t n, float* best, int32_t* where, const float* x, Py_ssize_t step,
                      int32_t index) noexcept nogil:
    # a constant step lets gcc load vectors and sort out their elements
    if step == 1:
        _take_of(n, best, where, x, 1, index)
    elif step == 2:
        _take_of(n, best, where, x, 2, index)
    else:
        _take_of(n, best, where, x, step, index)


cdef simd _take_double(Py_ssize_t n, double* best, int32_t* where, const double* x,
                       Py_ssize_t step, int32_t index) noexcept nogil:
    if step == 1:
        _take_of(n, best, where, x, 1, index)
    elif step == 2:
        _take_of(n, best, where, x, 2, index)
    else:
        _take_of(n, best, where, x, step, index)


cdef inline void _take(Py_ssize_t n, Number* best, int32_t* where, const Number* x,
                       Py_ssize_t step, int32_t index) noexcept nogil:
    if Number is float:
        _take_float(n, best, where, x, step, index)
    elif Number is double:
        _take_double(n, best, where, x, step, index)
    else:
        _take_of(n, best, where, x, step, index)


cdef inline Number _lowest(Number* tag) noexcept nogil:
    cdef Half h
    if Number is Half:
        h.bits = 0xfc00
        return h
    elif Number is float or Number is double:
        return -INFINITY
    elif Number is uint8_t:
        return 0
    elif Number is int8_t:
        return INT8_MIN
    elif Number is int16_t:
        return INT16_MIN
    elif Number is int32_t:
        return INT32_MIN
    else:
        return INT64_MIN


# -- max_pool -------------------------------------------------------------------------------------

cdef inline Py_ssize_t _first(Py_ssize_t o, Py_ssize_t stride, Py_ssize_t padding,
                              Py_ssize_t dilation) noexcept nogil:
    """The first position of a window that is not in the padding in front."""
    cdef Py_ssize_t at = o * stride - padding
    return at if at >= 0 else at + (-at + dilation - 1) // dilation * dilation


cdef void _max_line(Number* tag, const PoolShape* s, const Number* x, Py_ssize_t od, Py_ssize_t oh,
                    Number* out, int64_t* indices) noexcept nogil:
    cdef Number best[CHUNK]
    cdef int32_t where[CHUNK]
    cdef Py_ssize_t w = s.in_size[2], h = s.in_size[1], j0 = 0, n, j, low, high, at, td, th, tw
    cdef Py_ssize_t d0 = _first(od, s.stride[0], s.padding[0], s.dilation[0])
    cdef Py_ssize_t h0 = _first(oh, s.stride[1], s.padding[1], s.dilation[1])
    cdef Py_ssize_t dn = od * s.stride[0] - s.padding[0] + (s.kernel[0] - 1) * s.dilation[0] + 1
    cdef Py_ssize_t hn = oh * s.stride[1] - s.padding[1] + (s.kernel[1] - 1) * s.dilation[1] + 1
    dn = dn if dn < s.in_size[0] else s.in_size[0]
    hn = hn if hn < h else h
    while j0 < s.out_size[2]:
        n = s.out_size[2] - j0 if s.out_size[2] - j0 < CHUNK else CHUNK
        for j in range(n):
            best[j] = _lowest(tag)
        for j in range(n):
            where[j] = <int32_t>((d0 * h + h0) * w
                                 + _first(j0 + j, s.stride[2], s.padding[2], s.dilation[2]))
        td = d0
        while td < dn:
            th = h0
            while th < hn:
                for tw in range(s.kernel[2]):
                    # outputs whose input column, j * stride + at, lies inside
                    at = j0 * s.stride[2] + tw * s.dilation[2] - s.padding[2]
                    low = 0 if at >= 0 else (-at + s.stride[2] - 1) // s.stride[2]
                    high = (w - at + s.stride[2] - 1) // s.stride[2] if w > at else 0
                    high = high if high < n else n
                    if low < high:
                        at += (td * h + th) * w + low * s.stride[2]
                        _take(high - low, best + low, where + low, x + at, s.stride[2],
                              <int32_t>at)
                th += s.dilation[1]
            td += s.dilation[0]
        for j in range(n):
            out[j0 + j] = best[j]
        for j in range(n):
            indices[j0 + j] = where[j]
        j0 += CHUNK


cdef void _max_planes(Number* tag, const PoolShape* s, const char* x, char* out, char* indices,
                      Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    cdef Py_ssize_t plane, od, oh, n_in = _volume(s.in_size), n_out = _volume(s.out_size), at
    for plane in range(low, high):
        at = plane * n_out
        for od in range(s.out_size[0]):
            for oh in range(s.out_size[1]):
                _max_line(tag, s, <const Number*>x + plane * n_in, od, oh, <Number*>out + at,
                          <int64_t*>indices + at)
                at += s.out_size[2]


cdef inline Py_ssize_t _begin(Py_ssize_t o, Py_ssize_t n_in, Py_ssize_t n_out) noexcept nogil:
    return o * n_in // n_out


cdef inline Py_ssize_t _end(Py_ssize_t o, Py_ssize_t n_in, Py_ssize_t n_out) noexcept nogil:
    return ((o + 1) * n_in + n_out - 1) // n_out


cdef void _adaptive_planes(Number* tag, const PoolShape* s, const char* x_, char* out_,
                           char* indices_, Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    cdef const Number* x
    cdef Number* out = <Number*>out_ + low * _volume(s.out_size)
    cdef int64_t* indices = <int64_t*>indices_ + low * _volume(s.out_size)
    cdef Py_ssize_t plane, od, oh, ow, d, h, w
    cdef Py_ssize_t d0, h0, w0, d1, h1, w1, n = s.in_size[2], area = s.in_size[1] * n
    cdef Number best
    cdef int32_t where
    for plane in range(low, high):
        x = <const Number*>x_ + plane * s.in_size[0] * area
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
                    where = <int32_t>(d0 * area + h0 * n + w0)
                    for d in range(d0, d1):
                        for h in range(h0, h1):
                            for w in range(w0, w1):
                                _take_of(1, &best, &where, x + d * area + h * n + w, 1,
                                         <int32_t>(d * area + h * n + w))
                    out[0] = best
                    indices[0] = where
                    out += 1
                    indices += 1


cdef int _run(Number* tag, const PoolShape* s, bint adaptive, const char* x, char* out,
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
    for part in prange(parts, num_threads=parts, schedule="static"):
        if adaptive:
            _adaptive_planes(tag, s, x, out, indices, planes * part // parts,
                             planes * (part + 1) // parts)
        else:
            _max_planes(tag, s, x, out, indices, planes * part // parts,
                        planes * (part + 1) // parts)
    return POOL_OK


cdef int max_pool(int dtype, const PoolShape* s, const char* input_, char* output,
                  char* indices) noexcept nogil:
    if dtype == Float32:
        return _run(<float*>NULL, s, False, input_, output, indices)
    if dtype == Float64:
        return _run(<double*>NULL, s, False, input_, output, indices)
    if dtype == Float16:
        return _run(<Half*>NULL, s, False, input_, output, indices)
    if dtype == Int64:
        return _run(<int64_t*>NULL, s, False, input_, output, indices)
    if dtype == Int32:
        return _run(<int32_t*>NULL, s, False, input_, output, indices)
    if dtype == Int16:
        return _run(<int16_t*>NULL, s, False, input_, output, indices)
    if dtype == Int8:
        return _run(<int8_t*>NULL, s, False, input_, output, indices)
    if dtype == UInt8:
        return _run(<uint8_t*>NULL, s, False, input_, output, indices)
    return POOL_NO_DTYPE


cdef int adaptive_max_pool(int dtype, const PoolShape* s, const char* input_, char* output,
                           char* indices) noexcept nogil:
    if dtype == Float32:
        return _run(<float*>NULL, s, True, input_, output, indices)
    if dtype == Float64:
        return _run(<double*>NULL, s, True, input_, output, indices)
    if dtype == Float16:
        return _run(<Half*>NULL, s, True, input_, output, indices)
    return POOL_NO_DTYPE


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
            continue        # a window with no element in the input, or indices of a user's making
        target = out + indices[i]
        if Floating is Half:
            target.bits = float_to_half(half_to_float(target.bits) + half_to_float(grad[i].bits))
        else:
            target[0] += grad[i]


cdef int max_pool_backward(int dtype, const PoolShape* s, const char* grad_output,
                           const char* indices, char* grad_input) noexcept nogil:
    cdef Py_ssize_t n_in = _volume(s.in_size), n_out = _volume(s.out_size), plane
    cdef Py_ssize_t size = itemsizes[dtype]
    cdef int parts
    if dtype != Float32 and dtype != Float64 and dtype != Float16:
        return POOL_NO_DTYPE
    parts = threads_for(s.planes * (n_out + n_in // 8))
    for plane in prange(s.planes, num_threads=parts, schedule="static"):
        memset(grad_input + plane * n_in * size, 0, n_in * size)
        if dtype == Float32:
            _scatter(<float*>NULL, grad_output + plane * n_out * size,
                     indices + plane * n_out * 8, n_out, grad_input + plane * n_in * size, n_in)
        elif dtype == Float64:
            _scatter(<double*>NULL, grad_output + plane * n_out * size,
                     indices + plane * n_out * 8, n_out, grad_input + plane * n_in * size, n_in)
        else:
            _scatter(<Half*>NULL, grad_output + plane * n_out * size,
                     indices + plane * n_out * 8, n_out, grad_input + plane * n_in * size, n_in)
    return POOL_OK
