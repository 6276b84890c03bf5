# The windows of images as columns, and back, on contiguous memory: `planes` (batch times channels) images of
# `size`, and columns of shape (planes, kernel rows, kernel columns, windows down, windows across).

cdef struct ColumnsShape:
    Py_ssize_t planes
    Py_ssize_t[2] size
    Py_ssize_t[2] kernel
    Py_ssize_t[2] dilation
    Py_ssize_t[2] padding
    Py_ssize_t[2] stride
    Py_ssize_t[2] count            # number of windows

# Copy elements of `item` bytes, with zeros outside of the image
cdef void im2col(const ColumnsShape* s, Py_ssize_t item, const char* image, char* columns) noexcept nogil

# Add columns to the image; elements have `parts` numbers (2 if complex). Float32 and Float64; returns -1 for
# other dtypes
cdef int col2im(const ColumnsShape* s, int dtype, int parts, const char* columns,
                char* image) noexcept nogil
