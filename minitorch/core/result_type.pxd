# The dtype in which operands of several dtypes are computed.

from minitorch.core.tensor_impl cimport TensorImpl

# The type in which the operands are computed. Tensors with dimensions take precedence over 0-dim tensors, and these
# over Python numbers; a lower rank counts only if its type is of a higher category
cdef int result_type(TensorImpl a, TensorImpl b, TensorImpl c) except -1   # b and c may be None
cdef int combine_types(int dimensioned, int zero_dim, int wrapped) except -1
cdef bint can_cast(int from_dtype, int to_dtype) noexcept nogil
