# Variance with mean, and logsumexp. Strides are in bytes. Inputs have a floating dtype and results the same;
# every function returns non-zero for another dtype. A complex variance is the sum of the variances of the parts,
# which are real arrays of twice the stride.

from minitorch.kernels.reduction.reduction cimport Reduction

# sum((x - mean)**2) / max(0, n - correction), or its square root if `root`; `mean` may be NULL (its strides are
# kept_out2_strides). nan without elements.
cdef int var_kernel(char* input, char* out, char* mean, const Reduction* r, int dtype,
                    double correction, bint root) noexcept nogil

# log(sum(exp(x))) without overflow; -inf without elements
cdef int logsumexp_kernel(char* input, char* out, const Reduction* r, int dtype) noexcept nogil
