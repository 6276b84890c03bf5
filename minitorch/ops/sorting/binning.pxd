# Assigning values to bins.

from minitorch.core.tensor_impl cimport TensorImpl

# side: None, "left" or "right"; sorter: int64 of the shape of sorted_sequence, or None
cdef TensorImpl searchsorted(TensorImpl sorted_sequence, TensorImpl self, bint out_int32=*,
                             bint right=*, object side=*, TensorImpl sorter=*, TensorImpl out=*)
cdef TensorImpl bucketize(TensorImpl self, TensorImpl boundaries, bint out_int32=*, bint right=*,
                          TensorImpl out=*)
cdef TensorImpl bincount(TensorImpl self, TensorImpl weights=*, Py_ssize_t minlength=*)
cdef TensorImpl histc(TensorImpl self, Py_ssize_t bins=*, object min=*, object max=*,
                      TensorImpl out=*)
