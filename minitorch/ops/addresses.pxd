# What the operators with index tensors share: the address arithmetic of kernels/indexing.pxd
# applied
# to tensors, and the checks before anything is written.

from minitorch.core.tensor_impl cimport MAX_DIMS, TensorImpl
from minitorch.kernels.scatter cimport ScatterOp

# One operand indexed along a dimension, walked over the positions of an index (or a slice of it)
cdef struct Walked:
    int ndim
    Py_ssize_t[MAX_DIMS] sizes         # of the positions
    Py_ssize_t[MAX_DIMS] indexed       # byte strides of the indexed operand, 0 along the dimension
    Py_ssize_t[MAX_DIMS] other         # of the operand that has an element for each position
    Py_ssize_t[MAX_DIMS] index
    Py_ssize_t size                    # of the dimension
    Py_ssize_t dim_stride

cdef void byte_strides(TensorImpl t, Py_ssize_t* out) noexcept
# int32 becomes int64, which the kernels read; other types are the caller's to refuse
cdef TensorImpl long_index(TensorImpl index)
# The index has the dimensions of `positions` (gather, scatter)
cdef void walk_elements(Walked* w, TensorImpl indexed, int dim, TensorImpl index,
                        TensorImpl other) noexcept
# The index has one dimension at most and moves whole slices (index_select, index_add)
cdef void walk_slices(Walked* w, TensorImpl indexed, int dim, TensorImpl index,
                      TensorImpl other) noexcept
# An index that is out of bounds, or -1
cdef bint find_bad_index(TensorImpl index, Py_ssize_t size, bint wrap, long long* value) noexcept
cdef int gather_walked(Walked* w, TensorImpl out, TensorImpl indexed, TensorImpl index) except -1
cdef int scatter_walked(Walked* w, ScatterOp op, TensorImpl indexed, TensorImpl index,
                        TensorImpl source) except -1
# `out` for the result of an operator that starts as a copy of `self`: memory of its own when None,
# the
# tensor itself in place. Checks dtype and overlaps (a and b may be None), copies, returns it
cdef TensorImpl copied_to(TensorImpl self, TensorImpl out, TensorImpl a, TensorImpl b)
