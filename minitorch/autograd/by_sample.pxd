# Functions that PyTorch's `vmap` calls for one sample after the other: Note [Functions without a batching rule].

from minitorch.autograd.variable cimport TensorBase


cdef class WithoutRule:
    """What `vmap` does with the calls of a function."""
    cdef readonly object name            # PyTorch's, with its overload; or ``f(args, kwargs)`` that says it
    cdef readonly str refused            # the error that is raised instead, "" for none
    cdef readonly bint composed          # of others: transforms of derivatives see those

cdef dict names                          # public name -> WithoutRule

# Warn of the operator that PyTorch composes a formula in, where `t` is of a batch: it has no rule
cdef int tell_of(TensorBase t, str name) except -1

# What a function gives for a batch among its arguments; None: there is none, it is to be called itself
cdef object by_sample(WithoutRule rule, object function, tuple args, dict kwargs)

# Refuse results that are to be written to inside of `vmap`
cdef int check_out(str name, tuple args, dict kwargs) except -1
