# Distances between rows.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl _cdist_forward(TensorImpl x1, TensorImpl x2, double p)
# The gradient of x1, for every member of the broadcast batch
cdef TensorImpl _cdist_backward(TensorImpl grad, TensorImpl x1, TensorImpl x2, double p,
                                TensorImpl cdist)
cdef TensorImpl _euclidean_dist(TensorImpl x1, TensorImpl x2)
cdef TensorImpl _pdist_forward(TensorImpl self, double p=*)
cdef TensorImpl _pdist_backward(TensorImpl grad, TensorImpl self, double p, TensorImpl pdist)
cdef TensorImpl dist(TensorImpl self, TensorImpl other, object p=*)
