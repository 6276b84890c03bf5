# Vector norms. Strides are in bytes. Inputs of a floating or complex dtype; results in the real type
# of the same precision (`out_dtype`: the input's own where that is of 16 bits). Every function
# returns non-zero for another dtype. Nothing reduced gives 0 (p > 0 and p = 0).

from minitorch.kernels.reduction cimport Reduction

# sum(|x|**p)**(1/p); p may be 0 (count of non-zero elements), any other number, inf and -inf
# (largest and smallest magnitude; nan wins; at least one element must be reduced)
cdef int norm_kernel(char* input, char* out, const Reduction* r, int in_dtype, int out_dtype,
                     double p) noexcept nogil
