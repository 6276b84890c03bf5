# Pooling over two and three spatial dimensions; the input is (N, C, *) or (C, *). kernel_size, stride, padding
# and dilation have one number for each spatial dimension, or a single one; an empty stride means the kernel size.
# Indices count the elements of one channel. (Pooling over one dimension is pooling over two, the first of size
# 1.)

from minitorch.core.tensor_impl cimport TensorImpl

# (output, indices)
cdef tuple max_pool2d_with_indices(TensorImpl self, tuple kernel_size, tuple stride=*,
                                   tuple padding=*, tuple dilation=*, bint ceil_mode=*)
cdef TensorImpl max_pool2d_with_indices_backward(TensorImpl grad_output, TensorImpl self,
                                                 tuple kernel_size, tuple stride, tuple padding,
                                                 tuple dilation, bint ceil_mode, TensorImpl indices)
cdef tuple max_pool3d_with_indices(TensorImpl self, tuple kernel_size, tuple stride=*,
                                   tuple padding=*, tuple dilation=*, bint ceil_mode=*)
cdef TensorImpl max_pool3d_with_indices_backward(TensorImpl grad_output, TensorImpl self,
                                                 tuple kernel_size, tuple stride, tuple padding,
                                                 tuple dilation, bint ceil_mode, TensorImpl indices)
# divisor_override: an int or None
cdef TensorImpl avg_pool2d(TensorImpl self, tuple kernel_size, tuple stride=*, tuple padding=*,
                           bint ceil_mode=*, bint count_include_pad=*, object divisor_override=*,
                           TensorImpl out=*)
cdef TensorImpl avg_pool2d_backward(TensorImpl grad_output, TensorImpl self, tuple kernel_size,
                                    tuple stride, tuple padding, bint ceil_mode,
                                    bint count_include_pad, object divisor_override)
cdef TensorImpl avg_pool3d(TensorImpl self, tuple kernel_size, tuple stride=*, tuple padding=*,
                           bint ceil_mode=*, bint count_include_pad=*, object divisor_override=*,
                           TensorImpl out=*)
cdef TensorImpl avg_pool3d_backward(TensorImpl grad_output, TensorImpl self, tuple kernel_size,
                                    tuple stride, tuple padding, bint ceil_mode,
                                    bint count_include_pad, object divisor_override)
