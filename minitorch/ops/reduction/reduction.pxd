# Sums, products, means and related reductions. `dim` is None or a tuple of ints, the dimensions to reduce (None
# and () mean all); `dtype` is the ScalarType of the computation and the result.

from minitorch.core.tensor_impl cimport TensorImpl

# `self` summed to `size`, which must broadcast to the sizes of self; `self` itself if these are its sizes
cdef TensorImpl sum_to_size(TensorImpl self, tuple size)

cdef TensorImpl sum(TensorImpl self, object dim=*, bint keepdim=*, int dtype=*, TensorImpl out=*)
cdef TensorImpl nansum(TensorImpl self, object dim=*, bint keepdim=*, int dtype=*, TensorImpl out=*)
cdef TensorImpl mean(TensorImpl self, object dim=*, bint keepdim=*, int dtype=*, TensorImpl out=*)
cdef TensorImpl nanmean(TensorImpl self, object dim=*, bint keepdim=*, int dtype=*,
                        TensorImpl out=*)
cdef TensorImpl prod(TensorImpl self, int dtype=*, TensorImpl out=*)
cdef TensorImpl prod_dim_int(TensorImpl self, Py_ssize_t dim, bint keepdim=*, int dtype=*,
                             TensorImpl out=*)

# Predicates; as in PyTorch's all and any, () here means no dimension. The result is UInt8 for UInt8, else Bool
cdef TensorImpl all(TensorImpl self, object dim=*, bint keepdim=*, TensorImpl out=*)
cdef TensorImpl any(TensorImpl self, object dim=*, bint keepdim=*, TensorImpl out=*)
cdef TensorImpl count_nonzero(TensorImpl self, object dim=*)
