"""Writes to tensors in place: the checks before them, and the history that a tensor has afterwards.

See Note [Views and in-place] in variable.pyx.
"""

from cpython.bytes cimport PyBytes_AS_STRING
from cpython.object cimport PyTypeObject, Py_TYPE

from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.autograd.variable cimport (
    ViewInfo, grad_fn_of, leave_hooks, engine_operators, requires_grad, set_history)
from minitorch.autograd.view_errors cimport DEFAULT, refuse_view
from minitorch.core.tensor_impl cimport bump_version, version
from minitorch.core.error_pages import explained

cdef extern from "Python.h":
    unsigned long Py_TPFLAGS_HEAPTYPE


# ---- before

cdef int refuse_inference_write() except -1:
    raise explained(RuntimeError(
        "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a "
        "normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more "
        "details."), "inference-in-place")


cdef str _LEAF = "a leaf Variable that requires grad is being used in an in-place operation."
cdef object _write_guard = None


def _set_write_guard(function):
    """Call `function` with each tensor before it is written to; None: do not. A mode does so while it is entered."""
    global _write_guard
    _write_guard = function


cdef int check_out(TensorBase out) except -1:
    if _write_guard is not None:
        _write_guard(out)
    return check_not_inference(out)


cdef int check_inplace(TensorBase t, bint records) except -1:
    """Raise PyTorch's error if `t` must not be written to in place.

    `records` is true if grad mode is on and some input of the operator requires grad.
    """
    cdef ViewInfo view = t._view
    if _write_guard is not None:
        _write_guard(t)
    if not grad_enabled():
        return check_not_inference(t)
    if view is None:
        if t._requires_grad and t._grad_fn is None:
            raise explained(RuntimeError(_LEAF), "leaf-in-place")
        return check_not_inference(t)
    if view.creation_meta != DEFAULT and (records or t._requires_grad or view.base._requires_grad):
        refuse_view(view.creation_meta, t._grad_fn, t._output_nr, "is being")
    # the leaf is the base, or the view itself if its base requires no gradient
    if view.base._grad_fn is None and requires_grad(t):
        raise explained(RuntimeError("a view of " + _LEAF), "view-of-leaf-in-place")
    return check_not_inference(t)


# ---- afterwards

cdef dict _labels = {}


cdef const char* _lasting_name(Node node) except NULL:
    """Return the name of the node's class as a C string that stays valid while the process runs."""
    cdef PyTypeObject* cls = Py_TYPE(node)
    if not cls.tp_flags & Py_TPFLAGS_HEAPTYPE:
        return cls.tp_name
    # a class that a user defines may be freed, and its name with it
    label = _labels.setdefault(type(node).__name__, type(node).__name__.encode())
    return PyBytes_AS_STRING(label)


cdef int rebase_history(TensorBase t, Node grad_fn) except -1:
    cdef ViewInfo view = t._view
    cdef Node copy_slices
    t.impl.storage.writer = _lasting_name(grad_fn)
    if view is None:
        leave_hooks(t, t._grad_fn, grad_fn)
        set_history(t, grad_fn, 0)
        return 0
    t.impl.storage.writer = "CopySlices"
    # now CopySlices makes the values of the base, and the view gets a new grad_fn that leads there
    copy_slices = engine_operators.new_copy_slices(view.base, t, grad_fn)
    leave_hooks(view.base, view.base._grad_fn, copy_slices)
    set_history(view.base, copy_slices, 0)
    t._requires_grad = True
    grad_fn_of(t)
    return 0


cdef int move_view(TensorBase t, Node grad_fn) except -1:
    # hooks and `retain_grad` stay with the node they were registered on, for the shape it has
    set_history(t, grad_fn, 0)
    if t._view is not None:
        t._view.attr_version = version(t.impl)
    else:
        t.impl.storage.writer = _lasting_name(grad_fn)
    return 0


# ---- versions and kinds of views, for programs

def _increment_version(TensorBase t):
    if not t.impl.uncounted:
        bump_version(t.impl)


def _unsafe_set_version_counter(tensors, versions):
    """Set the version counters of several tensors."""
    for t, number in zip(tensors, versions, strict=True):
        if (<TensorBase?>t).impl.uncounted:
            raise RuntimeError("Tried to call torch.autograd._unsafe_set_version() on a tensor that does not have a "
                               "version counter. Was it created in inference mode?")
        (<TensorBase>t).impl.version_counter[0] = number


cdef ViewInfo _view_info(TensorBase t):
    if t._view is None:
        raise RuntimeError("Expected meta != nullptr to be true, but got false.  (Could this error message be "
                           "improved?  If so, please report an enhancement request to PyTorch.)")
    return t._view


def _get_creation_meta(TensorBase t):
    """Return the `CreationMeta` of a view, as a number."""
    return _view_info(t).creation_meta


def _set_creation_meta(TensorBase t, int meta):
    _view_info(t).creation_meta = meta
