# Dropout. Random numbers come from the default generator, as in PyTorch.

from minitorch.core.tensor_impl cimport TensorImpl

# (output, mask): elements that are kept are divided by 1 - p. train is True, False or None (as True)
cdef tuple native_dropout(TensorImpl input, double p, object train)
cdef TensorImpl native_dropout_backward(TensorImpl grad_output, TensorImpl mask, double scale)
# The factor that dropout(input, p) multiplies its input by: 0 with probability p, else 1 / (1 - p). With
# `feature`, one number for each channel. Requires p < 1: with p = 1 dropout is input * 0, with p = 0 it is input.
cdef TensorImpl dropout_noise(TensorImpl input, double p, bint feature=*)
