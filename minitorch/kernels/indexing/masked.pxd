# Operations where a mask is true. Masks are Bool, one byte of 0 or 1 each, broadcast to the given sizes; strides
# are in bytes. All functions except `masked_fill` go through the positions in row-major order.

# self[i] = *value where mask[i]; over threads
cdef void masked_fill(int ndim, const Py_ssize_t* sizes,
                      char* self_, const Py_ssize_t* self_strides,
                      const char* mask, const Py_ssize_t* mask_strides, const char* value,
                      Py_ssize_t itemsize) noexcept nogil

# The number of elements that are not zero (nan is not zero), for any dtype
cdef Py_ssize_t count_nonzero(int dtype, int ndim, const Py_ssize_t* sizes, const char* src,
                              const Py_ssize_t* strides) noexcept nogil

# out[k] = the k-th src[i] with mask[i]; out is contiguous and holds `total` elements, the number of true elements
# in the mask
cdef void masked_select(int ndim, const Py_ssize_t* sizes, const char* src,
                        const Py_ssize_t* src_strides, const char* mask,
                        const Py_ssize_t* mask_strides, char* out, Py_ssize_t total,
                        Py_ssize_t itemsize) noexcept nogil

# The k-th self[i] with mask[i] = source[k]; source is contiguous and has enough elements
cdef void masked_scatter(int ndim, const Py_ssize_t* sizes, char* self_,
                         const Py_ssize_t* self_strides, const char* mask,
                         const Py_ssize_t* mask_strides, const char* source,
                         Py_ssize_t itemsize) noexcept nogil

# The k-th position i with src[i] != 0: out[k, d] = i[d] as int64, for k below `total`
cdef void nonzero(int dtype, int ndim, const Py_ssize_t* sizes, const char* src,
                  const Py_ssize_t* strides, char* out, Py_ssize_t out_row_stride,
                  Py_ssize_t out_col_stride, Py_ssize_t total) noexcept nogil
