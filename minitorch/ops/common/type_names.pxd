# The names of dtypes in error messages, where they differ from the dtype's own name.

from minitorch.core.tensor_impl cimport TensorImpl

cdef str tensor_type_name(int code)                         # "torch.FloatTensor", "CPUBoolType"
# RuntimeError "Expected out tensor to have dtype double, but got float instead"
cdef int check_out_dtype(TensorImpl out, int dtype) except -1
