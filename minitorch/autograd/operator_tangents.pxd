# The tangents of operators: what `bind` does with dual tensors. See Note [Forward mode] in forward_grad.pyx.

from minitorch.autograd.operators cimport Operator

cdef int level_of_tangents(Operator operator, tuple arguments) except -2     # the innermost, or -1
cdef object call_with_tangents(Operator operator, tuple arguments, int level)
cdef int set_tangent(str name, str form, object (*tangent)(tuple, list, object)) except -1
