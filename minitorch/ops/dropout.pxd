# Dropout. The numbers come from the default generator, as PyTorch's do.

from minitorch.core.tensor_impl cimport TensorImpl

# (output, mask): what is kept is divided by 1 - p. train: True, False or None for True
cdef tuple native_dropout(TensorImpl input, double p, object train)
cdef TensorImpl native_dropout_backward(TensorImpl grad_output, TensorImpl mask, double scale)
# What dropout(input, p) multiplies its input with: 0 with probability p, else 1 / (1 - p); for
# `feature` one number for each channel. p < 1. With p = 1 dropout is input * 0, with p = 0 input.
cdef TensorImpl dropout_noise(TensorImpl input, double p, bint feature=*)
