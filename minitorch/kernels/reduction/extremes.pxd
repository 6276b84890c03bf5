# Maxima and minima, with and without their positions. Strides are in bytes. Every function returns non-zero if it
# does not support the dtype (complex dtypes). nan is propagated by both; of equal elements (and of nans) the
# first one counts. At least one element must be reduced.

from minitorch.kernels.reduction.reduction cimport Reduction

cdef int amax_kernel(char* input, char* out, const Reduction* r, int dtype) noexcept nogil
cdef int amin_kernel(char* input, char* out, const Reduction* r, int dtype) noexcept nogil

# Writes the position (int64) to `indices` (strides: kept_out2_strides) and the value to `values`
# (kept_out_strides), which may be NULL. A position counts the reduced elements in the order of r's reduced
# dimensions; if there are several, use ordered=True.
cdef int max_with_index_kernel(char* input, char* values, char* indices, const Reduction* r,
                               int dtype) noexcept nogil
cdef int min_with_index_kernel(char* input, char* values, char* indices, const Reduction* r,
                               int dtype) noexcept nogil
