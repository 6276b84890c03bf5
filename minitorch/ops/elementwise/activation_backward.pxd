# The derivatives of the activation functions: the incoming gradient times the derivative at `self`, or at the
# result where the derivative is computed from the result.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl tanh_backward(TensorImpl grad_output, TensorImpl output)
cdef TensorImpl sigmoid_backward(TensorImpl grad_output, TensorImpl output)
cdef TensorImpl logit_backward(TensorImpl grad_output, TensorImpl self, object eps)
cdef TensorImpl threshold_backward(TensorImpl grad_output, TensorImpl self, object threshold)
cdef TensorImpl hardtanh_backward(TensorImpl grad_output, TensorImpl self, object min_val,
                                  object max_val)
cdef TensorImpl leaky_relu_backward(TensorImpl grad_output, TensorImpl self, object negative_slope,
                                    bint self_is_result)
cdef TensorImpl elu_backward(TensorImpl grad_output, object alpha, object scale, object input_scale,
                             bint is_result, TensorImpl self_or_result)
cdef TensorImpl gelu_backward(TensorImpl grad_output, TensorImpl self, str approximate=*)
cdef TensorImpl silu_backward(TensorImpl grad_output, TensorImpl self)
cdef TensorImpl mish_backward(TensorImpl grad_output, TensorImpl self)
cdef TensorImpl softplus_backward(TensorImpl grad_output, TensorImpl self, object beta,
                                  object threshold)
cdef TensorImpl log_sigmoid_backward(TensorImpl grad_output, TensorImpl self)
cdef TensorImpl hardsigmoid_backward(TensorImpl grad_output, TensorImpl self)
cdef TensorImpl hardswish_backward(TensorImpl grad_output, TensorImpl self)
cdef TensorImpl hardshrink_backward(TensorImpl grad_out, TensorImpl self, object lambd)
cdef TensorImpl softshrink_backward(TensorImpl grad_output, TensorImpl self, object lambd)
# Returns the gradients of self and weight; that of weight is not yet summed to its sizes.
cdef tuple _prelu_kernel_backward(TensorImpl grad_output, TensorImpl self, TensorImpl weight)
