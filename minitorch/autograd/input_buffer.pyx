"""The input buffer of a node: one gradient for each of its outputs, added up as they arrive.

The buffer itself is two fields of the node (`in0`, `ins`), or of the task's own table when another
live task holds the node; this file is what happens when a second gradient comes.
"""

from minitorch.autograd.events cimport trace, tracing
from minitorch.autograd.special cimport Sparse
from minitorch.autograd.variable cimport TensorBase, make_tensor, recorded_operators
from minitorch.core.tensor_impl cimport TensorImpl, bump_version, is_dense, same_sizes
from minitorch.ops.binary cimport add


cdef extern from "Python.h":
    Py_ssize_t Py_REFCNT(object op)


# docs: step 9
cdef object accumulate_in_buffer(object old, object new, bint recording):
    cdef TensorImpl a
    cdef TensorImpl b
    if tracing:
        trace("accumulate_in_buffer", None)
    if recording:
        if isinstance((<TensorBase>old).impl.special, Sparse):
            return recorded_operators().add(<TensorBase>new, <TensorBase>old)   # dense + sparse, not the reverse
        return recorded_operators().add(<TensorBase>old, <TensorBase>new)
    a = <TensorImpl>old
    b = <TensorImpl>new
    if a.special is not None or b.special is not None:      # a Function has made a sparse gradient
        return (<TensorBase>accumulate_in_buffer(make_tensor(a), make_tensor(b), True)).impl
    if _is_ours_alone(a) and a.dtype == b.dtype and same_sizes(a.geometry, b.geometry):
        bump_version(a)
        return add(a, b, 1, a)
    return add(a, b)
# docs: end


cdef inline bint _is_ours_alone(TensorImpl t) noexcept:
    # held by the caller and by `a`
    return (Py_REFCNT(t) <= 2 and t.storage.refcount == 1 and t.storage.owner == NULL
            and is_dense(t))
