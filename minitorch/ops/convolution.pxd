# Convolution over one to three spatial dimensions, with its derivative. stride, padding, dilation
# and output_padding have one number for each spatial dimension, or a single one for all.

from minitorch.core.tensor_impl cimport TensorImpl

# input (N, C, *), weight (C_out, C / groups, *), or (C, C_out / groups, *) when transposed; bias
# (C_out,) or None
cdef TensorImpl convolution(TensorImpl input, TensorImpl weight, TensorImpl bias, tuple stride,
                            tuple padding, tuple dilation, bint transposed, tuple output_padding,
                            Py_ssize_t groups)
# (grad_input, grad_weight, grad_bias), None where output_mask does not ask; bias_sizes is not
# needed
cdef tuple convolution_backward(TensorImpl grad_output, TensorImpl input, TensorImpl weight,
                                object bias_sizes, tuple stride, tuple padding, tuple dilation,
                                bint transposed, tuple output_padding, Py_ssize_t groups,
                                tuple output_mask)
