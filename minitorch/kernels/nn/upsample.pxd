# Resampling of images (`interpolate`) along one to three spatial dimensions, on contiguous memory: `planes`
# (batch times channels) images of in_size give as many of out_size. There are always three dimensions here;
# missing ones have size 1.

cdef enum UpsampleMode:
    UPSAMPLE_NEAREST = 0           # floor(o * scale)
    UPSAMPLE_NEAREST_EXACT = 1     # floor((o + 0.5) * scale)
    UPSAMPLE_LINEAR = 2            # linear, bilinear, trilinear
    UPSAMPLE_CUBIC = 3             # bicubic, with a = -0.75

cdef enum UpsampleStatus:
    UPSAMPLE_OK = 0
    UPSAMPLE_NO_MEMORY = -1
    UPSAMPLE_NO_DTYPE = -2

cdef struct UpsampleShape:
    UpsampleMode mode
    Py_ssize_t planes
    Py_ssize_t in_size[3]          # none is 0
    Py_ssize_t out_size[3]
    double scale_factor[3]         # as passed by the user, or 0 to use in_size / out_size
    bint align_corners             # for linear and cubic

# output[o] = sum over taps of weight * input. Nearest: any dtype; else Float32 and Float64.
cdef int upsample(int dtype, const UpsampleShape* s, const char* input_,
                  char* output) noexcept nogil

# computes grad_input, starting from zeros. Float32 and Float64.
cdef int upsample_backward(int dtype, const UpsampleShape* s, const char* grad_output,
                           char* grad_input) noexcept nogil
