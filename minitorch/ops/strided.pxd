# Operators that only the graph's own machinery needs.

from minitorch.core.tensor_impl cimport TensorImpl

# The same values in memory with these strides (of a geometry that does not overlap)
cdef TensorImpl strided_copy(TensorImpl self, tuple strides)
# copy_ with the argument that means nothing on a CPU
# Always new memory; NoType: the dtype of self. memory_format: a MemoryFormat of ops/copy
cdef TensorImpl to_copy(TensorImpl self, int dtype=*, int memory_format=*)
# fill_ with a tensor of no dimension
cdef TensorImpl fill_from(TensorImpl self, TensorImpl value)
# fill: a tensor like `self` with this value
cdef TensorImpl filled_with(TensorImpl self, object value)
cdef TensorImpl filled_from(TensorImpl self, TensorImpl value)
cdef TensorImpl copied(TensorImpl self, TensorImpl src, bint non_blocking)
cdef TensorImpl zeroed(TensorImpl self)
cdef TensorImpl copy_from(TensorImpl self, TensorImpl src, bint non_blocking)
