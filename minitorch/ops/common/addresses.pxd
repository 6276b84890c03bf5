# Shared by the operators with index tensors: the address arithmetic of kernels/indexing/indexing.pxd applied to
# tensors, and the checks that precede any write.

from minitorch.core.tensor_impl cimport MAX_DIMS, TensorImpl
from minitorch.kernels.indexing.scatter cimport ScatterOp

# One operand indexed along a dimension, iterated over the positions of an index tensor (or over a slice of it)
cdef struct Walked:
    int ndim
    Py_ssize_t[MAX_DIMS] sizes         # of the positions
    Py_ssize_t[MAX_DIMS] indexed       # byte strides of the indexed operand, 0 along the dimension
    Py_ssize_t[MAX_DIMS] other         # byte strides of the operand that has an element for each position
    Py_ssize_t[MAX_DIMS] index
    Py_ssize_t size                    # size of the indexed dimension
    Py_ssize_t dim_stride

cdef void byte_strides(TensorImpl t, Py_ssize_t* out) noexcept
# Convert int32 to int64, which the kernels read; callers reject other dtypes
cdef TensorImpl long_index(TensorImpl index)
# The index has the dimensions of the positions (gather, scatter)
cdef void walk_elements(Walked* w, TensorImpl indexed, int dim, TensorImpl index,
                        TensorImpl other) noexcept
# The index has at most one dimension and selects whole slices (index_select, index_add)
cdef void walk_slices(Walked* w, TensorImpl indexed, int dim, TensorImpl index,
                      TensorImpl other) noexcept
# Return whether an index is out of bounds, and store one such index in `value`
cdef bint find_bad_index(TensorImpl index, Py_ssize_t size, bint wrap, long long* value) noexcept
cdef int gather_walked(Walked* w, TensorImpl out, TensorImpl indexed, TensorImpl index) except -1
cdef int scatter_walked(Walked* w, ScatterOp op, TensorImpl indexed, TensorImpl index,
                        TensorImpl source) except -1
# Return the tensor that an operator writes to when its result starts as a copy of `self`: new memory when `out`
# is None, `self` itself for an in-place operator. Checks dtype and overlaps (a and b may be None) before it
# copies.
cdef TensorImpl copied_to(TensorImpl self, TensorImpl out, TensorImpl a, TensorImpl b)
