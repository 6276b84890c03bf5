# Returns (result in float32, mean, 1 / sqrt(var + eps)) of a contiguous float32 x of shape (N, C, *). The
# statistics have the dtype `statistics`, Float16 or BFloat16, and so do the running statistics. Those may be
# None; `momentum` moves them towards the statistics of the batch. gamma and beta are float32 or None.

from minitorch.core.tensor_impl cimport TensorImpl

cdef tuple with_reduced_statistics(TensorImpl x, TensorImpl gamma, TensorImpl beta,
                                   TensorImpl running_mean, TensorImpl running_var,
                                   double momentum, double eps, int statistics)
