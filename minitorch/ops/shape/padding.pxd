# Padding with a constant.

from minitorch.core.tensor_impl cimport TensorImpl

# pad: before and after, the last dimension first; negative numbers crop. Always a new tensor.
cdef TensorImpl constant_pad_nd(TensorImpl self, tuple pad, object value=*)
