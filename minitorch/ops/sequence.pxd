# torch.tensor(data): Python numbers, nested sequences, NumPy arrays and scalars become a new
# tensor.

from minitorch.core.tensor_impl cimport TensorImpl

# The ScalarType of an object when it is a tensor, else NoType. Elements of a sequence may be
# tensors,
# which nothing below the autograd layer knows: that layer tells it here.
ctypedef int (*TensorType)(object) except -1
cdef void set_tensor_type(TensorType function) noexcept

# A new tensor. dtype NoType: inferred. `data` is not a tensor itself (the caller has seen to that)
cdef TensorImpl tensor_from_data(object data, int dtype=*)
# The dtype `torch.tensor(data)` infers
cdef int infer_scalar_type(object data) except -1
# Write one Python object as an element, with the checks and messages of torch.tensor
cdef int store_scalar(char* out, int dtype, object value) except -1
