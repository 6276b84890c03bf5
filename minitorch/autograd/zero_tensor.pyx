"""Tensors that are known to be zeros. The rules for operators on them are in minitorch/tensors/zero_rules.py.

Note [Gradients that are known to be zeros]
The gradient of some functions is zero wherever they are differentiable, such as that of the sign. PyTorch returns a
tensor that is known to be zeros for it, so that the product with the next derivative is zero even if that is infinite
or nan. In `.grad` PyTorch keeps this tensor and raises when a second gradient is added to it. Here `.grad` gets a copy
that can be written to.
"""

from minitorch.autograd.levels cimport wrapped
from minitorch.autograd.python_dispatch cimport is_dispatched
from minitorch.autograd.variable cimport engine_operators, make_tensor
from minitorch.core.tensor_impl cimport alias, sizes_tuple
from minitorch.ops.creation.factory cimport zeros


cdef class ZeroTensor(Special):
    def __cinit__(self):
        self.rank = 1
        self._counted = SpecialGradient()

    cdef bint accumulate(self, object leaf, object gradient, bint recording, bint alone) except -1:
        cdef TensorBase variable = <TensorBase>leaf
        if variable._grad is not None:
            return False
        variable._grad = engine_operators.zeros_like(variable)
        return True


cdef TensorImpl known_zeros_of_impl(TensorImpl grad, TensorImpl result):
    cdef TensorImpl impl = zeros(sizes_tuple(result), result.dtype)
    impl.special = ZeroTensor()
    return impl


cdef TensorBase known_zeros(TensorBase grad, TensorBase result):
    cdef TensorBase inner = result
    while wrapped(inner) is not None:
        inner = wrapped(inner).value
    if is_dispatched(inner) or inner.impl.special is not None:
        return engine_operators.zeros_like(grad)
    return make_tensor(known_zeros_of_impl(grad.impl, result.impl))


def as_zeros(TensorBase t):
    """Return an alias of `t` that is marked as known to be zeros."""
    cdef TensorImpl impl = alias(t.impl)
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
