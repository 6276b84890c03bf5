# Recorded operators as values: vmap, func.grad and __torch_dispatch__ get them as arguments.

from minitorch.autograd.variable cimport TensorBase


cdef class Operator:
    """A recorded operator as a value: one form of a row of derivatives.toml."""
    cdef readonly str name               # the row
    cdef readonly str form               # "", "_" (in place) or "_out"
    cdef readonly tuple parameters       # (name, kind, default), in order; with "out" at the end
    cdef readonly bint view
    cdef object (*function)(tuple)

cdef Operator make_operator(str name, str form, tuple parameters, bint view, object (*function)(tuple))
cdef Operator make_composed(str name, object (*function)(tuple))     # an operator composed of others
cdef Py_ssize_t receiver(Operator operator) except -1    # index of the argument it writes to, or makes a view of
cdef TensorBase written_by(Operator operator, tuple arguments)      # the argument that an operator writes to
cdef str overload_of(Operator operator, tuple arguments)
