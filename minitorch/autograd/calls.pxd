# What operators and named blocks report to observers of calls. See calls.pyx.

from minitorch.autograd.events cimport Observer

cdef bint watching_calls                     # whether there is an observer of calls


cdef class CallObserver(Observer):
    # Each returns a token, which is passed to `call_ends`
    cpdef operator_begins(self, object operator, tuple arguments)
    cpdef block_begins(self, str name, int scope, object arguments, object operator, dict keywords, bint numbered)
    cpdef call_ends(self, object token, object result)

# Report that an operator is called; returns what `end_call` takes. For a function that makes a tensor, `operator` is
# its name and the arguments are (args, kwargs)
cdef list begin_operator(object operator, tuple arguments)
cdef int end_call(list begun, object result) except -1
