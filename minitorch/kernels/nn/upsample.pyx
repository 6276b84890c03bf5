"""Resampling: every output is a weighted sum of a few inputs along each dimension.

The weights are products of one factor per dimension, so a line of outputs is computed in two steps. First the
input lines are summed with the factors of depth and height, then the result is resampled along the width. The
gradient takes the same steps in reverse. Indices and factors of a dimension do not depend on the other dimensions
and are computed once.

Notes
-----
As in PyTorch, positions are computed in the precision of the data, since rounding decides which pixel is the
nearest. Cubic weights follow R. Keys, Cubic convolution interpolation for digital image processing, IEEE TASSP 29
(1981), with a = -0.75.
"""

from libc.math cimport floor, floorf
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from cython.parallel cimport prange

from minitorch.core.dtype cimport Float32, Float64, itemsizes
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.types cimport Real


# One dimension: for output o, taps * o is its first entry
cdef struct Axis:
    int taps
    Py_ssize_t* index
    void* weight


# -- indices and weights --------------------------------------------------------------------------

cdef inline Real _floor(Real x) noexcept nogil:
    if Real is float:
        return floorf(x)
    else:
        return floor(x)


cdef inline Py_ssize_t _clamp(Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    return 0 if i < 0 else n - 1 if i >= n else i


cdef void _entries(const UpsampleShape* s, int d, Axis* axis, Real* weight) noexcept nogil:
    cdef Py_ssize_t n = s.in_size[d], m = s.out_size[d], o, i
    cdef bint aligned = s.align_corners and s.mode >= UPSAMPLE_LINEAR
    cdef Real scale, x, t, a = <Real>-0.75
    cdef Real half = <Real>0.5
    cdef int k
    if aligned:
        scale = <Real>(n - 1) / <Real>(m - 1) if m > 1 else 0
    elif s.scale_factor[d] > 0:
        scale = <Real>(1 / s.scale_factor[d])
    else:
        scale = <Real>n / <Real>m
    for o in range(m):
        if s.mode == UPSAMPLE_NEAREST or s.mode == UPSAMPLE_NEAREST_EXACT:
            x = scale * (o if s.mode == UPSAMPLE_NEAREST else o + half)
            axis.index[o] = _clamp(<Py_ssize_t>_floor(x), n)
            weight[o] = 1
            continue
        x = scale * o if aligned else scale * (o + half) - half
        if s.mode == UPSAMPLE_LINEAR:
            x = x if x > 0 else 0
            i = _clamp(<Py_ssize_t>x, n)
            t = x - i
            t = 0 if t < 0 else 1 if t > 1 else t
            axis.index[2 * o] = i
            axis.index[2 * o + 1] = _clamp(i + 1, n)
            weight[2 * o] = 1 - t
            weight[2 * o + 1] = t
            continue
        i = <Py_ssize_t>_floor(x)
        t = x - i
        for k in range(4):
            axis.index[4 * o + k] = _clamp(i - 1 + k, n)
        x = t + 1
        weight[4 * o] = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
        weight[4 * o + 1] = ((a + 2) * t - (a + 3)) * t * t + 1
        x = 1 - t
        weight[4 * o + 2] = ((a + 2) * x - (a + 3)) * x * x + 1
        x = 2 - t
        weight[4 * o + 3] = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a


cdef int _axes(Real* tag, const UpsampleShape* s, Axis* axis) noexcept nogil:
    """Allocate and fill the three tables; free them as axis[0].index."""
    cdef Py_ssize_t entries = 0
    cdef char* memory
    cdef Py_ssize_t* index
    cdef Real* weight
    cdef int d
    for d in range(3):
        # a dimension whose size does not change needs one tap, like the leading ones
        axis[d].taps = 2 if s.mode == UPSAMPLE_LINEAR else 4 if s.mode == UPSAMPLE_CUBIC else 1
        if s.in_size[d] == 1 and s.out_size[d] == 1:
            axis[d].taps = 1
        entries += axis[d].taps * s.out_size[d]
    memory = <char*>malloc(entries * (sizeof(Py_ssize_t) + sizeof(Real)) + 1)
    axis[0].index = <Py_ssize_t*>memory
    if memory == NULL:
        return UPSAMPLE_NO_MEMORY
    index = <Py_ssize_t*>memory
    weight = <Real*>(memory + entries * sizeof(Py_ssize_t))
    for d in range(3):
        axis[d].index = index
        axis[d].weight = weight
        if s.in_size[d] == 1 and s.out_size[d] == 1:
            index[0] = 0
            weight[0] = 1
        else:
            _entries(s, d, &axis[d], weight)
        index += axis[d].taps * s.out_size[d]
        weight += axis[d].taps * s.out_size[d]
    return UPSAMPLE_OK


# -- nearest --------------------------------------------------------------------------------------

cdef void _pick(const UpsampleShape* s, const Axis* axis, Py_ssize_t item, const char* x, char* y,
                Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    cdef Py_ssize_t plane, od, oh, ow, w = s.in_size[2], n = s.out_size[2]
    cdef const Py_ssize_t* index = axis[2].index
    cdef const char* line
    y += low * s.out_size[0] * s.out_size[1] * n * item
    for plane in range(low, high):
        for od in range(s.out_size[0]):
            for oh in range(s.out_size[1]):
                line = x + ((plane * s.in_size[0] + axis[0].index[od]) * s.in_size[1]
                            + axis[1].index[oh]) * w * item
                if oh > 0 and axis[1].index[oh] == axis[1].index[oh - 1]:
                    memcpy(y, y - n * item, n * item)
                elif item == 4:
                    for ow in range(n):
                        (<int*>y)[ow] = (<const int*>line)[index[ow]]
                elif item == 8:
                    for ow in range(n):
                        (<long long*>y)[ow] = (<const long long*>line)[index[ow]]
                else:
                    for ow in range(n):
                        memcpy(y + ow * item, line + index[ow] * item, item)
                y += n * item


# -- sums -----------------------------------------------------------------------------------------

cdef void _forward(const UpsampleShape* s, const Axis* axis, const Real* x, Real* y,
                   Real* blend, Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    """Resample the planes [low, high); `blend` has room for a line of the input."""
    cdef Py_ssize_t plane, od, oh, ow, j, w = s.in_size[2], n = s.out_size[2]
    cdef int td, th, tw, taps = axis[2].taps
    cdef const Py_ssize_t* index
    cdef const Real* weight
    cdef const Real* line
    cdef Real factor, total
    y += low * s.out_size[0] * s.out_size[1] * n
    for plane in range(low, high):
        for od in range(s.out_size[0]):
            for oh in range(s.out_size[1]):
                memset(blend, 0, w * sizeof(Real))
                for td in range(axis[0].taps):
                    for th in range(axis[1].taps):
                        factor = (<Real*>axis[0].weight)[od * axis[0].taps + td]
                        factor *= (<Real*>axis[1].weight)[oh * axis[1].taps + th]
                        line = x + ((plane * s.in_size[0] + axis[0].index[od * axis[0].taps + td])
                                    * s.in_size[1] + axis[1].index[oh * axis[1].taps + th]) * w
                        for j in range(w):
                            blend[j] += factor * line[j]
                index = axis[2].index
                weight = <const Real*>axis[2].weight
                for ow in range(n):
                    total = 0
                    for tw in range(taps):
                        total += weight[tw] * blend[index[tw]]
                    y[ow] = total
                    index += taps
                    weight += taps
                y += n


cdef void _backward(const UpsampleShape* s, const Axis* axis, const Real* grad, Real* out,
                    Real* blend, Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    cdef Py_ssize_t plane, od, oh, ow, j, w = s.in_size[2], n = s.out_size[2]
    cdef int td, th, tw, taps = axis[2].taps
    cdef const Py_ssize_t* index
    cdef const Real* weight
    cdef Real* line
    cdef Real factor
    grad += low * s.out_size[0] * s.out_size[1] * n
    memset(out + low * s.in_size[0] * s.in_size[1] * w, 0,
           (high - low) * s.in_size[0] * s.in_size[1] * w * sizeof(Real))
    for plane in range(low, high):
        for od in range(s.out_size[0]):
            for oh in range(s.out_size[1]):
                memset(blend, 0, w * sizeof(Real))
                index = axis[2].index
                weight = <const Real*>axis[2].weight
                for ow in range(n):
                    for tw in range(taps):
                        blend[index[tw]] += weight[tw] * grad[ow]
                    index += taps
                    weight += taps
                grad += n
                for td in range(axis[0].taps):
                    for th in range(axis[1].taps):
                        factor = (<Real*>axis[0].weight)[od * axis[0].taps + td]
                        factor *= (<Real*>axis[1].weight)[oh * axis[1].taps + th]
                        line = out + (
                            (plane * s.in_size[0] + axis[0].index[od * axis[0].taps + td])
                            * s.in_size[1] + axis[1].index[oh * axis[1].taps + th]) * w
                        for j in range(w):
                            line[j] += factor * blend[j]


# -- the interface --------------------------------------------------------------------------------

cdef int _planes(Real* tag, const UpsampleShape* s, const Axis* axis, bint backward, const char* x,
                 char* y, Py_ssize_t item, Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    cdef Real* blend
    if not backward and s.mode < UPSAMPLE_LINEAR:
        _pick(s, axis, item, x, y, low, high)
        return UPSAMPLE_OK
    blend = <Real*>malloc(s.in_size[2] * sizeof(Real))
    if blend == NULL:
        return UPSAMPLE_NO_MEMORY
    if backward:
        _backward(s, axis, <const Real*>x, <Real*>y, blend, low, high)
    else:
        _forward(s, axis, <const Real*>x, <Real*>y, blend, low, high)
    free(blend)
    return UPSAMPLE_OK


cdef int _run(Real* tag, const UpsampleShape* s, bint backward, const char* x, char* y,
              Py_ssize_t item) noexcept nogil:
    cdef Axis axis[3]
    cdef Py_ssize_t planes = s.planes, n
    cdef int part, parts, status = _axes(tag, s, axis)
    if status == UPSAMPLE_OK:
        n = s.out_size[0] * s.out_size[1] * (s.out_size[2] + s.in_size[2])
        parts = threads_for(planes * n * axis[2].taps // 2)
        parts = parts if parts < planes else <int>planes
        if parts <= 1:
            status = _planes(tag, s, axis, backward, x, y, item, 0, planes)
        else:
            for part in prange(parts, num_threads=parts, schedule="static"):
                status |= _planes(tag, s, axis, backward, x, y, item, planes * part // parts,
                                  planes * (part + 1) // parts)
    free(axis[0].index)
    return status


cdef int upsample(int dtype, const UpsampleShape* s, const char* input_,
                  char* output) noexcept nogil:
    if dtype == Float64:
        return _run(<double*>NULL, s, False, input_, output, 8)
    if dtype == Float32 or s.mode < UPSAMPLE_LINEAR:
        return _run(<float*>NULL, s, False, input_, output, itemsizes[dtype])
    return UPSAMPLE_NO_DTYPE


cdef int upsample_backward(int dtype, const UpsampleShape* s, const char* grad_output,
                           char* grad_input) noexcept nogil:
    if dtype == Float64:
        return _run(<double*>NULL, s, True, grad_output, grad_input, 8)
    if dtype == Float32:
        return _run(<float*>NULL, s, True, grad_output, grad_input, 4)
    return UPSAMPLE_NO_DTYPE
