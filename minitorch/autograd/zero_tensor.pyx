"""Tensors that are known to be zeros. The rules for operators on them are in minitorch/tensors/zero_rules.py."""

from minitorch.autograd.variable cimport TensorBase, make_tensor
from minitorch.core.tensor_impl cimport TensorImpl, alias


cdef class ZeroTensor(Special):
    def __cinit__(self):
        self.rank = 1


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
