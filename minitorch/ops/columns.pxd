# The windows of images as columns (`unfold` of torch.nn.functional), and images from columns (`fold`).

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl im2col(TensorImpl self, tuple kernel_size, tuple dilation, tuple padding, tuple stride)
# Where windows overlap they are added
cdef TensorImpl col2im(TensorImpl self, tuple output_size, tuple kernel_size, tuple dilation, tuple padding,
                       tuple stride)
