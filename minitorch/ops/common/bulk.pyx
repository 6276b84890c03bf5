"""Zeros, and sums into strided tensors that may contain an element more than once."""

from libc.string cimport memset

from minitorch.core.dtype cimport is_complex, is_reduced_floating, itemsizes
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, data, empty, ndim, numel, read_sizes, sizes, strides)
from minitorch.kernels.common.copy cimport coalesce
from minitorch.kernels.common.table cimport ADD, Kernel, binary_kernel


cdef void _add(Kernel* kernel, int dims, const Py_ssize_t* n, char* a, const Py_ssize_t* to,
               char* b, const Py_ssize_t* of, bint reads_ahead) noexcept nogil:
    cdef Py_ssize_t[MAX_DIMS] size
    cdef Py_ssize_t[MAX_DIMS] x
    cdef Py_ssize_t[MAX_DIMS] y
    cdef Py_ssize_t[MAX_DIMS] index
    cdef Py_ssize_t[3] steps
    cdef char* args[3]
    cdef Py_ssize_t inner = 1
    cdef int d, last = coalesce(dims, n, to, of, size, x, y)
    if last < 0:
        return
    steps[0] = steps[1] = steps[2] = 0
    if last > 1 and x[last - 1] == 0 and size[last - 1] < size[last - 2]:
        # the inner loop would add a few numbers into one element; adding whole rows is faster
        size[last - 1], size[last - 2] = size[last - 2], size[last - 1]
        x[last - 1], x[last - 2] = x[last - 2], x[last - 1]
        y[last - 1], y[last - 2] = y[last - 2], y[last - 1]
    if last > 0 and not (reads_ahead and x[last - 1] == 0):
        last -= 1
        inner = size[last]
        steps[0] = steps[2] = x[last]
        steps[1] = y[last]
    memset(index, 0, sizeof(index))
    while True:
        args[0] = args[2] = a
        args[1] = b
        kernel.loop(args, &inner, steps, kernel.data)
        d = last - 1
        while d >= 0:
            index[d] += 1
            a += x[d]
            b += y[d]
            if index[d] < size[d]:
                break
            a -= x[d] * size[d]
            b -= y[d] * size[d]
            index[d] = 0
            d -= 1
        if d < 0:
            return


cdef int add_into(TensorImpl target, TensorImpl source) except -1:
    cdef Py_ssize_t[MAX_DIMS] to
    cdef Py_ssize_t[MAX_DIMS] of
    cdef Kernel* kernel = binary_kernel(ADD, target.dtype)
    cdef char* a = data(target)
    cdef char* b = data(source)
    cdef Py_ssize_t* n = sizes(target)
    cdef Py_ssize_t item = itemsizes[target.dtype]
    cdef int d, dims = ndim(target)
    # These loops read a block of elements before they add, which is wrong if all of them are the same element.
    cdef bint reads_ahead = is_reduced_floating(target.dtype) or is_complex(target.dtype)
    for d in range(dims):
        to[d] = strides(target)[d] * item
        of[d] = strides(source)[d] * item
    if numel(target) >= RELEASE_GIL:
        with nogil:
            _add(kernel, dims, n, a, to, b, of, reads_ahead)
    else:
        _add(kernel, dims, n, a, to, b, of, reads_ahead)
    return 0


cdef TensorImpl zeros(int ndim, const Py_ssize_t* sizes, int dtype):
    cdef TensorImpl result = empty(ndim, sizes, dtype)
    memset(data(result), 0, numel(result) * itemsizes[dtype])
    return result


cdef TensorImpl zeros_tuple(object sizes, int dtype):
    cdef Py_ssize_t[MAX_DIMS] n
    return zeros(read_sizes(sizes, n), n, dtype)


cdef str shape_text(int n, const Py_ssize_t* values):
    return str([values[d] for d in range(n)])
