# (result in float32, mean, 1 / sqrt(var + eps)) of a contiguous float32 x of shape (N, C, *), the
# statistics in the dtype `statistics`, Float16 or BFloat16, which the running ones have, too. The
# running ones (may be None) are moved towards the batch's by `momentum`. gamma and beta: float32 or
# None.

from minitorch.core.tensor_impl cimport TensorImpl

cdef tuple with_reduced_statistics(TensorImpl x, TensorImpl gamma, TensorImpl beta,
                                   TensorImpl running_mean, TensorImpl running_var,
                                   double momentum, double eps, int statistics)
