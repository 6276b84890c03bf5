"""Calling ``MyFunction.jvp``, and checking the tangents that it returns."""

from minitorch.autograd.forward_grad cimport (
    check_sizes_of_tangent, hide_level, put_tangent, show_levels, tangent_of, tangent_or_zeros, top_level_of)
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.dtype cimport is_differentiable
from minitorch.core.tensor_impl cimport version


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
    cdef Py_ssize_t place
    cdef list own = [None if t is None else tangent_of(<TensorBase>t, level) for t in tensors]
    cdef list versions = [0 if v is None else version((<TensorBase>v).impl) for v in own]
    cdef list given = [_tangent_for_jvp(<TensorBase>t, <TensorBase>v, level, materialize) for t, v in zip(tensors, own)]
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
        if not isinstance(item, TensorBase):
            continue
        if not differentiable[k]:
            if tangent is not None:
                raise RuntimeError(
                    f"Function's jvp returned a gradient at position {k}, but  the corresponding forward output is "
                    "not a differentiable Tensor.You should return None at that position instead.")
            continue
        output = <TensorBase>item
        if _index_of(dirty, output) >= 0:
            place = _index_of(tensors, output)
            if place < 0:
                raise RuntimeError("Only input Tensors should be given to ctx.mark_dirty(). If a Tensor is not an "
                                   "input, there is no need to pass it to mark_dirty().")
            if own[place] is not None:
                _check_written(tangent, own[place], versions[place])
        elif tangent is not None and output._view is not None:
            if tangent._view is None:
                raise RuntimeError("A custom Function's forward is returning a view (or an input as-is) but the jvp "
                                   "is not returning a view.")
            _check_base(output, tangent, tensors, given)
        if tangent is not None:
            check_sizes_of_tangent(output, tangent)
            put_tangent(output, tangent)
    return 0


cdef int _check_written(TensorBase tangent, TensorBase own, unsigned int before) except -1:
    """Check that `jvp` has written to the tangent of an input that `forward` writes to, and has returned it."""
    if tangent is None or version(tangent.impl) == before:
        raise RuntimeError(
            "An inplace custom Function is not modifying the forward mode gradients inplace. If the forward is "
            "modifying an input inplace, then the jvp function must modify the corresponding gradient inplace.")
    if tangent is not own:
        raise RuntimeError(
            "An inplace custom Function is not returning the forward mode gradients as-is. If the forward is "
            "modifying an input inplace, then the jvp function must modify the gradient inplace and return it as-is.")
    return 0


cdef TensorBase _tangent_for_jvp(TensorBase t, TensorBase own, int level, bint materialize):
    """Return the tangent of an input; if it has none, zeros if `materialize` is set and it can have one."""
    if own is not None or t is None or not materialize or not is_differentiable(t.impl.dtype):
        return own
    return tangent_or_zeros(t, level)


cdef int _check_base(TensorBase output, TensorBase tangent, list tensors, list given) except -1:
    """Check that the tangent of an output that is a view of an input is a view of the input's tangent."""
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
