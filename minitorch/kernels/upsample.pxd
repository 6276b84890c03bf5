# Resampling of images (`interpolate`) along one to three spatial dimensions, on contiguous memory:
# `planes` (batch times channels) images of in_size, each giving one of out_size. Always three
# dimensions here: with size 1 in front for one or two.

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
    double scale_factor[3]         # as the user gave it, or 0: in_size / out_size decides
    bint align_corners             # of linear and cubic

# output[o] = sum over taps of weight * input. Nearest: any dtype; else Float32 and Float64.
cdef int upsample(int dtype, const UpsampleShape* s, const char* input_,
                  char* output) noexcept nogil

# grad_input, set from zero. Float32 and Float64.
cdef int upsample_backward(int dtype, const UpsampleShape* s, const char* grad_output,
                           char* grad_input) noexcept nogil
