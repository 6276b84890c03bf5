# Convolution over one to three spatial dimensions, and its derivative. stride, padding, dilation and
# output_padding have one number for each spatial dimension, or one number for all of them.

from minitorch.core.tensor_impl cimport TensorImpl

# input (N, C, *), weight (C_out, C / groups, *), or (C, C_out / groups, *) when transposed; bias
# (C_out,) or None
cdef TensorImpl convolution(TensorImpl input, TensorImpl weight, TensorImpl bias, tuple stride,
                            tuple padding, tuple dilation, bint transposed, tuple output_padding,
                            Py_ssize_t groups)
# Returns (grad_input, grad_weight, grad_bias), with None where output_mask is false; bias_sizes is unused
cdef tuple convolution_backward(TensorImpl grad_output, TensorImpl input, TensorImpl weight,
                                object bias_sizes, tuple stride, tuple padding, tuple dilation,
                                bint transposed, tuple output_padding, Py_ssize_t groups,
                                tuple output_mask)
