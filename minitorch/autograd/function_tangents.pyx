"""Calling ``MyFunction.jvp``, and the checks of what it returns."""

from minitorch.autograd.forward_grad cimport (
    check_sizes_of_tangent, hide_level, put_tangent, show_levels, tangent_of, tangent_or_zeros, top_level_of)
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.dtype cimport is_differentiable


cdef int call_jvp(object ctx, tuple inputs, list outputs, list differentiable, list dirty,
                  bint materialize) except -1:
    cdef list tensors = [item if isinstance(item, TensorBase) else None for item in inputs]
    cdef int level = top_level_of(tensors)
    cdef int before
    if level < 0:
        return 0
    before = hide_level(level)
    try:
        return _at_level(ctx, tensors, outputs, differentiable, dirty, materialize, level)
    finally:
        show_levels(before)


cdef int _at_level(object ctx, list tensors, list outputs, list differentiable, list dirty,
                   bint materialize, int level) except -1:
    cdef TensorBase tangent
    cdef TensorBase output
    cdef list given = [None if t is None else _tangent_for_jvp(<TensorBase>t, level, materialize) for t in tensors]
    returned = ctx.apply_jvp(*given)
    if not isinstance(returned, tuple):
        returned = (returned,)
    for k, item in enumerate(returned):
        if item is not None and not isinstance(item, TensorBase):
            raise RuntimeError(f"expected Variable or None (got {type(item).__name__}) for grad output {k}.")
    if len(returned) != len(outputs):
        raise RuntimeError("Function's jvp returned an invalid number of forward gradients "
                           f"(expected {len(outputs)} but got {len(returned)})")
    for k, item in enumerate(outputs):
        tangent = returned[k]
        if not isinstance(item, TensorBase) or not differentiable[k]:
            if tangent is not None:
                raise RuntimeError(
                    f"Function's jvp returned a gradient at position {k}, but  the corresponding forward output is "
                    "not a differentiable Tensor.You should return None at that position instead.")
            continue
        if tangent is None:
            continue
        output = <TensorBase>item
        if _index_of(dirty, output) >= 0:
            if _index_of(tensors, output) >= 0 and given[_index_of(tensors, output)] is not tangent:
                raise RuntimeError(
                    "An inplace custom Function is not modifying the forward mode gradients inplace. If the forward "
                    "is modifying an input inplace, then the jvp function must modify the corresponding gradient "
                    "inplace.")
        elif output._view is not None and tangent._view is None:
            raise RuntimeError("A custom Function's forward is returning a view (or an input as-is) but the jvp is "
                               "not returning a view.")
        elif output._view is not None:
            _check_base(output, tangent, tensors, given)
        check_sizes_of_tangent(output, tangent)
        put_tangent(output, tangent)
    return 0


cdef TensorBase _tangent_for_jvp(TensorBase t, int level, bint materialize):
    if materialize and is_differentiable(t.impl.dtype):
        return tangent_or_zeros(t, level)
    return tangent_of(t, level)


cdef int _check_base(TensorBase output, TensorBase tangent, list tensors, list given) except -1:
    """A view of an input has for its tangent a view of the input's."""
    cdef TensorBase root
    for t, tangent_of_input in zip(tensors, given):
        if not isinstance(t, TensorBase) or not isinstance(tangent_of_input, TensorBase):
            continue
        if _root(<TensorBase>t) is not output._view.base:
            continue
        root = _root(<TensorBase>tangent_of_input)
        if tangent._view.base is root:
            return 0
        what = "the given grad input." if (<TensorBase>tangent_of_input)._view is None else (
            "the same base as the given grad input.")
        raise RuntimeError(f"A custom Function is returning a view but the jvp is not returning a view of {what}")
    return 0


cdef TensorBase _root(TensorBase t):
    return t if t._view is None else t._view.base


cdef Py_ssize_t _index_of(list items, TensorBase t) except -2:
    for k, item in enumerate(items):
        if item is t:
            return k
    return -1
