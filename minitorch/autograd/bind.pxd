# The one gate of the recording wrappers, and what is behind it: see Note [Bind] in bind.pyx.

from minitorch.autograd.forward_grad cimport bases_are_dual
from minitorch.autograd.node cimport Node
from minitorch.autograd.operators cimport Operator
from minitorch.autograd.special cimport interposers
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.tensor_impl cimport TensorImpl


cdef class Primitive(Operator):          # an operator with a kernel, which `bind` calls
    pass


cdef inline bint unusual(TensorBase t) noexcept:
    """Return whether a kernel and a node may not be all that an operator on `t` needs."""
    return t is not None and (t.impl.special is not None or t._tangent is not None)

cdef bint any_unusual(list tensors) except -1             # `tensors` may contain None

cdef inline bint watched() noexcept:
    """Return whether operators on ordinary tensors are not left to themselves either."""
    return interposers != 0 or bases_are_dual            # a transform, mode or profiler; dual bases of views

cdef object bind(Operator operator, tuple arguments)

# Make the operators of a row; `rest` has the fields of `Operator` that are not the default
cdef Primitive make_primitive(str name, tuple parameters, object (*compute)(tuple, TensorImpl),
                              Node (*record)(Operator, tuple), dict rest)
cdef Primitive make_in_place(str name, tuple parameters, object (*compute)(tuple, TensorImpl),
                             Node (*record)(Operator, tuple), dict rest)
cdef Primitive in_place(Primitive operator, dict rest)
cdef Primitive with_out(Primitive operator, object (*compute)(tuple, TensorImpl), dict rest)
