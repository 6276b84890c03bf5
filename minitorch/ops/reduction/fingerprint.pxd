# A hash of the elements of a tensor.

from minitorch.core.tensor_impl cimport TensorImpl

# uint64: the exclusive or of the elements' bits, as float64 or int64; `dim` is as for amax, `mode` must be 0
cdef TensorImpl hash_tensor(TensorImpl self, object dim=*, bint keepdim=*, Py_ssize_t mode=*,
                            TensorImpl out=*)
