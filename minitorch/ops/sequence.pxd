# torch.tensor(data): Python numbers, nested sequences, NumPy arrays and scalars become a new
# tensor.

from minitorch.core.tensor_impl cimport TensorImpl

# The impl of an object when it is a tensor, else None. Nothing below the autograd layer knows the
# tensor class: that layer tells it here. Elements of a sequence and indices may be tensors.
ctypedef TensorImpl (*ImplOf)(object)
cdef ImplOf set_impl_of(ImplOf function) noexcept       # the previous one
cdef TensorImpl impl_of(object value)

# A new tensor. dtype NoType: inferred. `data` is not a tensor itself (the caller has seen to that)
cdef TensorImpl tensor_from_data(object data, int dtype=*)
# The dtype `torch.tensor(data)` infers
cdef int infer_scalar_type(object data) except -1
# Write one Python object as an element, with the checks and messages of torch.tensor
cdef int store_scalar(char* out, int dtype, object value) except -1
