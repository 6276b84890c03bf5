# The keyword arguments that all functions that make tensors have in common.

from minitorch.autograd.variable cimport TensorBase
from minitorch.core.tensor_impl cimport TensorImpl

cdef class Options:
    cdef int dtype                  # NoType: not given
    cdef int memory_format          # -1: not given
    cdef bint requires_grad
    cdef object generator
    cdef TensorBase out
    cdef bint meta                  # the result is a tensor without elements
    cdef bint placed                # a device was given
    cdef TensorImpl shape           # what target() was asked for in that case; it gave nothing to fill
    cdef str name                   # of the function; None where there is no `out`

    # Takes in keywords that are plainly right; False when PyTorch's parser has to see them
    cdef bint read(self, dict keywords) except -1
    # The parser: all arguments by name, the common ones taken in. Raises PyTorch's errors
    cdef dict bind(self, str name, list signatures, tuple args, dict keywords)
    # RuntimeError if `out` has another dtype than the one given
    cdef int check_out(self) except -1
    # Memory for the result: that of `out`, resized, or new. `code` is the dtype where none was given
    cdef TensorImpl target(self, tuple size, int code)
    # The result as a tensor, or `out`
    cdef TensorBase finish(self, TensorImpl result)
    # For a result that is like a tensor: on its device, unless another was given
    cdef int beside(self, TensorBase like) except -1
    cdef TensorImpl _without_elements(self, tuple size, int code)

cdef tuple plain_size(tuple args)        # of f(2, 3) and f((2, 3)); None when it is not so plain
cdef tuple plain_ints(object sequence)   # None when it is no list or tuple of Python ints
cdef object no_sparse(str name)            # the error of layout=torch.sparse_coo
cdef bint check_device(object device) except -1            # whether it is "meta"; an error: no device here
cdef bint wants_meta(object device) except -1              # the same, and the default where it is None
