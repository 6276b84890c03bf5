# The keyword arguments that are common to all functions that make tensors.

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
    # RuntimeError if `out` has another dtype than the given one
    cdef int check_out(self) except -1
    # Memory for the result: `out`, resized, or new memory. `code` is the dtype if none was given
    cdef TensorImpl target(self, tuple size, int code)
    # The result as a tensor, or `out`
    cdef TensorBase finish(self, TensorImpl result)
    # For a result like a tensor: place it on that tensor's device, unless another was given
    cdef int beside(self, TensorBase like) except -1
    cdef TensorImpl _without_elements(self, tuple size, int code)

cdef tuple plain_size(tuple args)        # the size in f(2, 3) or f((2, 3)); None for other forms
cdef tuple plain_ints(object sequence)   # None if it is not a list or tuple of Python ints
cdef object no_sparse(str name)            # the error of layout=torch.sparse_coo
cdef bint check_device(object device) except -1            # whether it is "meta"; raises if there is no such device
cdef bint wants_meta(object device) except -1              # like check_device; None means the default device
