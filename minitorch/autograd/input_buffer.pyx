"""The input buffer of a node: one gradient for each of its outputs, added up as gradients arrive.

The buffer itself is two fields of the node (`in0`, `ins`), or of a `NodeState` if another live task has
stamped the node. This file adds the second and every further gradient to the first.
"""

from minitorch.autograd.events cimport entered
from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.autograd.special cimport interposers
from minitorch.autograd.variable cimport TensorBase, engine_operators, make_tensor
from minitorch.core.special cimport Special
from minitorch.core.tensor_impl cimport TensorImpl, bump_version, is_dense, same_sizes


cdef extern from "Python.h":
    Py_ssize_t Py_REFCNT(object op)


# docs: step 9
cdef object accumulate_in_buffer(object old, object new, bint recording):
    cdef TensorBase t
    cdef TensorImpl a
    cdef TensorImpl b
    entered("accumulate_in_buffer", None)
    if recording:
        t = <TensorBase>old
        return _accumulate_tensors(t, <TensorBase>new)
    a = <TensorImpl>old
    b = <TensorImpl>new
    if a.special is not None or b.special is not None:      # such as a sparse gradient from a Function
        return _accumulate_tensors(make_tensor(a), make_tensor(b)).impl
    if Py_REFCNT(a) <= 2 and _can_be_written(a, b):         # held only by the caller and by `a`
        bump_version(a)
        return engine_operators.add_data(a, b, a)
    return engine_operators.add_data(a, b, None)
# docs: end


cdef TensorBase _accumulate_tensors(TensorBase old, TensorBase new):
    """Add two Tensors: when recording, or when one of them is special."""
    cdef TensorImpl a = old.impl
    cdef TensorImpl b = new.impl
    if not (grad_enabled() or interposers) and _is_only_memory(old) and _is_only_memory(new):
        # held only by one local of each of the two callers; and `a` only by `old` and here
        if Py_REFCNT(old) <= 2 and Py_REFCNT(a) <= 2 and _can_be_written(a, b):
            bump_version(a)
            engine_operators.add_data(a, b, a)
            return old
    return add_tensors(old, new)


cdef TensorBase add_tensors(TensorBase old, TensorBase new):
    total = None if old.impl.special is None else (<Special>old.impl.special).add(old, new)
    return engine_operators.add(old, new) if total is None else <TensorBase>total


cdef inline bint _is_only_memory(TensorBase t) noexcept:
    return t.impl.special is None and t._tangent is None


cdef inline bint _can_be_written(TensorImpl old, TensorImpl new) noexcept:
    return (old.storage.refcount == 1 and old.storage.owner == NULL and is_dense(old)
            and same_sizes(old.geometry, new.geometry))
