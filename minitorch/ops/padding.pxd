# Padding with a constant.

from minitorch.core.tensor_impl cimport TensorImpl

# pad: before and after, the last dimension first; negative numbers cut off. A new tensor always.
cdef TensorImpl constant_pad_nd(TensorImpl self, tuple pad, object value=*)
