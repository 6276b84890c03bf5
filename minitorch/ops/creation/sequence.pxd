# torch.tensor(data): creates a new tensor from Python numbers, nested sequences, NumPy arrays and scalars.

from minitorch.core.tensor_impl cimport TensorImpl

# Returns the impl of a tensor, and None for other objects. Elements of a sequence and indices may be tensors, and the
# layers below autograd do not know the tensor class: so their callers pass such a function
ctypedef TensorImpl (*ImplOf)(object)

# A new tensor. dtype NoType: inferred. `data` is not a tensor itself; the caller has checked that
cdef TensorImpl tensor_from_data(object data, ImplOf impl_of, int dtype=*)
# The dtype that `torch.tensor(data)` infers
cdef int infer_scalar_type(object data, ImplOf impl_of) except -1
# Write one Python object as an element, with the checks and messages of torch.tensor
cdef int store_scalar(char* out, int dtype, object value) except -1
