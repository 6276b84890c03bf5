# Losses that compare a prediction with its target element by element. reduction is PyTorch's number: 0 for none,
# 1 for the mean, 2 for the sum. Weights may be None.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl mse_loss(TensorImpl self, TensorImpl target, Py_ssize_t reduction=*)
cdef TensorImpl mse_loss_backward(TensorImpl grad_output, TensorImpl self, TensorImpl target,
                                  Py_ssize_t reduction)
cdef TensorImpl l1_loss(TensorImpl self, TensorImpl target, Py_ssize_t reduction=*)
cdef TensorImpl smooth_l1_loss(TensorImpl self, TensorImpl target, Py_ssize_t reduction=*,
                               double beta=*)
cdef TensorImpl smooth_l1_loss_backward(TensorImpl grad_output, TensorImpl self, TensorImpl target,
                                        Py_ssize_t reduction, double beta)
cdef TensorImpl huber_loss(TensorImpl self, TensorImpl target, Py_ssize_t reduction=*,
                           double delta=*)
cdef TensorImpl huber_loss_backward(TensorImpl grad_output, TensorImpl self, TensorImpl target,
                                    Py_ssize_t reduction, double delta)
cdef TensorImpl soft_margin_loss(TensorImpl self, TensorImpl target, Py_ssize_t reduction=*)
cdef TensorImpl soft_margin_loss_backward(TensorImpl grad_output, TensorImpl self,
                                          TensorImpl target, Py_ssize_t reduction)
cdef TensorImpl binary_cross_entropy(TensorImpl self, TensorImpl target, TensorImpl weight=*,
                                     Py_ssize_t reduction=*)
cdef TensorImpl binary_cross_entropy_backward(TensorImpl grad_output, TensorImpl self,
                                              TensorImpl target, TensorImpl weight=*,
                                              Py_ssize_t reduction=*)
cdef TensorImpl binary_cross_entropy_with_logits(TensorImpl self, TensorImpl target,
                                                 TensorImpl weight=*, TensorImpl pos_weight=*,
                                                 Py_ssize_t reduction=*)
# The gradient with respect to self; grad is the gradient of the reduced result
cdef TensorImpl binary_cross_entropy_with_logits_backward(TensorImpl grad, TensorImpl self,
                                                          TensorImpl target, TensorImpl weight,
                                                          TensorImpl pos_weight,
                                                          Py_ssize_t reduction)
cdef TensorImpl kl_div(TensorImpl self, TensorImpl target, Py_ssize_t reduction=*,
                       bint log_target=*)
