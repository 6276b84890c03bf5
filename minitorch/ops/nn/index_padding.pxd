# Padding of the last one to three dimensions with elements of the input. `padding` has two numbers for each
# dimension, before and after, the last dimension first; negative numbers crop. nn.functional.pad checks the
# arguments first.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl reflection_pad1d(TensorImpl self, tuple padding)
cdef TensorImpl reflection_pad2d(TensorImpl self, tuple padding)
cdef TensorImpl reflection_pad3d(TensorImpl self, tuple padding)
cdef TensorImpl replication_pad1d(TensorImpl self, tuple padding)
cdef TensorImpl replication_pad2d(TensorImpl self, tuple padding)
cdef TensorImpl replication_pad3d(TensorImpl self, tuple padding)
# any number of dimensions, unchecked
cdef TensorImpl circular_pad(TensorImpl self, tuple padding)
cdef TensorImpl reflection_pad_backward(TensorImpl grad_output, TensorImpl self, tuple padding)
cdef TensorImpl replication_pad_backward(TensorImpl grad_output, TensorImpl self, tuple padding)
cdef TensorImpl circular_pad_backward(TensorImpl grad_output, tuple input_sizes, tuple padding)
