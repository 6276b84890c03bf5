# Recorded operators as values: vmap, func.grad and __torch_dispatch__ get them as arguments.

from minitorch.autograd.node cimport Node
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.tensor_impl cimport TensorImpl

cdef enum Results:
    ONE                                  # a tensor
    SEVERAL                              # a tuple of tensors, some of which may be None
    LIST                                 # a list of tensors

cdef enum OutRule:                       # for `out=`, if an argument requires grad
    UNRECORDED                           # nothing would be recorded anyway
    NO_GRADIENT                          # an error
    NO_LEAF                              # an error if `out` is a leaf
    UNKNOWN                              # recorded as an operator without a derivative

cdef enum Missing:                       # what takes the place of the tangent of an argument that has none
    NOTHING
    ZEROS
    ZEROS_IF_RECORDED
    ZEROS_UNLESS_NUMBER                  # as ZEROS_IF_RECORDED, but a number that the program gave has none

cdef enum InPlace:                       # how the tangent is computed in place
    BY_COPY                              # by the operator out of place, on a copy
    AS_VIEW                              # the tensor becomes a view of itself
    CONSTANT                             # the result does not depend on the arguments
    BY_FORMULA
    ON_TANGENT                           # by the same operator in place, on the tangent


cdef class Operator:
    """A recorded operator as a value: one form of a row of derivatives/."""
    cdef readonly str name               # the row
    cdef readonly str form               # "", "_" (in place) or "_out"
    cdef readonly tuple parameters       # (name, kind, default), in order; with "out" at the end
    cdef readonly bint view
    cdef bint writes                     # in place
    # -- what it computes, without a graph: a TensorImpl, or a sequence of them
    cdef object (*compute)(tuple arguments, TensorImpl out)
    cdef Results results
    cdef Py_ssize_t receiver             # index of the argument that it writes to in place, or makes a view of
    # -- how it is recorded
    cdef Node (*record)(Operator operator, tuple arguments)    # makes the node and saves arguments; NULL: no derivative
    cdef type node                       # the class of the node
    cdef tuple twins                     # other classes, for operators that PyTorch has apart
    cdef str public_name
    cdef tuple edges                     # indices of the arguments to which gradients flow
    cdef tuple constants                 # indices of the arguments that must not require grad
    cdef tuple differentiable            # indices of the results that can require grad
    cdef tuple saved_results             # pairs (slot of the node, index of the result)
    cdef bint plain                      # one result, which is differentiable and not saved
    cdef bint casts                      # a result that no gradient can have is not an error
    cdef bint unknown                    # there is no derivative: the node's backward raises
    cdef bint lets_go                    # in place: of what the node saved that shares memory with the result
    cdef str real_autograd               # the name in the error for a complex result, which cannot be recorded
    cdef OutRule out_rule
    cdef str out_name                    # the name in the error of NO_GRADIENT
    # -- its tangent
    cdef tuple dual                      # indices of the arguments whose tangents matter; None: all are ignored
    cdef tuple no_tangent                # the arguments of `no_forward_mode`, if it has no tangent
    cdef object (*tangent)(tuple arguments, list tangents, object result)    # NULL: by two backward passes
    cdef bint linear                     # the tangent is the operator on the tangents
    cdef tuple missing                   # for each edge a `Missing`
    cdef tuple kept                      # indices of the arguments that the node saves
    cdef InPlace in_place
    # -- in transforms: a function of the same arguments that calls simpler operators, or None
    cdef public object composition

    cdef object function(self, tuple arguments)    # call it


cdef class Composed(Operator):           # an operator composed of others
    cdef object (*composition)(tuple arguments)


cdef Operator make_composed(str name, object (*composition)(tuple))
cdef int register(Operator operator) except -1           # in `operators`
cdef Operator out_of_place(Operator operator)            # the operator itself for one in place
cdef Py_ssize_t receiver(Operator operator) except -1    # index of the argument it writes to, or makes a view of
cdef TensorBase written_by(Operator operator, tuple arguments)      # the argument that an operator writes to
cdef str overload_of(Operator operator, tuple arguments)
