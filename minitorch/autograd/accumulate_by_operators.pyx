"""Accumulating a gradient by operators, so that a mode or a class with __torch_dispatch__ sees them.

The methods `accumulate` and `copy_gradient` of several kinds of special tensors call these functions.
"""

from minitorch.autograd.accumulate_grad cimport empty_for, has_layout_for
from minitorch.core.tensor_impl cimport strides_tuple

from minitorch.autograd.operators import _operator


cdef int accumulate_by_operators(TensorBase variable, TensorBase gradient, bint alone) except -1:
    if variable._grad is not None:
        _operator("add", "_")(variable._grad, gradient, 1)
    elif alone and has_layout_for(gradient.impl, variable.impl):
        variable._grad = _operator("detach")(gradient)
    else:
        variable._grad = copy_by_operators(variable, gradient)
    return 0


cdef TensorBase copy_by_operators(TensorBase variable, TensorBase gradient):
    """Return a copy of the gradient, of its own class, in the layout of the leaf."""
    return _operator("strided_copy")(gradient, strides_tuple(empty_for(variable.impl, gradient.impl)))
