"""Replace single operators that the engine calls by functions written in Python.

The engine calls the operators of `EngineOperators` (variable.pxd), which manual.pyx implements. A program may
supply its own for some of them, as the exercises do. The engine then calls an object of `PluggedOperators`,
which calls the program's function for the operator in question and the usual object for all others.
"""

from minitorch.autograd.node cimport Node
from minitorch.autograd.variable cimport EngineOperators, TensorBase, engine_operators, make_tensor
from minitorch.autograd.variable import _register_engine_operators
from minitorch.core.tensor_impl cimport TensorImpl


cdef class PluggedOperators(EngineOperators):
    cdef EngineOperators usual
    cdef object sum_gradient_to          # (gradient, sizes) -> Tensor

    cdef TensorImpl sum_data_to(self, TensorImpl grad, tuple sizes):
        return self.sum_to(make_tensor(grad), sizes).impl

    cdef TensorBase sum_to(self, TensorBase grad, tuple sizes):
        return <TensorBase?>self.sum_gradient_to(grad, sizes)

    cdef TensorImpl add_data(self, TensorImpl a, TensorImpl b, TensorImpl out):
        return self.usual.add_data(a, b, out)

    cdef TensorImpl cast_data(self, TensorImpl grad, int dtype):
        return self.usual.cast_data(grad, dtype)

    cdef int copy_data(self, TensorImpl t, TensorImpl source) except -1:
        return self.usual.copy_data(t, source)

    cdef TensorBase add(self, TensorBase a, TensorBase b):
        return self.usual.add(a, b)

    cdef TensorBase cast(self, TensorBase grad, int dtype):
        return self.usual.cast(grad, dtype)

    cdef TensorBase clone(self, TensorBase t):
        return self.usual.clone(t)

    cdef TensorBase clone_contiguous(self, TensorBase t):
        return self.usual.clone_contiguous(t)

    cdef TensorBase copy_in_layout(self, TensorBase t, TensorImpl layout):
        return self.usual.copy_in_layout(t, layout)

    cdef TensorBase zeros_like(self, TensorBase t):
        return self.usual.zeros_like(t)

    cdef TensorBase expand(self, TensorBase t, tuple sizes):
        return self.usual.expand(t, sizes)

    cdef TensorBase alias(self, TensorBase t):
        return self.usual.alias(t)

    cdef TensorBase copy(self, TensorBase t, TensorBase source):
        return self.usual.copy(t, source)

    cdef TensorBase view_like(self, TensorBase t, TensorBase base, TensorBase view):
        return self.usual.view_like(t, base, view)

    cdef TensorBase copy_like(self, TensorBase t, TensorBase like):
        return self.usual.copy_like(t, like)

    cdef Node new_accumulate_grad(self, TensorBase leaf):
        return self.usual.new_accumulate_grad(leaf)

    cdef Node new_copy_slices(self, TensorBase base, TensorBase view, Node function):
        return self.usual.new_copy_slices(base, view, function)

    cdef Node new_as_strided(self, TensorBase base, TensorBase view):
        return self.usual.new_as_strided(base, view)

    cdef object view_steps(self, TensorBase view, TensorBase before, TensorBase base):
        return self.usual.view_steps(view, before, base)


def plug_sum_to(function):
    """Make the engine sum gradients to the shape of a broadcast input with `function`.

    Parameters
    ----------
    function : callable or None
        ``function(gradient, sizes)`` returns a tensor whose shape is the tuple `sizes`. It is only called if the
        shapes differ. None brings the usual operator back.

    Raises
    ------
    TypeError
        In the backward pass, if `function` returns something else than a tensor.
    """
    cdef EngineOperators usual = engine_operators
    cdef PluggedOperators plugged
    if isinstance(usual, PluggedOperators):
        usual = (<PluggedOperators>usual).usual
    if function is None:
        _register_engine_operators(usual)
        return
    plugged = PluggedOperators.__new__(PluggedOperators)
    plugged.usual, plugged.sum_gradient_to = usual, function
    _register_engine_operators(plugged)
