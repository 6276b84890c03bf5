"""Padding with elements of the input: row by row, with the middle of a row copied in one piece."""

from libc.string cimport memcpy

from cython.parallel cimport prange

from minitorch.core.dtype cimport Complex64, Float32, Float64
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.types cimport Field


cdef inline void _pad_row(const PadMaps* m, Py_ssize_t size, const char* row,
                          char* to) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(m.run_start):
        memcpy(to + k * size, row + m.map[2][k] * size, size)
    memcpy(to + m.run_start * size, row + m.map[2][m.run_start] * size,
           (m.run_end - m.run_start) * size)
    for k in range(m.run_end, m.out_size[2]):
        memcpy(to + k * size, row + m.map[2][k] * size, size)


cdef inline void _pad_row4(const PadMaps* m, const int* row, int* to) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(m.run_start):
        to[k] = row[m.map[2][k]]
    memcpy(to + m.run_start, row + m.map[2][m.run_start], (m.run_end - m.run_start) * 4)
    for k in range(m.run_end, m.out_size[2]):
        to[k] = row[m.map[2][k]]


cdef inline void _pad_plane(const PadMaps* m, Py_ssize_t size, const char* plane,
                            char* to) noexcept nogil:
    cdef Py_ssize_t i, j
    cdef const char* row
    for i in range(m.out_size[0]):
        for j in range(m.out_size[1]):
            row = plane + (m.map[0][i] * m.in_size[1] + m.map[1][j]) * m.in_size[2] * size
            if size == 4:
                _pad_row4(m, <const int*>row, <int*>to)
            else:
                _pad_row(m, size, row, to)
            to += m.out_size[2] * size


cdef void pad_from_input(const PadMaps* m, Py_ssize_t itemsize, const char* input_,
                         char* output) noexcept nogil:
    cdef Py_ssize_t of = m.in_size[0] * m.in_size[1] * m.in_size[2] * itemsize, p
    cdef Py_ssize_t to = m.out_size[0] * m.out_size[1] * m.out_size[2] * itemsize
    cdef int threads = threads_for(m.planes * to // 4)
    for p in prange(m.planes, num_threads=threads, schedule="static"):
        _pad_plane(m, itemsize, input_ + p * of, output + p * to)


cdef inline void _add_plane(const PadMaps* m, const Field* grad, Field* plane) noexcept nogil:
    cdef Py_ssize_t i, j, k
    cdef Field* row
    cdef Field* middle
    for i in range(m.out_size[0]):
        for j in range(m.out_size[1]):
            row = plane + (m.map[0][i] * m.in_size[1] + m.map[1][j]) * m.in_size[2]
            for k in range(m.run_start):
                row[m.map[2][k]] = row[m.map[2][k]] + grad[k]
            middle = row + m.map[2][m.run_start]
            for k in range(m.run_end - m.run_start):
                middle[k] = middle[k] + grad[m.run_start + k]
            for k in range(m.run_end, m.out_size[2]):
                row[m.map[2][k]] = row[m.map[2][k]] + grad[k]
            grad += m.out_size[2]


cdef void _add_planes(const PadMaps* m, const Field* grad, Field* grad_input) noexcept nogil:
    cdef Py_ssize_t of = m.in_size[0] * m.in_size[1] * m.in_size[2], p
    cdef Py_ssize_t to = m.out_size[0] * m.out_size[1] * m.out_size[2]
    cdef int threads = threads_for(m.planes * to)
    for p in prange(m.planes, num_threads=threads, schedule="static"):
        _add_plane(m, grad + p * to, grad_input + p * of)


cdef void pad_from_input_backward(int dtype, const PadMaps* m, const char* grad_output,
                                  char* grad_input) noexcept nogil:
    if dtype == Float32:
        _add_planes(m, <const float*>grad_output, <float*>grad_input)
    elif dtype == Float64:
        _add_planes(m, <const double*>grad_output, <double*>grad_input)
    elif dtype == Complex64:
        _add_planes(m, <const float complex*>grad_output, <float complex*>grad_input)
    else:
        _add_planes(m, <const double complex*>grad_output, <double complex*>grad_input)
