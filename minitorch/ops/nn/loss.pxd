# Losses for classes: the negative log likelihood. reduction is PyTorch's number: 0 for none, 1 for the mean, 2
# for the sum. weight may be None.

from minitorch.core.tensor_impl cimport TensorImpl

cdef enum Reduction:
    NONE = 0
    MEAN = 1
    SUM = 2

# (output, total_weight). self: (N, C) or (C,) with target (N,) or ()
cdef tuple nll_loss_forward(TensorImpl self, TensorImpl target, TensorImpl weight,
                            Py_ssize_t reduction, Py_ssize_t ignore_index)
cdef TensorImpl nll_loss_backward(TensorImpl grad_output, TensorImpl self, TensorImpl target,
                                  TensorImpl weight, Py_ssize_t reduction, Py_ssize_t ignore_index,
                                  TensorImpl total_weight)
# self: (N, C, H, W), target: (N, H, W)
cdef tuple nll_loss2d_forward(TensorImpl self, TensorImpl target, TensorImpl weight,
                              Py_ssize_t reduction, Py_ssize_t ignore_index)
cdef TensorImpl nll_loss2d_backward(TensorImpl grad_output, TensorImpl self, TensorImpl target,
                                    TensorImpl weight, Py_ssize_t reduction,
                                    Py_ssize_t ignore_index, TensorImpl total_weight)
