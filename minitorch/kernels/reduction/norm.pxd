# Vector norms. Strides are in bytes. Inputs have a floating or complex dtype. Results have the real dtype of the
# same precision (`out_dtype`: the input's own if it has 16 bits). Every function returns non-zero for another
# dtype. The norm of no elements is 0 (p > 0 and p = 0).

from minitorch.kernels.reduction.reduction cimport Reduction

# sum(|x|**p)**(1/p); p may be 0 (the number of nonzero elements), any other number, or inf and -inf (the largest and
# smallest magnitude, which propagate nan and need at least one element)
cdef int norm_kernel(char* input, char* out, const Reduction* r, int in_dtype, int out_dtype,
                     double p) noexcept nogil
