# The names of element types as C++ has them, which some of PyTorch's messages use.

from minitorch.core.tensor_impl cimport TensorImpl

cdef str type_name(int code)                                # "float", "c10::Half"
cdef str tensor_type_name(int code)                         # "torch.FloatTensor", "CPUBoolType"
# RuntimeError "Expected out tensor to have dtype double, but got float instead"
cdef int check_out_dtype(TensorImpl out, int dtype) except -1
