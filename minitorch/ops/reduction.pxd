# Sums, products, means and what is made of them. `dim` is None or a tuple of ints, the dimensions
# that are reduced (None and (): all); `dtype` is the ScalarType that is computed in and returned.

from minitorch.core.tensor_impl cimport TensorImpl

# `self` summed to `size`, which broadcasts to its sizes; `self` when these are its sizes
cdef TensorImpl sum_to_size(TensorImpl self, tuple size)

cdef TensorImpl sum(TensorImpl self, object dim=*, bint keepdim=*, int dtype=*, TensorImpl out=*)
cdef TensorImpl nansum(TensorImpl self, object dim=*, bint keepdim=*, int dtype=*, TensorImpl out=*)
cdef TensorImpl mean(TensorImpl self, object dim=*, bint keepdim=*, int dtype=*, TensorImpl out=*)
cdef TensorImpl nanmean(TensorImpl self, object dim=*, bint keepdim=*, int dtype=*,
                        TensorImpl out=*)
cdef TensorImpl prod(TensorImpl self, int dtype=*, TensorImpl out=*)
cdef TensorImpl prod_dim_int(TensorImpl self, Py_ssize_t dim, bint keepdim=*, int dtype=*,
                             TensorImpl out=*)

# Predicates; here () means no dimension, as it does for PyTorch's all and any. UInt8 for UInt8,
# else Bool
cdef TensorImpl all(TensorImpl self, object dim=*, bint keepdim=*, TensorImpl out=*)
cdef TensorImpl any(TensorImpl self, object dim=*, bint keepdim=*, TensorImpl out=*)
cdef TensorImpl count_nonzero(TensorImpl self, object dim=*)
