# Recorded operators as values: what vmap, func.grad and __torch_dispatch__ are handed.

from minitorch.autograd.variable cimport TensorBase


cdef class Operator:
    """A recorded operator as a value: one form of a row of derivatives.toml."""
    cdef readonly str name               # the row
    cdef readonly str form               # "", "_" (in place) or "_out"
    cdef readonly tuple parameters       # (name, kind, default), in order; with "out" at the end
    cdef readonly bint view
    cdef object (*function)(tuple)

cdef Operator make_operator(str name, str form, tuple parameters, bint view, object (*function)(tuple))
cdef Operator make_composed(str name, object (*function)(tuple))     # of other operators, which see what they want
cdef Py_ssize_t receiver(Operator operator) except -1    # which argument it writes to, or is a view of
cdef TensorBase written_by(Operator operator, tuple arguments)      # by one in place or with `out=`
cdef str overload_of(Operator operator, tuple arguments)
