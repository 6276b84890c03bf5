# Operators that only the autograd graph needs.

from minitorch.core.tensor_impl cimport TensorImpl

# The same values in new memory with these strides, which must not overlap
cdef TensorImpl strided_copy(TensorImpl self, tuple strides)
# A copy, always in new memory; NoType means the dtype of self. memory_format is a MemoryFormat of ops/common/copy
cdef TensorImpl to_copy(TensorImpl self, int dtype=*, int memory_format=*)
# fill_ with the value of a 0-dim tensor
cdef TensorImpl fill_from(TensorImpl self, TensorImpl value)
# fill: a new tensor like `self` with this value
cdef TensorImpl filled_with(TensorImpl self, object value)
cdef TensorImpl filled_from(TensorImpl self, TensorImpl value)
cdef TensorImpl copied(TensorImpl self, TensorImpl src, bint non_blocking)
cdef TensorImpl zeroed(TensorImpl self)
cdef TensorImpl copy_from(TensorImpl self, TensorImpl src, bint non_blocking)
