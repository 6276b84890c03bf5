# Maximum pooling, and the shapes of all pooling, over one to three spatial dimensions, on contiguous memory:
# `planes` (batch times channels) images of in_size give as many of out_size. There are always three dimensions
# here; missing ones have size, kernel and stride 1.

cdef enum PoolStatus:
    POOL_OK = 0
    POOL_NO_DTYPE = -1
    POOL_TOO_LARGE = -2        # a plane of more than 2**31 - 1 elements

cdef struct PoolShape:
    Py_ssize_t planes
    Py_ssize_t in_size[3]
    Py_ssize_t out_size[3]     # the output size, which depends on ceil_mode
    Py_ssize_t kernel[3]
    Py_ssize_t stride[3]
    Py_ssize_t padding[3]
    Py_ssize_t dilation[3]     # of max pooling; average pooling ignores it

# output[o] = the largest element in the window of o; indices[o] (int64) = its position in the plane, counted
# through all spatial dimensions. Of equal elements the first one counts; nan counts as the largest, and the last
# nan is taken. A window without elements of the input gives -inf and an index that may be outside. All real
# dtypes but Bool.
cdef int max_pool(int dtype, const PoolShape* s, const char* input_, char* output,
                  char* indices) noexcept nogil

# Compute max_pool over windows that divide the input evenly: [o * in // out, ceil((o + 1) * in / out)). kernel, stride,
# padding and dilation are ignored. Floating dtypes.
cdef int adaptive_max_pool(int dtype, const PoolShape* s, const char* input_, char* output,
                           char* indices) noexcept nogil

# grad_input[indices[o]] += grad_output[o], and 0 elsewhere, for both of the above. Indices outside the plane are
# skipped.
cdef int max_pool_backward(int dtype, const PoolShape* s, const char* grad_output,
                           const char* indices, char* grad_input) noexcept nogil
