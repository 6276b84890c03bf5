"""Optimizer steps on the data of one parameter."""

from minitorch.core.dtype cimport Float32, Float64
from minitorch.core.tensor_impl cimport TensorImpl, data, is_contiguous, numel, same_sizes
from minitorch.kernels.nn.optim cimport AdamStep, SgdStep, adam_step, sgd_step
from minitorch.ops.common.bulk cimport RELEASE_GIL


cdef bint takes_steps(TensorImpl p) noexcept:
    return (p.dtype == Float32 or p.dtype == Float64) and is_contiguous(p)


cdef bint suits(TensorImpl t, TensorImpl p) noexcept:
    return t.dtype == p.dtype and is_contiguous(t) and same_sizes(t.geometry, p.geometry)


cdef int sgd_(TensorImpl p, TensorImpl grad, TensorImpl velocity, SgdStep* options) except -1:
    cdef char* v = NULL if velocity is None else data(velocity)
    cdef char* x = data(p)
    cdef char* g = data(grad)
    cdef Py_ssize_t n = numel(p)
    cdef int dtype = p.dtype
    if n >= RELEASE_GIL:
        with nogil:
            sgd_step(x, g, v, n, dtype, options)
    else:
        sgd_step(x, g, v, n, dtype, options)
    return 0


cdef int adam_(TensorImpl p, TensorImpl grad, TensorImpl mean, TensorImpl square,
               TensorImpl largest, AdamStep* options) except -1:
    cdef char* most = NULL if largest is None else data(largest)
    cdef char* x = data(p)
    cdef char* g = data(grad)
    cdef char* m = data(mean)
    cdef char* s = data(square)
    cdef Py_ssize_t n = numel(p)
    cdef int dtype = p.dtype
    if n >= RELEASE_GIL:
        with nogil:
            adam_step(x, g, m, s, most, n, dtype, options)
    else:
        adam_step(x, g, m, s, most, n, dtype, options)
    return 0
