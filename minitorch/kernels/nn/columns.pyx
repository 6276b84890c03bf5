"""Windows of images as columns: each row of windows is a strided copy along a row of the image."""

from libc.string cimport memcpy, memset

from minitorch.core.dtype cimport Float32, Float64
from minitorch.kernels.common.types cimport Real


# Store the first and one past the last window of a row whose element at `offset` is within `n` elements
cdef inline void _inside(Py_ssize_t offset, Py_ssize_t stride, Py_ssize_t n, Py_ssize_t count,
                         Py_ssize_t* low, Py_ssize_t* high) noexcept nogil:
    low[0] = 0 if offset >= 0 else (-offset - 1) // stride + 1
    high[0] = 0 if offset >= n else (n - offset - 1) // stride + 1
    low[0] = count if low[0] > count else low[0]
    high[0] = count if high[0] > count else high[0]
    high[0] = low[0] if high[0] < low[0] else high[0]


cdef void im2col(const ColumnsShape* s, Py_ssize_t item, const char* image, char* columns) noexcept nogil:
    cdef Py_ssize_t _, i, j, row, at, k, low, high, offset
    cdef Py_ssize_t across = s.count[1], line = s.size[1] * item, step = s.stride[1] * item
    cdef const char* x
    for _ in range(s.planes):
        for i in range(s.kernel[0]):
            for j in range(s.kernel[1]):
                offset = j * s.dilation[1] - s.padding[1]
                _inside(offset, s.stride[1], s.size[1], across, &low, &high)
                for row in range(s.count[0]):
                    at = row * s.stride[0] - s.padding[0] + i * s.dilation[0]
                    if at < 0 or at >= s.size[0] or low == high:
                        memset(columns, 0, across * item)
                        columns += across * item
                        continue
                    memset(columns, 0, low * item)
                    x = image + at * line + (low * s.stride[1] + offset) * item
                    if s.stride[1] == 1:
                        memcpy(columns + low * item, x, (high - low) * item)
                    else:
                        for k in range(low, high):
                            memcpy(columns + k * item, x, item)
                            x += step
                    memset(columns + high * item, 0, (across - high) * item)
                    columns += across * item
        image += s.size[0] * line


cdef void _add_back(const ColumnsShape* s, int parts, const Real* columns, Real* image) noexcept nogil:
    cdef Py_ssize_t _, i, j, row, at, k, low, high, offset
    cdef Py_ssize_t across = s.count[1], line = s.size[1] * parts, step = s.stride[1] * parts
    cdef int part
    cdef Real* y
    for _ in range(s.planes):
        for i in range(s.kernel[0]):
            for j in range(s.kernel[1]):
                offset = j * s.dilation[1] - s.padding[1]
                _inside(offset, s.stride[1], s.size[1], across, &low, &high)
                for row in range(s.count[0]):
                    at = row * s.stride[0] - s.padding[0] + i * s.dilation[0]
                    if 0 <= at < s.size[0] and low < high:
                        y = image + at * line + (low * s.stride[1] + offset) * parts
                        for k in range(low, high):
                            for part in range(parts):
                                y[part] += columns[k * parts + part]
                            y += step
                    columns += across * parts
        image += s.size[0] * line


cdef int col2im(const ColumnsShape* s, int dtype, int parts, const char* columns,
                char* image) noexcept nogil:
    if dtype == Float32:
        _add_back[float](s, parts, <const float*>columns, <float*>image)
    elif dtype == Float64:
        _add_back[double](s, parts, <const double*>columns, <double*>image)
    else:
        return -1
    return 0
