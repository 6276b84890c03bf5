"""Average pooling.

Like maximum pooling (pooling.pyx), it computes LANES outputs at once, tap by tap, and uses `_edge` for windows
that extend into the left or right padding. float16 and bfloat16 are summed and divided in float32.
"""

from libc.stdint cimport int64_t
from libc.string cimport memset

from cython.parallel cimport prange

from minitorch.core.dtype cimport BFloat16, Float16, Float32, Float64, Int64, has_float_kernels
from minitorch.kernels.common.half cimport bfloat16_t, half_t, narrow_t, store_float, to_float
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.nn.pooling cimport POOL_NO_DTYPE, POOL_OK

ctypedef fused Number:
    half_t
    bfloat16_t
    int64_t
    float
    double

# The type in which each dtype is summed
ctypedef fused Sum:
    int64_t
    float
    double

cdef enum:
    LANES = 8                  # outputs computed at once
    CHUNK = 256                # elements of a line, in the backward


cdef inline Py_ssize_t _volume(const Py_ssize_t* size) noexcept nogil:
    return size[0] * size[1] * size[2]


# -- windows --------------------------------------------------------------------------------------

cdef struct Window:
    Py_ssize_t begin           # inside the input
    Py_ssize_t end
    Py_ssize_t padded          # its size including padding


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


# -- one line of outputs --------------------------------------------------------------------------

cdef inline Sum _plus(Sum total, Number value) noexcept nogil:
    if Number in narrow_t:
        return <Sum>(total + to_float(value))
    else:
        return <Sum>(total + value)


cdef inline Sum _rounded(Sum value, const Number* tag) noexcept nogil:
    cdef Number narrow
    if Number in narrow_t:
        store_float(&narrow, <float>value)
        return <Sum>to_float(narrow)
    else:
        return value


cdef inline void _put(Sum value, Number* out) noexcept nogil:
    if Number in narrow_t:
        store_float(out, <float>value)
    else:
        out[0] = <Number>value


cdef inline void _inside_of(Sum* sum_tag, const PoolShape* s, const Window* d, const Window* h,
                            Sum divisor, const Number* x, Py_ssize_t step, Py_ssize_t low,
                            Py_ssize_t high, Number* out) noexcept nogil:
    """Compute the outputs [low, high), at least LANES, whose windows touch no left or right padding."""
    cdef Sum sums[LANES]
    cdef Py_ssize_t w = s.in_size[2], area = s.in_size[1] * w, j = low, td, th, tw
    cdef const Number* source
    cdef int i
    while True:
        for i in range(LANES):
            sums[i] = 0
        for td in range(d.begin, d.end):
            for th in range(h.begin, h.end):
                source = x + td * area + th * w - s.padding[2] + j * step
                for tw in range(s.kernel[2]):
                    for i in range(LANES):
                        sums[i] = _plus(sums[i], source[i * step + tw])
        for i in range(LANES):
            _put(sums[i] / divisor, out + j + i)
        if j + LANES == high:
            return
        j = j + LANES if j + 2 * LANES <= high else high - LANES


cdef simd _inside_float(const PoolShape* s, const Window* d, const Window* h, float divisor,
                        const float* x, Py_ssize_t low, Py_ssize_t high,
                        float* out) noexcept nogil:
    # with a constant step, gcc loads whole vectors and selects their elements
    if s.stride[2] == 1:
        _inside_of(<float*>NULL, s, d, h, divisor, x, 1, low, high, out)
    elif s.stride[2] == 2:
        _inside_of(<float*>NULL, s, d, h, divisor, x, 2, low, high, out)
    else:
        _inside_of(<float*>NULL, s, d, h, divisor, x, s.stride[2], low, high, out)


cdef void _edge(Sum* sum_tag, const PoolShape* s, const Window* d, const Window* h, bint count_pad,
                long long override, const Number* x, Py_ssize_t low, Py_ssize_t high,
                Number* out) noexcept nogil:
    """Compute the outputs [low, high) one by one."""
    cdef Sum total
    cdef Window w
    cdef Py_ssize_t j, td, th, tw, n_w = s.in_size[2], area = s.in_size[1] * n_w
    for j in range(low, high):
        w = _window(s, 2, j, False)
        total = 0
        if d.end > d.begin and h.end > h.begin and w.end > w.begin:
            for td in range(d.begin, d.end):
                for th in range(h.begin, h.end):
                    for tw in range(w.begin, w.end):
                        total = _plus(total, x[td * area + th * n_w + tw])
            total = total / <Sum>_divisor(d, h, &w, count_pad, override)
        _put(total, out + j)


cdef void _mean_line(Sum* sum_tag, Number* tag, const PoolShape* s, bint count_pad,
                     long long override, const Number* x, Py_ssize_t od, Py_ssize_t oh,
                     Number* out) noexcept nogil:
    cdef Window d = _window(s, 0, od, False), h = _window(s, 1, oh, False), w
    cdef Py_ssize_t n = s.out_size[2], low, high
    cdef Sum divisor
    low = (s.padding[2] + s.stride[2] - 1) // s.stride[2]
    high = s.in_size[2] - s.kernel[2] + 1 + s.padding[2]
    high = (high + s.stride[2] - 1) // s.stride[2] if high > 0 else 0
    high = high if high < n else n
    if high - low < LANES or d.end == d.begin or h.end == h.begin:
        _edge(sum_tag, s, &d, &h, count_pad, override, x, 0, n, out)
        return
    _edge(sum_tag, s, &d, &h, count_pad, override, x, 0, low, out)
    _edge(sum_tag, s, &d, &h, count_pad, override, x, high, n, out)
    w = _window(s, 2, low, False)
    divisor = <Sum>_divisor(&d, &h, &w, count_pad, override)
    if Number is float and Sum is float:
        _inside_float(s, &d, &h, divisor, x, low, high, out)
    else:
        _inside_of(sum_tag, s, &d, &h, divisor, x, s.stride[2], low, high, out)


cdef simd _span_float(Py_ssize_t n, const float* x, float* total) noexcept nogil:
    # sixteen independent sums
    cdef float sums[16]
    cdef Py_ssize_t j = 0
    cdef int i
    for i in range(16):
        sums[i] = 0
    while j + 16 <= n:
        for i in range(16):
            sums[i] += x[j + i]
        j += 16
    while j < n:
        total[0] += x[j]
        j += 1
    for i in range(8):
        sums[i] += sums[i + 8]
    total[0] += ((sums[0] + sums[1]) + (sums[2] + sums[3])
                 + ((sums[4] + sums[5]) + (sums[6] + sums[7])))


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
                if Number is float and Sum is float:
                    if w.end - w.begin == n_w:
                        # windows as wide as the input leave no gaps
                        _span_float(n_w * (h.end - h.begin), x + td * area + th * n_w, &total)
                        break
                for j in range(w.begin, w.end):
                    total = _plus(total, x[td * area + th * n_w + j])
        # divide repeatedly, as PyTorch does: one division by the product would round differently
        total = total / (d.end - d.begin) / (h.end - h.begin) / (w.end - w.begin)
        _put(total, out + ow)


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

cdef inline void _to_line(Py_ssize_t n, const Sum* share, Number* line, Py_ssize_t step,
                          Py_ssize_t taps) noexcept nogil:
    """Add line[j * step + t] += share[j] for t < taps, two taps at a time for a step of two."""
    cdef Py_ssize_t j, t = 0
    if step == 2:
        while t + 2 <= taps:
            for j in range(n):
                _put(_plus(share[j], line[2 * j + t]), line + 2 * j + t)
                _put(_plus(share[j], line[2 * j + t + 1]), line + 2 * j + t + 1)
            t += 2
    while t < taps:
        for j in range(n):
            _put(_plus(share[j], line[j * step + t]), line + j * step + t)
        t += 1


cdef simd _to_line_float(Py_ssize_t n, const float* share, float* line, Py_ssize_t step,
                         Py_ssize_t taps) noexcept nogil:
    if step == 1:
        _to_line(n, share, line, 1, taps)
    elif step == 2:
        _to_line(n, share, line, 2, taps)
    else:
        _to_line(n, share, line, step, taps)


cdef void _spread_line(Sum* sum_tag, Number* tag, const PoolShape* s, bint adaptive, bint count_pad,
                       long long override, const Window* d, const Window* h, const Number* grad,
                       Number* out) noexcept nogil:
    cdef Sum shares[CHUNK]
    cdef Window w
    cdef Py_ssize_t n_w = s.in_size[2], area = s.in_size[1] * n_w, n = s.out_size[2]
    cdef Py_ssize_t j0 = 0, j, low, high, td, th, tw, count
    cdef Number* line
    if d.end == d.begin or h.end == h.begin:
        return
    # outputs in [low, high) have their whole window inside the input; adaptive windows differ in size
    low = (s.padding[2] + s.stride[2] - 1) // s.stride[2]
    high = s.in_size[2] - s.kernel[2] + 1 + s.padding[2]
    high = (high + s.stride[2] - 1) // s.stride[2] if high > 0 else 0
    if adaptive or high < low:
        low = high = 0
    while j0 < n:
        count = n - j0 if n - j0 < CHUNK else CHUNK
        for j in range(count):
            w = _window(s, 2, j0 + j, adaptive)
            if Number in narrow_t:
                shares[j] = <Sum>to_float(grad[j0 + j])
            else:
                shares[j] = <Sum>grad[j0 + j]
            if w.end == w.begin:
                continue
            if adaptive:
                shares[j] = _rounded(shares[j] / (d.end - d.begin), grad)
                shares[j] = _rounded(shares[j] / (h.end - h.begin), grad)
                shares[j] = _rounded(shares[j] / (w.end - w.begin), grad)
            else:
                shares[j] = shares[j] / <Sum>_divisor(d, h, &w, count_pad, override)
        for td in range(d.begin, d.end):
            for th in range(h.begin, h.end):
                line = out + td * area + th * n_w
                j = j0
                while j < j0 + count:
                    if low <= j < high:
                        tw = high - j if high < j0 + count else j0 + count - j
                        if Number is float and Sum is float:
                            _to_line_float(tw, shares + j - j0,
                                           line + j * s.stride[2] - s.padding[2], s.stride[2],
                                           s.kernel[2])
                        else:
                            _to_line(tw, shares + j - j0, line + j * s.stride[2] - s.padding[2],
                                     s.stride[2], s.kernel[2])
                        j += tw
                        continue
                    w = _window(s, 2, j, adaptive)
                    for tw in range(w.begin, w.end):
                        _put(_plus(shares[j - j0], line[tw]), line + tw)
                    j += 1
        j0 += CHUNK


cdef void _spread_planes(Sum* sum_tag, Number* tag, const PoolShape* s, bint adaptive,
                         bint count_pad, long long override, const char* grad_, char* out_,
                         Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    cdef Py_ssize_t plane, od, oh, n_in = _volume(s.in_size)
    cdef Window d, h
    cdef const Number* grad = <const Number*>grad_ + first * _volume(s.out_size)
    for plane in range(first, last):
        memset(<Number*>out_ + plane * n_in, 0, n_in * sizeof(Number))
        for od in range(s.out_size[0]):
            d = _window(s, 0, od, adaptive)
            for oh in range(s.out_size[1]):
                h = _window(s, 1, oh, adaptive)
                _spread_line(sum_tag, tag, s, adaptive, count_pad, override, &d, &h, grad,
                             <Number*>out_ + plane * n_in)
                grad += s.out_size[2]


# -- the interface --------------------------------------------------------------------------------

cdef void _part(Sum* sum_tag, Number* tag, const PoolShape* s, bint backward, bint adaptive,
                bint count_pad, long long override, const char* x, char* out, Py_ssize_t low,
                Py_ssize_t high) noexcept nogil:
    if backward:
        _spread_planes(sum_tag, tag, s, adaptive, count_pad, override, x, out, low, high)
    else:
        _mean_planes(sum_tag, tag, s, adaptive, count_pad, override, x, out, low, high)


cdef void _planes(Sum* sum_tag, Number* tag, const PoolShape* s, bint backward, bint adaptive,
                  bint count_pad, long long override, const char* x, char* out) noexcept nogil:
    cdef Py_ssize_t planes = s.planes
    cdef Py_ssize_t work = planes * _volume(s.in_size)
    cdef int part, parts
    if not adaptive:
        work += planes * _volume(s.out_size) * _volume(s.kernel)
    parts = threads_for(work // 2)
    parts = parts if parts < planes else <int>planes
    if parts <= 1:
        _part(sum_tag, tag, s, backward, adaptive, count_pad, override, x, out, 0, planes)
    else:
        for part in prange(parts, num_threads=parts, schedule="static"):
            _part(sum_tag, tag, s, backward, adaptive, count_pad, override, x, out,
                  planes * part // parts, planes * (part + 1) // parts)


cdef int _run(int dtype, const PoolShape* s, bint backward, bint adaptive, bint count_pad,
              long long override, const char* x, char* out) noexcept nogil:
    if not (has_float_kernels(dtype) or dtype == Int64 and not adaptive):
        return POOL_NO_DTYPE
    if s.planes == 0 or _volume(s.in_size) == 0 and backward:
        return POOL_OK
    if dtype == Float32:
        _planes(<float*>NULL, <float*>NULL, s, backward, adaptive, count_pad, override, x, out)
    elif dtype == Float64:
        _planes(<double*>NULL, <double*>NULL, s, backward, adaptive, count_pad, override, x, out)
    elif dtype == Float16:
        _planes(<float*>NULL, <half_t*>NULL, s, backward, adaptive, count_pad, override, x, out)
    elif dtype == BFloat16:
        _planes(<float*>NULL, <bfloat16_t*>NULL, s, backward, adaptive, count_pad, override, x,
                out)
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
