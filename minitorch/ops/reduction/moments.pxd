# Variances, norms and logsumexp. `dim` is None or a tuple of ints, None and () meaning all
# dimensions.

from minitorch.core.tensor_impl cimport TensorImpl

# correction: a number that is subtracted from the number of elements; None means 1
cdef TensorImpl var(TensorImpl self, object dim=*, object correction=*, bint keepdim=*,
                    TensorImpl out=*)
cdef TensorImpl std(TensorImpl self, object dim=*, object correction=*, bint keepdim=*,
                    TensorImpl out=*)
cdef tuple var_mean(TensorImpl self, object dim=*, object correction=*, bint keepdim=*)
cdef tuple std_mean(TensorImpl self, object dim=*, object correction=*, bint keepdim=*)
cdef TensorImpl linalg_vector_norm(TensorImpl self, object ord=*, object dim=*, bint keepdim=*,
                                   int dtype=*, TensorImpl out=*)
# p: a number or None for 2
cdef TensorImpl norm(TensorImpl self, object p=*, object dim=*, bint keepdim=*, int dtype=*,
                     TensorImpl out=*)
# scales slices along `dim` whose p-norm is above maxnorm down to it
cdef TensorImpl renorm(TensorImpl self, object p, Py_ssize_t dim, object maxnorm, TensorImpl out=*)
cdef TensorImpl logsumexp(TensorImpl self, object dim, bint keepdim=*, TensorImpl out=*)
