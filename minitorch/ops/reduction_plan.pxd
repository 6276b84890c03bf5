# What all reductions share: which dimensions are reduced, the shape of the result, its memory, and
# the form in which kernels want both.

from libc.stdint cimport uint64_t

from minitorch.core.tensor_impl cimport TensorImpl
from minitorch.kernels.reduction cimport Reduction

cdef enum:
    RELEASE_GIL = 50000                 # input elements from which a kernel runs without the GIL

# Bit d of `mask` says that dimension d is reduced. `dim` is None (all), an int or a sequence of
# ints; an empty sequence means all dimensions. A 0-dim tensor has the dimensions 0 and -1, whose
# bit has no meaning. IndexError out of range; RuntimeError "dim 0 appears multiple times in the
# list of dims".
cdef int read_dims(object dim, int ndim, uint64_t* mask) except -1
# The sizes of the result; their count
cdef int reduced_sizes(TensorImpl self, uint64_t mask, bint keepdim, Py_ssize_t* out) noexcept
# How many elements go into one result
cdef Py_ssize_t elements_per_result(TensorImpl self, uint64_t mask) noexcept

# Memory for the result: `out`, checked and resized, when it is given, of this dtype, and apart from
# `self`; else a new tensor, which `deliver` copies to `out`.
cdef TensorImpl result_for(TensorImpl self, uint64_t mask, bint keepdim, int dtype, TensorImpl out)
cdef TensorImpl deliver(TensorImpl result, TensorImpl out)
# The kernel's view of a reduction of `self` into `result` and `second` (may be None). With keepdim,
# `result` may lack leading dimensions that are reduced.
cdef void plan(Reduction* r, TensorImpl self, uint64_t mask, bint keepdim, TensorImpl result,
               TensorImpl second, bint ordered) noexcept
