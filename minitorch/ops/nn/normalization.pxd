# layer_norm, batch_norm, group_norm and their derivatives. Weights and biases may be None. A result is None if
# output_mask is false or its weight is None.

from minitorch.core.tensor_impl cimport TensorImpl

# (out, mean, rstd): normalized over the last dimensions, whose sizes are normalized_shape
cdef tuple native_layer_norm(TensorImpl input, tuple normalized_shape, TensorImpl weight,
                             TensorImpl bias, double eps)
# (grad_input, grad_weight, grad_bias)
cdef tuple native_layer_norm_backward(TensorImpl grad_out, TensorImpl input, tuple normalized_shape,
                                      TensorImpl mean, TensorImpl rstd, TensorImpl weight,
                                      TensorImpl bias, tuple output_mask=*)

# (out, save_mean, save_invstd), the latter two empty unless training. In training, running_mean and running_var
# (may be None) are updated.
cdef tuple native_batch_norm(TensorImpl input, TensorImpl weight, TensorImpl bias,
                             TensorImpl running_mean, TensorImpl running_var, bint training,
                             double momentum, double eps)
cdef tuple native_batch_norm_backward(TensorImpl grad_out, TensorImpl input, TensorImpl weight,
                                      TensorImpl running_mean, TensorImpl running_var,
                                      TensorImpl save_mean, TensorImpl save_invstd, bint train,
                                      double eps, tuple output_mask=*)

# (out, mean, rstd) of N examples and C channels of HxW elements, in `group` groups
cdef tuple native_group_norm(TensorImpl input, TensorImpl weight, TensorImpl bias, Py_ssize_t N,
                             Py_ssize_t C, Py_ssize_t HxW, Py_ssize_t group, double eps)
cdef tuple native_group_norm_backward(TensorImpl grad_out, TensorImpl input, TensorImpl mean,
                                      TensorImpl rstd, TensorImpl weight, Py_ssize_t N,
                                      Py_ssize_t C, Py_ssize_t HxW, Py_ssize_t group,
                                      tuple output_mask=*)
