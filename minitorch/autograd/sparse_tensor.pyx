"""Sparse tensors: their indices and values, and how their gradients accumulate.

The rules for operators on them are in minitorch/_sparse/rules.py.
"""

from minitorch.autograd.grad_mode cimport grad_enabled, set_grad_enabled
from minitorch.autograd.variable cimport engine_operators, make_tensor, set_impl
from minitorch.core.special cimport STORAGE, device_kind_of
from minitorch.core.tensor_impl cimport alias

from minitorch.autograd.operators import _operator


cdef class Sparse(Special):
    def __init__(self, TensorBase indices, TensorBase values, bint coalesced):
        self.rank = 2
        self.device_kind = device_kind_of(values.impl)
        self.indices = indices
        self.values = values
        self.coalesced = coalesced
        self._counted = SpecialGradient()

    cdef int check_data(self, object t, int use) except -1:
        if use == STORAGE:
            raise NotImplementedError("Cannot access storage of SparseTensorImpl")
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")

    cdef object copy_gradient(self, object leaf, object gradient):
        return engine_operators.clone(<TensorBase>gradient)

    cdef object add(self, object old, object new):
        return engine_operators.add(<TensorBase>new, <TensorBase>old)       # dense + sparse, not the reverse

    cdef bint accumulate(self, object leaf, object gradient, bint recording, bint alone) except -1:
        cdef TensorBase variable = <TensorBase>leaf
        cdef TensorBase old = variable._grad
        cdef TensorBase new = make_tensor((<TensorBase>gradient).impl)
        cdef bint mode = grad_enabled()
        set_grad_enabled(False)
        try:
            if old is None and alone and self.indices.is_contiguous() and self.values.is_contiguous():
                exchange_sparse(new, Sparse(self.indices, self.values, self.indices.size(1) < 2))
                variable._grad = new
            elif old is None:
                variable._grad = engine_operators.clone(new)
            elif is_sparse(old.impl) and not is_sparse(new.impl):
                variable._grad = engine_operators.add(new, old)
            else:
                _operator("add", "_")(old, new, 1)
        finally:
            set_grad_enabled(mode)
        return True


def make_sparse(TensorBase like, Sparse special):
    """Return a sparse tensor with the shape and dtype of `like`, which is dense."""
    cdef TensorImpl impl = alias(like.impl)
    impl.special = special
    return make_tensor(impl)


def exchange_sparse(TensorBase t, Sparse special, TensorBase like=None):
    """Give the sparse tensor `t` the new value of an operator in place; `like` has its shape if that changed."""
    cdef TensorImpl impl
    if not is_sparse(t.impl):
        raise TypeError("a dense tensor")
    if like is not None:
        impl = alias(like.impl)
        impl.special = special
        set_impl(t, impl)
    else:
        t.impl.special = special
