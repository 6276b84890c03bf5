# Variance with mean, and logsumexp. Strides are in bytes. Inputs of a floating dtype,
# results in the same type; every function returns non-zero for another dtype. A complex variance
# is the sum of those of the parts, which are real arrays of twice the stride.

from minitorch.kernels.reduction cimport Reduction

# sum((x - mean)**2) / max(0, n - correction), or its square root when `root`; `mean` may be NULL
# (its strides are kept_out2_strides). Nothing reduced gives nan.
cdef int var_kernel(char* input, char* out, char* mean, const Reduction* r, int dtype,
                    double correction, bint root) noexcept nogil

# log(sum(exp(x))) without overflow; -inf where nothing is reduced
cdef int logsumexp_kernel(char* input, char* out, const Reduction* r, int dtype) noexcept nogil
