# Pooling to a given output size, over windows that divide the input evenly. The input is (N, C, *) or (C, *);
# output_size has one number for each spatial dimension. Indices count the elements of one channel.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl _adaptive_avg_pool2d(TensorImpl self, tuple output_size)
cdef TensorImpl _adaptive_avg_pool2d_backward(TensorImpl grad_output, TensorImpl self)
cdef TensorImpl _adaptive_avg_pool3d(TensorImpl self, tuple output_size)
cdef TensorImpl _adaptive_avg_pool3d_backward(TensorImpl grad_output, TensorImpl self)
# (output, indices)
cdef tuple adaptive_max_pool2d(TensorImpl self, tuple output_size)
cdef TensorImpl adaptive_max_pool2d_backward(TensorImpl grad_output, TensorImpl self,
                                             TensorImpl indices)
cdef tuple adaptive_max_pool3d(TensorImpl self, tuple output_size)
cdef TensorImpl adaptive_max_pool3d_backward(TensorImpl grad_output, TensorImpl self,
                                             TensorImpl indices)
