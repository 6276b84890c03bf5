# The extent of the windows of convolutions and columns, if it fits in 64 bits.

from minitorch.core.overflow cimport add_overflows, mul_overflows


# From the first to the last element of a window
cdef inline Py_ssize_t extent(Py_ssize_t kernel, Py_ssize_t dilation) except? -1:
    cdef Py_ssize_t span
    if mul_overflows(dilation, kernel - 1, &span) or add_overflows(span, 1, &span):
        raise RuntimeError(f"a window of {kernel} elements with a dilation of {dilation} is too large")
    return span


cdef inline Py_ssize_t padded(Py_ssize_t size, Py_ssize_t padding) except? -1:
    cdef Py_ssize_t both
    if mul_overflows(padding, 2, &both) or add_overflows(size, both, &both):
        raise RuntimeError(f"a size of {size} with a padding of {padding} is too large")
    return both
