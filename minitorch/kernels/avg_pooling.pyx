"""Average pooling.

Like maximum pooling it works out a line of outputs together, one pass for each tap of the window,
into sums in a buffer. float16 is summed and divided in float32.
"""

from libc.stdint cimport int64_t, uint16_t
from libc.string cimport memset

from cython.parallel cimport prange

from minitorch.core.dtype cimport Float16, Float32, Float64, Int64, itemsizes
from minitorch.kernels.half cimport float_to_half, half_to_float
from minitorch.kernels.parallel cimport threads_for
from minitorch.kernels.pooling cimport POOL_NO_DTYPE, POOL_OK
from minitorch.kernels.simd cimport simd

ctypedef struct Half:
    uint16_t bits

ctypedef fused Number:
    Half
    int64_t
    float
    double

# What a type is summed in
ctypedef fused Sum:
    int64_t
    float
    double

cdef enum:
    CHUNK = 256                # outputs worked out together


cdef inline Py_ssize_t _volume(const Py_ssize_t* size) noexcept nogil:
    return size[0] * size[1] * size[2]


# -- windows --------------------------------------------------------------------------------------

cdef struct Window:
    Py_ssize_t begin           # inside the input
    Py_ssize_t end
    Py_ssize_t padded          # its size with padding


cdef inline Window _window(const PoolShape* s, int d, Py_ssize_t o, bint adaptive) noexcept nogil:
    cdef Window w
    cdef Py_ssize_t n = s.in_size[d]
    if adaptive:
        w.begin = o * n // s.out_size[d]
        w.end = ((o + 1) * n + s.out_size[d] - 1) // s.out_size[d]
        w.padded = w.end - w.begin
        return w
    w.begin = o * s.stride[d] - s.padding[d]
    w.end = w.begin + s.kernel[d]
    w.end = w.end if w.end < n + s.padding[d] else n + s.padding[d]
    w.padded = w.end - w.begin
    w.begin = w.begin if w.begin > 0 else 0
    w.end = w.end if w.end < n else n
    w.end = w.end if w.end > w.begin else w.begin
    return w


cdef inline int64_t _divisor(const Window* d, const Window* h, const Window* w,
                             bint count_include_pad, long long override) noexcept nogil:
    if override != 0:
        return override
    if count_include_pad:
        return d.padded * h.padded * w.padded
    return (d.end - d.begin) * (h.end - h.begin) * (w.end - w.begin)


# -- one tap of a line ----------------------------------------------------------------------------

cdef inline void _add_of(Py_ssize_t n, Sum* sums, const Number* x, Py_ssize_t step) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(n):
        if Number is Half:
            sums[j] = <Sum>(sums[j] + half_to_float(x[j * step].bits))
        else:
            sums[j] = <Sum>(sums[j] + x[j * step])


cdef simd _add_float(Py_ssize_t n, float* sums, const float* x, Py_ssize_t step) noexcept nogil:
    if step == 1:
        _add_of(n, sums, x, 1)
    elif step == 2:
        _add_of(n, sums, x, 2)
    else:
        _add_of(n, sums, x, step)


cdef inline void _add(Py_ssize_t n, Sum* sums, const Number* x, Py_ssize_t step) noexcept nogil:
    if Number is float and Sum is float:
        _add_float(n, sums, x, step)
    else:
        _add_of(n, sums, x, step)


cdef void _mean_line(Sum* sum_tag, Number* tag, const PoolShape* s, bint count_pad, long long override,
                     const Number* x, Py_ssize_t od, Py_ssize_t oh, Number* out) noexcept nogil:
    cdef Sum sums[CHUNK]
    cdef Sum quotient
    cdef Window d = _window(s, 0, od, False), h = _window(s, 1, oh, False), w
    cdef Py_ssize_t n_w = s.in_size[2], area = s.in_size[1] * n_w
    cdef Py_ssize_t j0 = 0, n, j, low, high, at, td, th, tw
    while j0 < s.out_size[2]:
        n = s.out_size[2] - j0 if s.out_size[2] - j0 < CHUNK else CHUNK
        for j in range(n):
            sums[j] = 0
        for td in range(d.begin, d.end):
            for th in range(h.begin, h.end):
                for tw in range(s.kernel[2]):
                    at = j0 * s.stride[2] + tw - s.padding[2]
                    low = 0 if at >= 0 else (-at + s.stride[2] - 1) // s.stride[2]
                    high = (n_w - at + s.stride[2] - 1) // s.stride[2] if n_w > at else 0
                    high = high if high < n else n
                    if low < high:
                        _add(high - low, sums + low,
                             x + td * area + th * n_w + at + low * s.stride[2], s.stride[2])
        for j in range(n):
            w = _window(s, 2, j0 + j, False)
            quotient = 0
            if d.end > d.begin and h.end > h.begin and w.end > w.begin:
                quotient = sums[j] / <Sum>_divisor(&d, &h, &w, count_pad, override)
            if Number is Half:
                out[j0 + j].bits = float_to_half(<float>quotient)
            else:
                out[j0 + j] = <Number>quotient
        j0 += CHUNK


cdef void _adaptive_line(Sum* sum_tag, Number* tag, const PoolShape* s, const Number* x,
                         Py_ssize_t od, Py_ssize_t oh, Number* out) noexcept nogil:
    cdef Sum total
    cdef Window d = _window(s, 0, od, True), h = _window(s, 1, oh, True), w
    cdef Py_ssize_t n_w = s.in_size[2], area = s.in_size[1] * n_w, ow, td, th
    cdef Py_ssize_t j
    for ow in range(s.out_size[2]):
        w = _window(s, 2, ow, True)
        total = 0
        for td in range(d.begin, d.end):
            for th in range(h.begin, h.end):
                for j in range(w.begin, w.end):
                    _add_of(1, &total, x + td * area + th * n_w + j, 1)
        # one division after the other, as PyTorch does it: they round differently from one
        total = total / (d.end - d.begin) / (h.end - h.begin) / (w.end - w.begin)
        if Number is Half:
            out[ow].bits = float_to_half(<float>total)
        else:
            out[ow] = <Number>total


cdef void _mean_planes(Sum* sum_tag, Number* tag, const PoolShape* s, bint adaptive, bint count_pad,
                       long long override, const char* x_, char* out_, Py_ssize_t low,
                       Py_ssize_t high) noexcept nogil:
    cdef Py_ssize_t plane, od, oh, n_in = _volume(s.in_size)
    cdef const Number* x
    cdef Number* out = <Number*>out_ + low * _volume(s.out_size)
    for plane in range(low, high):
        x = <const Number*>x_ + plane * n_in
        for od in range(s.out_size[0]):
            for oh in range(s.out_size[1]):
                if adaptive:
                    _adaptive_line(sum_tag, tag, s, x, od, oh, out)
                else:
                    _mean_line(sum_tag, tag, s, count_pad, override, x, od, oh, out)
                out += s.out_size[2]


# -- backward -------------------------------------------------------------------------------------

cdef void _spread_planes(Sum* sum_tag, Number* tag, const PoolShape* s, bint adaptive,
                         bint count_pad, long long override, const char* grad_, char* out_,
                         Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    cdef Py_ssize_t plane, od, oh, ow, td, th, tw, n_in = _volume(s.in_size)
    cdef Py_ssize_t n_w = s.in_size[2], area = s.in_size[1] * n_w
    cdef Window d, h, w
    cdef Sum share
    cdef Number* out
    cdef Number* line
    cdef const Number* grad = <const Number*>grad_ + low * _volume(s.out_size)
    for plane in range(low, high):
        out = <Number*>out_ + plane * n_in
        memset(out, 0, n_in * sizeof(Number))
        for od in range(s.out_size[0]):
            d = _window(s, 0, od, adaptive)
            for oh in range(s.out_size[1]):
                h = _window(s, 1, oh, adaptive)
                for ow in range(s.out_size[2]):
                    w = _window(s, 2, ow, adaptive)
                    if Number is Half:
                        share = <Sum>half_to_float(grad[0].bits)
                    else:
                        share = <Sum>grad[0]
                    grad += 1
                    if d.end == d.begin or h.end == h.begin or w.end == w.begin:
                        continue
                    if adaptive:
                        share = (share / (d.end - d.begin) / (h.end - h.begin)
                                 / (w.end - w.begin))
                    else:
                        share = share / <Sum>_divisor(&d, &h, &w, count_pad, override)
                    for td in range(d.begin, d.end):
                        for th in range(h.begin, h.end):
                            line = out + td * area + th * n_w
                            for tw in range(w.begin, w.end):
                                if Number is Half:
                                    line[tw].bits = float_to_half(
                                        half_to_float(line[tw].bits) + <float>share)
                                else:
                                    line[tw] = <Number>(line[tw] + share)


# -- the interface --------------------------------------------------------------------------------

cdef void _planes(Sum* sum_tag, Number* tag, const PoolShape* s, bint backward, bint adaptive,
                  bint count_pad, long long override, const char* x, char* out) noexcept nogil:
    cdef Py_ssize_t planes = s.planes
    cdef Py_ssize_t work = planes * _volume(s.in_size)
    cdef int part, parts
    if not adaptive:
        work += planes * _volume(s.out_size) * _volume(s.kernel)
    parts = threads_for(work // 2)
    parts = parts if parts < planes else <int>planes
    for part in prange(parts, num_threads=parts, schedule="static"):
        if backward:
            _spread_planes(sum_tag, tag, s, adaptive, count_pad, override, x, out,
                           planes * part // parts, planes * (part + 1) // parts)
        else:
            _mean_planes(sum_tag, tag, s, adaptive, count_pad, override, x, out,
                         planes * part // parts, planes * (part + 1) // parts)


cdef int _run(int dtype, const PoolShape* s, bint backward, bint adaptive, bint count_pad,
              long long override, const char* x, char* out) noexcept nogil:
    if not (dtype == Float16 or dtype == Float32 or dtype == Float64
            or dtype == Int64 and not adaptive):
        return POOL_NO_DTYPE
    if s.planes == 0 or _volume(s.in_size) == 0 and backward:
        return POOL_OK
    if dtype == Float32:
        _planes(<float*>NULL, <float*>NULL, s, backward, adaptive, count_pad, override, x, out)
    elif dtype == Float64:
        _planes(<double*>NULL, <double*>NULL, s, backward, adaptive, count_pad, override, x, out)
    elif dtype == Float16:
        _planes(<float*>NULL, <Half*>NULL, s, backward, adaptive, count_pad, override, x, out)
    else:
        _planes(<int64_t*>NULL, <int64_t*>NULL, s, backward, adaptive, count_pad, override, x, out)
    return POOL_OK


cdef int avg_pool(int dtype, const PoolShape* s, bint count_include_pad, long long divisor_override,
                  const char* input_, char* output) noexcept nogil:
    return _run(dtype, s, False, False, count_include_pad, divisor_override, input_, output)


cdef int avg_pool_backward(int dtype, const PoolShape* s, bint count_include_pad,
                           long long divisor_override, const char* grad_output,
                           char* grad_input) noexcept nogil:
    return _run(dtype, s, True, False, count_include_pad, divisor_override, grad_output, grad_input)


cdef int adaptive_avg_pool(int dtype, const PoolShape* s, const char* input_,
                           char* output) noexcept nogil:
    return _run(dtype, s, False, True, False, 0, input_, output)


cdef int adaptive_avg_pool_backward(int dtype, const PoolShape* s, const char* grad_output,
                                    char* grad_input) noexcept nogil:
    return _run(dtype, s, True, True, False, 0, grad_output, grad_input)
