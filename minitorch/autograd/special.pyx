"""Counters that show quickly whether anything special is going on, and functions for special tensors of any kind."""

from minitorch.autograd.upward_calls cimport dispatch_calls
from minitorch.core.special cimport Special, resolved_impl

interposers = 0
special_gradients = 0
any_level = False


cdef void count_interposers(int more) noexcept:
    global interposers
    interposers += more


cdef class SpecialGradient:
    def __cinit__(self):
        global special_gradients
        special_gradients += 1

    def __dealloc__(self):
        global special_gradients
        special_gradients -= 1


cdef TensorImpl impl_of(object value):
    return resolved_impl((<TensorBase>value).impl) if is_tensor(value) else None


def _gradients_count():
    """Return how many instances of `SpecialGradient` exist."""
    return special_gradients


def special_of(TensorBase t):
    """Return the `special` of `t`, such as a `Wrapped`, a `Dispatched` or a `Sparse`, or None."""
    return t.impl.special


cdef bint any_of_kind(tuple arguments, type kind) except -1:
    """Return whether an argument, or a tensor in a list argument, has a `special` of class `kind`."""
    for argument in arguments:
        if is_tensor(argument):
            if is_special(<TensorBase>argument) and isinstance((<TensorBase>argument).impl.special, kind):
                return True
        elif type(argument) is list:
            for item in argument:
                if is_tensor(item) and isinstance((<TensorBase>item).impl.special, kind):
                    return True
    return False


cdef bint needs_tensors(object tensors) except -1:
    if interposers:
        return True
    for t in tensors:
        if is_tensor(t) and (<TensorBase>t).impl.special is not None:
            return True
    return False


cdef object compute_by_kinds(object operator, tuple arguments):
    """Return the value that the rules of a special argument compute, or None.

    The kinds compute in the order of their ranks, until one returns something else than None. The rules of some kinds
    are written with operators in Python: see `DispatchCalls.rules`.
    """
    cdef Special special = _next_kind(arguments, 0)
    while special is not None:
        result = special.compute(operator, arguments)
        if result is None:
            rules = dispatch_calls.rules.get(type(special))
            result = None if rules is None else rules(operator, arguments)
        if result is not None:
            return result
        special = _next_kind(arguments, special.rank)
    return None


cdef Special _next_kind(tuple arguments, int rank):
    """Return the `special` of lowest rank above `rank` among the arguments and the tensors in lists, or None."""
    cdef Special found = None
    for argument in arguments:
        if is_tensor(argument):
            found = _lower_ranked((<TensorBase>argument).impl.special, found, rank)
        elif type(argument) is list:
            for item in argument:
                if is_tensor(item):
                    found = _lower_ranked((<TensorBase>item).impl.special, found, rank)
    return found


cdef inline Special _lower_ranked(Special special, Special found, int rank):
    if special is None or special.rank <= rank:
        return found
    return special if found is None or special.rank < found.rank else found
