"""`TensorBase`: the tensor that users hold, made of a `TensorImpl` (the data) and the fields of autograd.

Note [Views and in-place]
A view knows its base, which is never a view itself. A recorded write to a view changes the values of the base, so
the *base* gets a new history (`CopySlices`). The other views of that base notice the write by its version:
`grad_fn_of` makes a new `grad_fn` for such a view when it is next needed.

Note [Handles]
A node saves a `TensorImpl`. A program that reads a saved tensor from a node must get the same Tensor object that it
holds itself. So an impl points to its first tensor, `handle`, without keeping it alive. The tensor clears the
pointer when it is destroyed: in `tp_dealloc`, and in `tp_clear`, because there the garbage collector takes away its
impl. Before that, while the callbacks of its weak references run, `handle` may point to a tensor with no references.
"""

import warnings
import weakref

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.object cimport PyObject, PyTypeObject, Py_TYPE, destructor, inquiry

from minitorch.autograd.grad_mode cimport any_inference_mode, grad_enabled, inference_enabled
from minitorch.autograd.node cimport Node, NodeHooks, share_dealloc, track_graph
from minitorch.core.address_table cimport AddressTable, insert, take_next, take_out
from minitorch.core.dtype cimport NoType, c_name, class_name, dtype, dtype_of, is_complex, is_differentiable
from minitorch.core.dtype_code cimport code_of
from minitorch.core.special cimport ALIAS, DETACHED_WITH_COUNTER, Special, special_of_thread
from minitorch.core.tensor_impl cimport (
    TensorImpl, become, bump_version, data, own_version_counter, same_sizes, sizes_tuple, strides_tuple,
    unshared_alias, version)

cdef extern from "Python.h":
    unsigned long Py_TPFLAGS_HEAPTYPE
    object tp_new_of "minitorch_tp_new"(type cls, tuple arguments)
    void keep_new "minitorch_keep_new"(type base)
    void refuse_new "minitorch_refuse_new"(type base)

ctypedef void (*destructor_t)(PyObject*) noexcept
ctypedef int (*inquiry_t)(PyObject*) noexcept

cdef extern from *:
    """
    static newfunc minitorch_allocate;
    static void minitorch_keep_new(PyTypeObject* base) {
        minitorch_allocate = base->tp_new;
    }
    /* Call Cython's allocator of TensorBase for a Python subclass, and not the subclass's __new__ */
    static PyObject* minitorch_tp_new(PyTypeObject* cls, PyObject* arguments) {
        return minitorch_allocate(cls, arguments, NULL);
    }
    /* Every tensor has data from the start, so __new__ must not make one without */
    static PyObject* minitorch_no_new(PyTypeObject* cls, PyObject* args, PyObject* kwargs) {
        PyErr_SetString(PyExc_RuntimeError,
                        "Cannot directly construct TensorBase; subclass it and then construct that");
        return NULL;
    }
    static void minitorch_refuse_new(PyTypeObject* base) {
        base->tp_new = minitorch_no_new;
        base->tp_vectorcall = NULL;         /* Cython's would not call tp_new */
    }
    """

# Cython's destructor and tp_clear of TensorBase
cdef destructor_t _dealloc_fields
cdef inquiry_t _clear_fields


cdef inline void _forget_handle(PyObject* t) noexcept:
    # a cleared field of a Cython class is NULL or None
    impl = <PyObject*>(<TensorBase>t).impl
    if impl != NULL and impl != <PyObject*>None and (<TensorImpl>impl).handle == t:
        (<TensorImpl>impl).handle = NULL


cdef void _dealloc(PyObject* t) noexcept:
    _forget_handle(t)
    _dealloc_fields(t)


cdef int _clear(PyObject* t) noexcept:
    _forget_handle(t)
    return _clear_fields(t)


cdef int _watch_ends(PyTypeObject* base) except -1:
    global _dealloc_fields, _clear_fields
    _dealloc_fields = <destructor_t>base.tp_dealloc
    _clear_fields = <inquiry_t>base.tp_clear
    base.tp_dealloc = <destructor>_dealloc
    base.tp_clear = <inquiry>_clear
    return 0


keep_new(TensorBase)
_watch_ends(<PyTypeObject*>TensorBase)
cdef type _tensor_class = TensorBase
cdef tuple _no_arguments = ()
cdef Recorded _recorded = None


def _register_tensor_class(type cls):
    """Make operators return instances of `cls`, a subclass of TensorBase."""
    global _tensor_class
    _tensor_class = cls
    # its bases correspond to one class in PyTorch, whose name errors show
    for base in cls.__mro__[1:]:
        if issubclass(base, TensorBase):
            if not (<PyTypeObject*>base).tp_flags & Py_TPFLAGS_HEAPTYPE:
                (<PyTypeObject*>base).tp_name = "torch._C.TensorBase"
                share_dealloc(base, TensorBase)
            refuse_new(base)


def _register_recorded_operators(Recorded operators):
    global _recorded
    _recorded = operators


cdef Recorded recorded_operators():
    return _recorded


cdef class Recorded:
    cdef TensorBase add(self, TensorBase a, TensorBase b):
        raise NotImplementedError("Recorded.add")

    cdef TensorBase sum_to(self, TensorBase grad, tuple sizes):
        raise NotImplementedError("Recorded.sum_to")

    cdef TensorBase cast(self, TensorBase grad, int dtype):
        raise NotImplementedError("Recorded.cast")

    cdef TensorBase clone(self, TensorBase t):
        raise NotImplementedError("Recorded.clone")

    cdef TensorBase copy_in_layout(self, TensorBase t, TensorImpl layout):
        raise NotImplementedError("Recorded.copy_in_layout")

    cdef TensorBase zeros_like(self, TensorBase t):
        raise NotImplementedError("Recorded.zeros_like")

    cdef TensorBase expand(self, TensorBase t, tuple sizes):
        raise NotImplementedError("Recorded.expand")

    cdef TensorBase alias(self, TensorBase t):
        raise NotImplementedError("Recorded.alias")

    cdef TensorBase copy(self, TensorBase t, TensorBase source):
        raise NotImplementedError("Recorded.copy")

    cdef TensorBase view_like(self, TensorBase t, TensorBase base, TensorBase view):
        raise NotImplementedError("Recorded.view_like")

    cdef TensorBase copy_like(self, TensorBase t, TensorBase like):
        raise NotImplementedError("Recorded.copy_like")

    cdef Node new_accumulate_grad(self, TensorBase leaf):
        raise NotImplementedError("Recorded.new_accumulate_grad")

    cdef Node new_copy_slices(self, TensorBase base, TensorBase view, Node function):
        raise NotImplementedError("Recorded.new_copy_slices")

    cdef Node new_as_strided(self, TensorBase base, TensorBase view):
        raise NotImplementedError("Recorded.new_as_strided")


# ---- making tensors

cdef inline void _take(TensorBase self, TensorImpl impl) noexcept:
    self.impl = impl
    if impl.handle == NULL:
        impl.handle = <PyObject*>self


cdef int set_impl(TensorBase t, TensorImpl impl) except -1:
    _forget_handle(<PyObject*>t)
    _take(t, impl)
    return 0


cdef int become_view(TensorBase t, TensorImpl view) except -1:
    """Give `t` the impl of a view of it, so that only its shape and strides change; `special` stays the same."""
    view.special = t.impl.special
    if t._view is not None and t._view.replay is None and looks_at_reals(t._view.base, t):
        t._view.replay = real_steps(t)      # as in PyTorch, the replay gives the shape that it had before
    return set_impl(t, view)


cdef TensorBase make_tensor(TensorImpl impl):
    cdef TensorBase self = <TensorBase>tp_new_of(_tensor_class, _no_arguments)
    _take(self, impl)
    if any_inference_mode and inference_enabled():
        if impl.storage.refcount == 1:
            impl.inference = True
        impl.uncounted = impl.inference
    return self


cdef TensorBase make_handle(TensorImpl impl):
    cdef TensorBase self = <TensorBase>tp_new_of(TensorBase, _no_arguments)
    self.impl = impl
    return self


cdef TensorBase make_recorded(TensorImpl impl, Node grad_fn, unsigned int output_nr):
    cdef TensorBase self = make_tensor(impl)
    if grad_fn is not None:
        set_history(self, grad_fn, output_nr)
    return self


cdef object _bit_steps = None


def _register_bit_steps(function):
    """Register ``function(view, tensor, base)``, which returns the replay of a view.

    It is called if the view or the tensor is special, or if one of them is complex and the other is real. It returns
    None if the strides are enough to make the view again, and False to leave the replay as it is.
    """
    global _bit_steps
    _bit_steps = function


cdef int make_view(TensorBase view, TensorBase base, int creation_meta) except -1:
    cdef ViewInfo info
    cdef TensorBase root
    if base.impl.inference:
        view.impl.uncounted = True
        return 0                            # an inference tensor has no history that a view could share
    info = ViewInfo.__new__(ViewInfo)
    if base._view is not None:
        # a view of a view that was made in inference mode counts as one, too
        if creation_meta == DEFAULT or base._view.creation_meta == INFERENCE_MODE:
            creation_meta = base._view.creation_meta
        if base._view.replay is not None:
            info.replay = (*base._view.replay, strided_step(view))
    root = base if base._view is None else base._view.base
    if (view.impl.special is not None or base.impl.special is not None
            or is_complex(view.impl.dtype) != is_complex(base.impl.dtype)):
        steps = _bit_steps(view, base, root)
        if steps is not False:
            info.replay = steps
    if creation_meta == INFERENCE_MODE and base.impl.special is None and base._tangent is not None:
        _view_tangent(view, base)       # inference mode computes no other tangents
    info.base = root
    info.creation_meta = creation_meta
    info.attr_version = version(view.impl)
    view._view = info
    return 0


cdef int _view_tangent(TensorBase view, TensorBase base) except -1:
    tangent = base._tangent.tensor
    view._tangent = Tangent.__new__(Tangent)
    view._tangent.visit = base._tangent.visit
    view._tangent.tensor = None if tangent is None else _recorded.view_like(tangent, base, view)


cdef bint looks_at_reals(TensorBase base, TensorBase view) noexcept:
    return is_complex(base.impl.dtype) and not is_complex(view.impl.dtype)


cdef tuple real_steps(TensorBase view):
    cdef TensorImpl base = view._view.base.impl
    cdef tuple pairs = (
        (*sizes_tuple(base), 2), (*[2 * stride for stride in strides_tuple(base)], 1), 2 * base.storage_offset)
    cdef tuple step = strided_step(view)
    cdef tuple steps = (("view_as_real", (), ()),)
    return steps if step[2] == pairs else (*steps, step)


cdef tuple strided_step(TensorBase view):
    return None, (), (sizes_tuple(view.impl), strides_tuple(view.impl), view.impl.storage_offset)


@cython.final
@cython.freelist(64)
cdef class ViewInfo:
    pass


# all living Tangents, by their addresses: leaving forward mode releases the tensors that they hold
cdef AddressTable _tangents_alive


@cython.final
cdef class Tangent:
    def __cinit__(self):
        insert(&_tangents_alive, <size_t><void*>self, <void*>self)

    def __dealloc__(self):
        take_out(&_tangents_alive, <size_t><void*>self)


def _release_tangents():
    """Release the tensors of all tangents."""
    cdef Py_ssize_t cursor = 0
    cdef void* each = take_next(&_tangents_alive, &cursor)
    while each != NULL:
        (<Tangent>each).tensor = None
        each = take_next(&_tangents_alive, &cursor)


# ---- edges

cdef Node grad_fn_of(TensorBase t):
    cdef ViewInfo view = t._view
    cdef Node old = t._grad_fn
    if view is None or view.attr_version == version(t.impl):
        return t._grad_fn
    if t._grad_fn is None and not view.base._requires_grad:
        return None
    if (t.impl.storage != view.base.impl.storage
            and t.impl.version_counter != view.base.impl.version_counter):
        return t._grad_fn
    if view.creation_meta != DEFAULT:
        _refuse_view(t, "its base or another view of its base has been")
    # the base or another of its views was written to: see Note [Views and in-place]
    t._grad_fn = _recorded.new_as_strided(view.base, t)
    _leave_hooks(t, old, t._grad_fn)
    t._output_nr = 0
    t._requires_grad = True
    view.attr_version = version(t.impl)
    return t._grad_fn


cdef Node gradient_edge(TensorBase t, unsigned int* output_nr):
    cdef Node function = t._grad_fn if t._view is None else grad_fn_of(t)
    if function is not None:
        output_nr[0] = t._output_nr
        return function
    output_nr[0] = 0
    if not t._requires_grad:
        return None
    # a sink without references may still be there, if the trashcan has deferred its destruction
    if t.grad_accumulator != NULL and (<PyObject*>t.grad_accumulator).ob_refcnt > 0:
        return <Node>t.grad_accumulator
    function = _recorded.new_accumulate_grad(t)
    t.grad_accumulator = <PyObject*>function
    return function


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


# ---- in-place

cdef str _NO_GRAD_VIEW_ADVICE = (
    " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code "
    "by moving both the view and the inplace either both inside the no_grad block (if you don't want the "
    "inplace to be tracked) or both outside (if you want the inplace to be tracked).")
cdef str _MULTI_VIEW_ADVICE = (
    " This view is the output of a function that returns multiple views. Such functions do not allow the "
    "output views to be modified inplace. You should replace the inplace operation by an out-of-place one.")


cdef int refuse_inference_write() except -1:
    raise RuntimeError(
        "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a "
        "normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more "
        "details.")


cdef int unrecorded_meta() noexcept:
    return INFERENCE_MODE if inference_enabled() else NO_GRAD_MODE


# set by allow_mutation_on_saved_tensors: called with each tensor before it is written to
cdef object _write_guard = None


def _set_write_guard(function):
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
            raise RuntimeError(
                "a leaf Variable that requires grad is being used in an in-place operation.")
        return check_not_inference(t)
    if view.creation_meta != DEFAULT and (records or t._requires_grad or view.base._requires_grad):
        _refuse_view(t, "is being")
    # the leaf is the base, or the view itself if its base requires no gradient
    if view.base._grad_fn is None and requires_grad(t):
        raise RuntimeError(
            "a view of a leaf Variable that requires grad is being used in an in-place operation.")
    return check_not_inference(t)


cdef int _refuse_view(TensorBase t, str what) except -1:
    """Raise RuntimeError, because a write would leave the view `t` without a known history.

    `what` is "is being" for a write to `t` itself, and otherwise says that its base "has been" written to.
    """
    cdef int meta = t._view.creation_meta
    if t._grad_fn is not None:
        text = f"Output {t._output_nr} of {_operator_name(t._grad_fn.name())} is a view"
        if meta == INFERENCE_MODE or meta == NO_GRAD_MODE:
            text += " of a view which was created in " + _MODES[meta == INFERENCE_MODE][0]
    else:
        text = "A view was created in " + _MODES[meta == INFERENCE_MODE][0]
    text += f" and {what} modified inplace"
    if meta == INFERENCE_MODE or meta == NO_GRAD_MODE or t._grad_fn is None:
        text += _MODES[meta == INFERENCE_MODE][1]
    text += "."
    if meta == MULTI_OUTPUT_NODE:
        text += _MULTI_VIEW_ADVICE
    elif meta == NO_GRAD_MODE:
        text += _NO_GRAD_VIEW_ADVICE
    elif meta == INFERENCE_MODE:
        text += _NO_GRAD_VIEW_ADVICE.replace("no_grad", "inference_mode")
    else:
        text += (
            " This view was created inside a custom Function (or because an input was returned "
            "as-is) and the autograd logic to handle view+inplace would override the custom backward "
            "associated with the custom Function, leading to incorrect gradients. This behavior is "
            "forbidden. You can fix this by cloning the output of the custom Function.")
    raise RuntimeError(text)


cdef tuple _MODES = (("no_grad mode", " with grad mode enabled"), ("inference mode", " in normal mode"))


def _operator_name(str name):
    """Return the name of a node for error messages: 'Mul' for 'MulBackward0', 'Pow1' for 'PowBackward1'."""
    stem, separator, number = name.rpartition("Backward")
    if not separator or (number and not number.isdigit()):
        return name
    return stem if number == "0" else stem + number


cdef dict _labels = {}


cdef const char* _lasting_name(Node node) except NULL:
    """Return the name of the node's class as a C string that stays valid while the process runs."""
    cdef PyTypeObject* cls = Py_TYPE(node)
    if not cls.tp_flags & Py_TPFLAGS_HEAPTYPE:
        return cls.tp_name
    # a class that a user defines may be freed, and its name with it
    label = _labels.setdefault(type(node).__name__, type(node).__name__.encode())
    return PyBytes_AS_STRING(label)


cdef int _leave_hooks(TensorBase t, Node old, Node new) except -1:
    """Leave the tensor hooks of `t` with its old node, and move its `retain_grad` to the new one."""
    cdef NodeHooks hooks
    t._hooks = None
    if (t._retains_grad and old is not None and old.hooks is not None
            and old.hooks.retains_grad_hooks is not None):
        # there is none if `t` has changed its shape in place: see move_view
        reference = old.hooks.retains_grad_hooks.pop(t._output_nr, None)
        if reference is None:
            return 0
        hooks = new.require_hooks()
        if hooks.retains_grad_hooks is None:
            hooks.retains_grad_hooks = {}
        hooks.retains_grad_hooks[0] = reference
    return 0


cdef int rebase_history(TensorBase t, Node grad_fn) except -1:
    cdef ViewInfo view = t._view
    cdef Node copy_slices
    t.impl.storage.writer = _lasting_name(grad_fn)
    if view is None:
        _leave_hooks(t, t._grad_fn, grad_fn)
        set_history(t, grad_fn, 0)
        return 0
    t.impl.storage.writer = "CopySlices"
    # now CopySlices makes the values of the base, and the view gets a new grad_fn that leads there
    copy_slices = _recorded.new_copy_slices(view.base, t, grad_fn)
    _leave_hooks(view.base, view.base._grad_fn, copy_slices)
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


# ---- .grad

cdef int set_grad(TensorBase t, TensorBase grad) except -1:
    t._grad = grad
    if grad is not None and grad._grad_fn is not None:
        track_graph(grad._grad_fn)       # a link to something newer, perhaps a cycle: t <- ... <- grad <- t
    return 0


cdef str _NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute "
    "won't be populated during autograd.backward(). If you indeed want the .grad field to be populated "
    "for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor "
    "by mistake, make sure you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 "
    "for more information.")
cdef str _DETACH_ADVICE = (
    " If you want to use a computed variable in a subgraph that doesn't require differentiation use "
    "var_no_grad = var.detach().")


# id of a leaf -> (weak reference to it, code of a dtype), for the few leaves whose `grad_dtype` was set
_grad_dtypes = {}


def _grad_dtype_of(TensorBase t):
    """Return the code of the dtype that a leaf's gradients must have; NoType for any."""
    return _grad_dtypes[id(t)][1] if id(t) in _grad_dtypes else t.impl.dtype


def _set_grad_dtype(TensorBase t, int code):
    key = id(t)
    if code == t.impl.dtype:
        _grad_dtypes.pop(key, None)
    else:
        _grad_dtypes[key] = weakref.ref(t, lambda gone: _grad_dtypes.pop(key, None)), code
    if t.grad_accumulator != NULL:
        (<Node>t.grad_accumulator).metadata0.dtype = code


cdef str _NEW_BASE = "_view_func(): argument 'new_base' (position 1) must be Tensor, not "


@cython.binding(False)
cdef class TensorBase:
    """The compiled part of `Tensor`; PyTorch's counterpart is ``torch._C.TensorBase``."""

    def __cinit__(self):
        self.grad_accumulator = NULL

    @property
    def grad(self):
        """The gradient that backward() accumulated: a tensor of this one's shape, or None."""
        if self._grad is None and self._grad_fn is not None and not self._retains_grad:
            warnings.warn(_NON_LEAF_GRAD, UserWarning, stacklevel=2)
        return self._grad

    @grad.setter
    def grad(self, value):
        cdef TensorBase grad
        if value is None:
            self._grad = None
            return
        if not isinstance(value, TensorBase):
            raise TypeError("assigned grad expected to be a Tensor or None but got grad of type "
                            + type(value).__name__)
        grad = value
        if grad is self:
            raise RuntimeError("can't assign Variable as its own grad")
        wanted = _grad_dtype_of(self)
        if wanted != NoType and grad.impl.dtype != wanted:
            raise RuntimeError(
                f"attempting to assign a gradient with dtype '{c_name(grad.impl.dtype)}' to a tensor with "
                f"grad_dtype '{class_name(wanted)}'. The gradient must match the tensor's "
                "grad_dtype (defaults to the tensor's dtype). You can set the tensor's grad_dtype "
                "attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with caution. "
                "Diverging the dtypes of a tensor and its gradient may break downstream systems that "
                "assume they match.")
        if (grad.impl.special is not None or self.impl.special is not None) and self.device != grad.device:
            raise RuntimeError(
                f"attempting to assign a gradient with device type '{grad.device.type}' to a tensor with device type "
                f"'{self.device.type}'. Please ensure that the gradient and the tensor are on the same device")
        if not same_sizes(grad.impl.geometry, self.impl.geometry):
            raise RuntimeError(
                f"attempting to assign a gradient of size '{list(sizes_tuple(grad.impl))}' to a tensor of "
                f"size '{list(sizes_tuple(self.impl))}'. Please ensure that the gradient and the tensor "
                "are the same size")
        set_grad(self, grad)

    @grad.deleter
    def grad(self):
        self._grad = None

    @property
    def grad_dtype(self):
        """The dtype that gradients are cast to before they are added to ``.grad``; None for any.

        By default it is the tensor's own dtype. Only a leaf has it. It cannot be set while ``.grad`` has another
        dtype, and copies and pickles of the tensor lose it.
        """
        if grad_fn_of(self) is not None:
            raise RuntimeError("grad_dtype can only be accessed on leaf tensors.")
        code = _grad_dtype_of(self)
        return None if code == NoType else dtype_of(code)

    @grad_dtype.setter
    def grad_dtype(self, value):
        cdef int code
        if value is not None and not isinstance(value, dtype):
            raise RuntimeError(f"grad_dtype must be a torch.dtype or None, but got {type(value).__name__}")
        if grad_fn_of(self) is not None:
            raise RuntimeError("grad_dtype can only be set on leaf tensors.")
        code = NoType if value is None else code_of(<dtype>value)
        if code != NoType and self._grad is not None and self._grad.impl.dtype != code:
            raise RuntimeError(
                f"Cannot set grad_dtype to '{class_name(code)}' because there is already a gradient with dtype "
                f"'{c_name(self._grad.impl.dtype)}'. Please clear the gradient (.grad = None) before changing "
                "grad_dtype, or ensure the new grad_dtype matches the existing gradient's dtype.")
        _set_grad_dtype(self, code)

    @property
    def grad_fn(self):
        """The node that made this tensor; None for a leaf."""
        return self._grad_fn if self._view is None else grad_fn_of(self)

    @property
    def requires_grad(self):
        """True if operators on this tensor are recorded."""
        return bool(self._requires_grad or (
            self._view is not None and self._view.base._requires_grad
            and is_differentiable(self.impl.dtype)))

    @requires_grad.setter
    def requires_grad(self, value):
        if not isinstance(value, bool):
            raise RuntimeError("requires_grad must be a bool")
        self._change_requires_grad(
            value, "only Tensors of floating point and complex dtype can require gradients")

    @requires_grad.deleter
    def requires_grad(self):
        raise RuntimeError("requires_grad must be a bool")

    def _change_requires_grad(self, bint value, str not_differentiable):
        # `_grad_fn` and not `grad_fn`: so a view whose history is lost can become a leaf again
        if self._grad_fn is not None:
            if value:
                raise RuntimeError("you can only change requires_grad flags of leaf variables.")
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables." + _DETACH_ADVICE)
        if value and not is_differentiable(self.impl.dtype):
            raise RuntimeError(not_differentiable)
        if value and self.impl.inference and not inference_enabled():
            raise RuntimeError(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
        self._requires_grad = value

    @property
    def is_leaf(self):
        """True if no recorded operator made this tensor."""
        return grad_fn_of(self) is None

    @property
    def retains_grad(self):
        """True if `retain_grad` was called on a tensor that is not a leaf."""
        return bool(self._retains_grad)

    @property
    def output_nr(self):
        """Which output of its `grad_fn` this tensor is."""
        return self._output_nr

    @property
    def _version(self):
        """How often the data were written to in place; views share it with their base."""
        if self.impl.uncounted:
            raise RuntimeError("Inference tensors do not track version counter.")
        return version(self.impl)

    @property
    def _base(self):
        """The tensor this one is a view of, or None."""
        return None if self._view is None else self._view.base

    def _is_view(self):
        return self._view is not None

    def _view_func(self, new_base, symint_visitor_fn=None, tensor_visitor_fn=None):
        """Return this view, but of `new_base`; None if its sizes and strides are not those of the present base."""
        cdef TensorBase base, other
        if not isinstance(new_base, TensorBase):
            raise TypeError(_NEW_BASE + type(new_base).__name__)
        if self._view is None:
            return None
        base, other = self._view.base, new_base
        if not (same_sizes(base.impl.geometry, other.impl.geometry)
                and strides_tuple(base.impl) == strides_tuple(other.impl)):
            return None
        return _recorded.view_like(other, base, self)

    def _view_func_unsafe(self, new_base, symint_visitor_fn=None, tensor_visitor_fn=None):
        """Return this view, but of `new_base`, which may have any sizes and strides."""
        if not isinstance(new_base, TensorBase):
            raise TypeError(_NEW_BASE + type(new_base).__name__)
        return None if self._view is None else _recorded.view_like(new_base, self._view.base, self)

    def _rev_view_func_unsafe(self, new_view):
        """Raise RuntimeError: minitorch's views do not keep what is needed to compute a base from a view."""
        if not isinstance(new_view, TensorBase):
            raise RuntimeError("_rev_view_func expect a single argument that is a Tensor")
        raise RuntimeError("No _rev_view_func() found")

    @property
    def data(self):
        """A tensor over the same memory, without history and with a version counter of its own."""
        cdef TensorImpl impl
        cdef Special special = special_of_thread() if self.impl.special is None else self.impl.special
        cdef int kind = ALIAS if special is None else special.data_kind()
        if kind == ALIAS:
            impl = unshared_alias(self.impl)
            impl.uncounted = False
            return make_tensor(impl)
        result = self.detach()              # a mode, or the rules of the special tensor, make the result
        if not isinstance(result, TensorBase):
            raise RuntimeError(f"detach returned invalid type {type(result).__name__}, expected Tensor")
        if kind == DETACHED_WITH_COUNTER:
            own_version_counter((<TensorBase>result).impl)
        return result

    @data.setter
    def data(self, value):
        cdef TensorBase other
        cdef Special special
        if not isinstance(value, TensorBase):
            raise TypeError("Variable data has to be a tensor, but got " + type(value).__name__)
        other = value
        special = other.impl.special if self.impl.special is None else self.impl.special
        if special is not None:
            special.check_set_data()
        if self._requires_grad and not is_differentiable(other.impl.dtype):
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex dtype")
        if self.is_sparse != other.is_sparse or self.is_meta != other.is_meta:
            raise RuntimeError(
                "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have incompatible tensor "
                "type.")
        if other.impl.dtype != self.impl.dtype:
            self.grad_accumulator = NULL        # the present sink expects gradients of the old dtype
        # the impl stays the same object: as in PyTorch, a graph that has saved it sees the new values
        special = self.impl.special
        become(self.impl, other.impl)
        self.impl.inference = other.impl.inference
        if special is not None and special.stays_with_tensor():
            self.impl.special = special

    @data.deleter
    def data(self):
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

    @property
    def _backward_hooks(self):
        return self._hooks

    @_backward_hooks.setter
    def _backward_hooks(self, hooks):
        self._hooks = hooks
        if self._grad_fn is not None:
            track_graph(self._grad_fn)

    @_backward_hooks.deleter
    def _backward_hooks(self):
        raise RuntimeError("Deletion of _backwards_hooks not allowed!")

    @property
    def name(self):
        return self._name

    @property
    def _post_accumulate_grad_hooks(self):
        return self._post_accumulate_hooks

    @_post_accumulate_grad_hooks.setter
    def _post_accumulate_grad_hooks(self, hooks):
        self._post_accumulate_hooks = hooks

    @_post_accumulate_grad_hooks.deleter
    def _post_accumulate_grad_hooks(self):
        raise RuntimeError("Deletion of _post_accumulate_grad_hooks not allowed!")

    def _set_grad_fn(self, value):
        """Set `_grad_fn`, for the class in Python; only None is allowed, which removes the history."""
        if value is not None:
            raise RuntimeError("_grad_fn can be only set to None")
        self._grad_fn = None
        self._requires_grad = False


def _gradient_edge(TensorBase t):
    """Return the pair ``(node, output number)`` that the gradient of `t` goes to."""
    cdef unsigned int nr
    node = gradient_edge(t, &nr)
    return node, nr


def _make_tensor_like(TensorBase t, cls):
    """Return a leaf of class `cls` with the data of `t`."""
    return make_of_class(t.impl, cls)


cdef TensorBase make_of_class(TensorImpl impl, object cls):
    cdef TensorBase self
    if not isinstance(cls, type):
        raise TypeError(f"cls must be a type (got {type(cls).__name__})")
    if not issubclass(cls, TensorBase):
        raise TypeError("Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. "
                        "Make sure your class inherits from Tensor.")
    # an argument typed as `type` would reject a class with another metaclass
    self = <TensorBase>tp_new_of(<type>cls, _no_arguments)
    _take(self, impl)
    return self
