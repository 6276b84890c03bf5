# Sorting and selecting along a dimension; results are (values, indices). nan is larger than every number; equal
# elements keep their order.

from minitorch.core.tensor_impl cimport TensorImpl

# uint16, uint32 or uint64 converted to signed integers of the same order, and back; both copy
cdef TensorImpl in_signed_order(TensorImpl self)
cdef TensorImpl from_signed_order(TensorImpl self, int dtype)
cdef tuple sort(TensorImpl self, Py_ssize_t dim=*, bint descending=*, TensorImpl values=*,
                TensorImpl indices=*)
# stable: a bool or None; every sort is stable here
cdef tuple sort_stable(TensorImpl self, object stable, Py_ssize_t dim=*, bint descending=*,
                       TensorImpl values=*, TensorImpl indices=*)
cdef TensorImpl argsort(TensorImpl self, Py_ssize_t dim=*, bint descending=*)
cdef TensorImpl msort(TensorImpl self)
cdef tuple topk(TensorImpl self, Py_ssize_t k, Py_ssize_t dim=*, bint largest=*, bint sorted=*,
                TensorImpl values=*, TensorImpl indices=*)
cdef tuple kthvalue(TensorImpl self, Py_ssize_t k, Py_ssize_t dim=*, bint keepdim=*,
                    TensorImpl values=*, TensorImpl indices=*)
# Over all elements, then along a dimension
cdef TensorImpl median(TensorImpl self)
cdef TensorImpl nanmedian(TensorImpl self)
cdef tuple median_dim(TensorImpl self, Py_ssize_t dim, bint keepdim=*, TensorImpl values=*,
                      TensorImpl indices=*)
cdef tuple nanmedian_dim(TensorImpl self, Py_ssize_t dim, bint keepdim=*, TensorImpl values=*,
                         TensorImpl indices=*)
# The smallest of the most frequent values, with its last index
cdef tuple mode(TensorImpl self, Py_ssize_t dim=*, bint keepdim=*, TensorImpl values=*,
                TensorImpl indices=*)
