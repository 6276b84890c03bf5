# Common to all reductions: the reduced dimensions, the shape and memory of the result, and the description of
# both that kernels take.

from libc.stdint cimport uint64_t

from minitorch.core.tensor_impl cimport TensorImpl
from minitorch.kernels.reduction.reduction cimport Reduction

cdef enum:
    RELEASE_GIL = 50000                 # input elements from which a kernel runs without the GIL

# Bit d of `mask` is set if dimension d is reduced. `dim` is None (all), an int or a sequence of ints; an empty
# sequence means all dimensions. A 0-dim tensor has the dimensions 0 and -1, whose bit is ignored. Raises an
# IndexError for a dimension out of range and the RuntimeError "dim 0 appears multiple times in the list of dims".
cdef int read_dims(object dim, int ndim, uint64_t* mask) except -1
# Store the sizes of the result and return their number
cdef int reduced_sizes(TensorImpl self, uint64_t mask, bint keepdim, Py_ssize_t* out) noexcept
# The number of elements that are reduced to one result
cdef Py_ssize_t elements_per_result(TensorImpl self, uint64_t mask) noexcept

# Memory for the result: `out`, after the checks and a resize, if it has this dtype and shares no memory with
# `self`; else a new tensor, which `deliver` copies to `out`.
cdef TensorImpl result_for(TensorImpl self, uint64_t mask, bint keepdim, int dtype, TensorImpl out)
cdef TensorImpl deliver(TensorImpl result, TensorImpl out)
# Describe the reduction of `self` into `result` and `second` (may be None) for a kernel. With keepdim, `result`
# may lack leading dimensions that are reduced.
cdef void plan(Reduction* r, TensorImpl self, uint64_t mask, bint keepdim, TensorImpl result,
               TensorImpl second, bint ordered) noexcept
