# torch.tensor(data): creates a new tensor from Python numbers, nested sequences, NumPy arrays and scalars.

from minitorch.core.tensor_impl cimport TensorImpl

# impl_of returns the impl of a tensor and None for other objects. The layers below autograd do not know the
# tensor class, so the autograd layer registers that function here. Elements of a sequence and indices may be
# tensors.
ctypedef TensorImpl (*ImplOf)(object)
cdef ImplOf set_impl_of(ImplOf function) noexcept       # returns the previous function
cdef TensorImpl impl_of(object value)

# A new tensor. dtype NoType: inferred. `data` is not a tensor itself; the caller has checked that
cdef TensorImpl tensor_from_data(object data, int dtype=*)
# The dtype that `torch.tensor(data)` infers
cdef int infer_scalar_type(object data) except -1
# Write one Python object as an element, with the checks and messages of torch.tensor
cdef int store_scalar(char* out, int dtype, object value) except -1
