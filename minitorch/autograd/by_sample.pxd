# Functions that PyTorch's `vmap` calls separately for each sample: Note [Functions without a batching rule].

from minitorch.autograd.variable cimport TensorBase


cdef class WithoutRule:
    """How `vmap` handles the calls of a function."""
    cdef readonly object name            # PyTorch's name, with the overload; or ``f(args, kwargs)`` that returns it
    cdef readonly str refused            # the error that is raised instead, "" for none
    cdef readonly bint composed          # of other operators, which `grad` and `jvp` see

# Warn of the operator that PyTorch composes a formula in, where `t` is of a batch: it has no rule
cdef int tell_of(TensorBase t, str name) except -1

# The result of a function with a batch among its arguments; None if there is no batch: call the function itself
cdef object by_sample(WithoutRule rule, object function, tuple args, dict kwargs)

# Raise the error of a call with `out=` inside `vmap`
cdef int check_out(str name, tuple args, dict kwargs) except -1
