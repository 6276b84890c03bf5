# Checks that a result does not share memory with itself or with an operand.

from minitorch.core.tensor_impl cimport TensorImpl

# Whether a dimension repeats one element (stride 0)
cdef bint has_internal_overlap(TensorImpl t) noexcept
# Whether two indices may share a place in storage: PyTorch's test, exact for the results of permute and slice
cdef bint maybe_overlaps(int count, const Py_ssize_t* sizes, const Py_ssize_t* strides) noexcept
# Checks that raise RuntimeError; called before anything is written
cdef int assert_no_internal_overlap(TensorImpl output) except -1
cdef int assert_no_partial_overlap(TensorImpl output, TensorImpl input) except -1
cdef int assert_no_overlap(TensorImpl output, TensorImpl input) except -1
