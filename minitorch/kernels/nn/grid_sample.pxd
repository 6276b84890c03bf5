# Sampling images at the positions of a grid (`grid_sample`), in two or three dimensions.
#
# Each point is a weighted sum of pixels, and a weight is a product with one factor for each dimension. So the
# derivative with respect to a coordinate is the same sum with other factors, and all functions here can be
# differentiated again by `grid_weights` of higher order. Memory is contiguous: images (batch, channels, in_size),
# grids (batch, points, dims) with x, which belongs to the last dimension, first.

cdef enum GridInterpolation:       # PyTorch's numbers
    GRID_LINEAR = 0
    GRID_NEAREST = 1
    GRID_CUBIC = 2

cdef enum GridPadding:
    GRID_ZEROS = 0                 # zeros outside
    GRID_BORDER = 1                # the nearest pixel of the border
    GRID_REFLECTION = 2            # reflected at the borders

cdef struct GridShape:
    int dims                       # 2 or 3
    GridInterpolation interpolation
    GridPadding padding
    bint align_corners             # -1 and 1 are the centres of the outermost pixels, else their edges
    Py_ssize_t batch
    Py_ssize_t channels
    Py_ssize_t in_size[3]          # of the dimensions, first to last
    Py_ssize_t points              # of the grid, in each example

# The number of pixels that contribute to a point
cdef int grid_taps(const GridShape* s) noexcept nogil

# output (batch, channels, points). Float32 and Float64, here and below
cdef void grid_sample(int dtype, const GridShape* s, const char* input_, const char* grid,
                      char* output) noexcept nogil
# Either result may be NULL; grad_input is added to, grad_grid is set
cdef void grid_sample_backward(int dtype, const GridShape* s, const char* grad_output,
                               const char* input_, const char* grid, char* grad_input,
                               char* grad_grid) noexcept nogil
# The weights, or their derivatives of order orders[a] with respect to coordinate a. (batch, points, taps)
cdef void grid_weights(int dtype, const GridShape* s, const int* orders, const char* grid,
                       char* weights) noexcept nogil
# The offsets of the pixels in an image, 0 for pixels outside of it. (batch, points, taps)
cdef void grid_offsets(int dtype, const GridShape* s, const char* grid,
                       long long* offsets) noexcept nogil
