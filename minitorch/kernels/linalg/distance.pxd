# Distances between rows. Matrices are row-major without gaps; dtype is Float32 or Float64. `p` is the order of
# the norm, from 0 to inf. The functions return False for other dtypes.

# out (rows1, rows2): the distance of each row of x1 from each row of x2
cdef bint cdist(int dtype, Py_ssize_t rows1, Py_ssize_t rows2, Py_ssize_t cols, const char* x1,
                const char* x2, double p, char* out) noexcept nogil
# grad_x1 (rows1, cols), overwritten, from the gradient of the distances and the distances
cdef bint cdist_backward(int dtype, Py_ssize_t rows1, Py_ssize_t rows2, Py_ssize_t cols,
                         const char* grad, const char* x1, const char* x2, double p,
                         const char* dist, char* grad_x1) noexcept nogil
# out (rows (rows - 1) / 2): the distance of each row of x from the rows after it
cdef bint pdist(int dtype, Py_ssize_t rows, Py_ssize_t cols, const char* x, double p,
                char* out) noexcept nogil
cdef bint pdist_backward(int dtype, Py_ssize_t rows, Py_ssize_t cols, const char* grad,
                         const char* x, double p, const char* dist, char* grad_x) noexcept nogil
