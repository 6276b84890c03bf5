"""The node of operators without a derivative.

Such a result still requires grad, as in PyTorch. Differentiating it raises an error instead of returning
a gradient that silently lacks a term. Rows request the node with ``not_implemented``.
"""

cimport cython

from minitorch.autograd.node cimport Gradients, Node, name_plainly, share_dealloc


@cython.final
@cython.binding(False)
cdef class NotImplemented(Node):
    """The node of an operator that PyTorch does not differentiate either."""

    cdef int apply(self, Gradients g) except -1:
        # `set_` is the one that PyTorch names without a namespace
        name = "set_" if self.arg0 == "set_" else f"aten::{self.arg0}"
        raise RuntimeError(f"derivative for {name} is not implemented")

    def name(self):
        return "torch::autograd::NotImplemented"


share_dealloc(NotImplemented, Node)
name_plainly(NotImplemented)
