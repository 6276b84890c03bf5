# The windows of images as columns (torch.nn.functional.unfold), and images from columns (fold).

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl im2col(TensorImpl self, tuple kernel_size, tuple dilation, tuple padding, tuple stride)
# Overlapping windows are summed
cdef TensorImpl col2im(TensorImpl self, tuple output_size, tuple kernel_size, tuple dilation, tuple padding,
                       tuple stride)
