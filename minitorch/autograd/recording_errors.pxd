# The errors of operators that cannot be recorded, or have no tangent.

from minitorch.autograd.variable cimport TensorBase

cpdef object no_forward_mode(str name, str form=*)       # returns the NotImplementedError
cdef object no_out_with_grad(str name)                   # returns the RuntimeError
cpdef object no_gradient_for(str name, str argument)     # the error of an argument that must not require grad
cdef int check_constant(str name, str argument, TensorBase t) except -1
# Raise the error of a leaf as `out` of an operator without a derivative
cdef int check_unknown_out(str name, TensorBase out) except -1
