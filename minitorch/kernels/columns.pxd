# The windows of images as columns, and back, on contiguous memory: `planes` (batch times channels) images
# of `size`, and columns of (planes, kernel rows, kernel columns, windows down, windows across).

cdef struct ColumnsShape:
    Py_ssize_t planes
    Py_ssize_t[2] size
    Py_ssize_t[2] kernel
    Py_ssize_t[2] dilation
    Py_ssize_t[2] padding
    Py_ssize_t[2] stride
    Py_ssize_t[2] count            # of windows

# Elements of `item` bytes, zeros outside of the image
cdef void im2col(const ColumnsShape* s, Py_ssize_t item, const char* image, char* columns) noexcept nogil

# Adds to the image, elements of `parts` numbers (2 for complex ones). Float32 and Float64; -1: another dtype
cdef int col2im(const ColumnsShape* s, int dtype, int parts, const char* columns,
                char* image) noexcept nogil
