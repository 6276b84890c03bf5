"""Special tensors: counters that show quickly whether there are any, sparse tensors, and known zeros."""

from minitorch.autograd.variable cimport make_tensor, set_impl
from minitorch.core.special cimport device_kind_of
from minitorch.core.tensor_impl cimport TensorImpl, alias

interposers = 0
special_gradients = 0


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


def _gradients_count():
    """Return how many instances of `SpecialGradient` exist."""
    return special_gradients


def special_of(TensorBase t):
    """Return the `special` of `t`, such as a `Wrapped`, a `Dispatched` or a `Sparse`, or None."""
    return t.impl.special


cdef bint any_special(object tensors) except -1:
    for t in tensors:
        if t is not None and (<TensorBase>t).impl.special is not None:
            return True
    return False


cdef bint any_of_kind(tuple arguments, type kind) except -1:
    """Return whether an argument, or a tensor in a list argument, has a `special` of class `kind`."""
    for argument in arguments:
        if isinstance(argument, TensorBase):
            if isinstance((<TensorBase>argument).impl.special, kind):
                return True
        elif type(argument) is list:
            for item in argument:
                if isinstance(item, TensorBase) and isinstance((<TensorBase>item).impl.special, kind):
                    return True
    return False


cdef bint needs_tensors(object tensors) except -1:
    if interposers:
        return True
    for t in tensors:
        if isinstance(t, TensorBase) and (<TensorBase>t).impl.special is not None:
            return True
    return False


# ---- sparse tensors

cdef class Sparse(Special):
    def __init__(self, TensorBase indices, TensorBase values, bint coalesced):
        self.device_kind = device_kind_of(values.impl)
        self.indices = indices
        self.values = values
        self.coalesced = coalesced
        self._counted = SpecialGradient()


def make_sparse(TensorBase like, Sparse special):
    """Return a sparse tensor with the shape and dtype of `like`, which is dense."""
    cdef TensorImpl impl = alias(like.impl)
    impl.special = special
    return make_tensor(impl)


def exchange_sparse(TensorBase t, Sparse special, TensorBase like=None):
    """Give the sparse tensor `t` the new value of an operator in place; `like` has its shape if that changed."""
    cdef TensorImpl impl
    if not isinstance(t.impl.special, Sparse):
        raise TypeError("a dense tensor")
    if like is not None:
        impl = alias(like.impl)
        impl.special = special
        set_impl(t, impl)
    else:
        t.impl.special = special


# ---- zeros

cdef class ZeroTensor(Special):
    pass


def as_zeros(TensorBase zeros):
    """Return an alias of `zeros` that is marked as known to be zeros."""
    cdef TensorImpl impl = alias(zeros.impl)
    impl.special = ZeroTensor()
    return make_tensor(impl)


def is_zeros(TensorBase t):
    """Return whether a tensor is marked as known to be zeros."""
    return isinstance(t.impl.special, ZeroTensor)


def without_mark(TensorBase t):
    """Return `t`, or an ordinary alias of it if it is marked as known to be zeros."""
    cdef TensorImpl impl
    if not is_zeros(t):
        return t
    impl = alias(t.impl)
    impl.special = None
    return make_tensor(impl)
