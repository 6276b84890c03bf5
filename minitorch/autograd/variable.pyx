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

cimport cython
from cpython.object cimport PyObject, PyTypeObject, destructor, inquiry

from minitorch.autograd.grad_mode cimport any_inference_mode, inference_enabled
from minitorch.autograd.node cimport Node, NodeHooks, share_dealloc, track_graph
from minitorch.autograd.view_errors cimport DEFAULT, INFERENCE_MODE, NO_GRAD_MODE, refuse_view
from minitorch.core.address_table cimport AddressTable, insert, take_next, take_out
from minitorch.core.dtype cimport NoType, c_name, class_name, is_complex, is_differentiable
from minitorch.core.tensor_impl cimport (
    TensorImpl, same_sizes, sizes_tuple, strides_tuple, version)

from minitorch.core.error_pages import explained

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
tensor_class = TensorBase
cdef tuple _no_arguments = ()
engine_operators = None


# Slot: operators make instances of class Tensor, which has its methods from every layer up to _tensor.py
def _register_tensor_class(type cls):
    """Make operators return instances of `cls`, a subclass of TensorBase."""
    global tensor_class
    tensor_class = cls
    # its bases correspond to one class in PyTorch, whose name errors show
    for base in cls.__mro__[1:]:
        if issubclass(base, TensorBase):
            if not (<PyTypeObject*>base).tp_flags & Py_TPFLAGS_HEAPTYPE:
                (<PyTypeObject*>base).tp_name = "torch._C.TensorBase"
                share_dealloc(base, TensorBase)
            refuse_new(base)


# Slot: the engine and views call operators, whose recording wrappers are built on this module
def _register_engine_operators(EngineOperators operators):
    """Register the only instance of the subclass of `EngineOperators`, which is in functions/manual.pyx."""
    global engine_operators
    engine_operators = operators


cdef class EngineOperators:
    cdef TensorImpl add_data(self, TensorImpl a, TensorImpl b, TensorImpl out):
        raise NotImplementedError("EngineOperators.add_data")

    cdef TensorImpl sum_data_to(self, TensorImpl grad, tuple sizes):
        raise NotImplementedError("EngineOperators.sum_data_to")

    cdef TensorImpl cast_data(self, TensorImpl grad, int dtype):
        raise NotImplementedError("EngineOperators.cast_data")

    cdef int copy_data(self, TensorImpl t, TensorImpl source) except -1:
        raise NotImplementedError("EngineOperators.copy_data")

    cdef TensorBase add(self, TensorBase a, TensorBase b):
        raise NotImplementedError("EngineOperators.add")

    cdef TensorBase sum_to(self, TensorBase grad, tuple sizes):
        raise NotImplementedError("EngineOperators.sum_to")

    cdef TensorBase cast(self, TensorBase grad, int dtype):
        raise NotImplementedError("EngineOperators.cast")

    cdef TensorBase clone(self, TensorBase t):
        raise NotImplementedError("EngineOperators.clone")

    cdef TensorBase clone_contiguous(self, TensorBase t):
        raise NotImplementedError("EngineOperators.clone_contiguous")

    cdef TensorBase copy_in_layout(self, TensorBase t, TensorImpl layout):
        raise NotImplementedError("EngineOperators.copy_in_layout")

    cdef TensorBase zeros_like(self, TensorBase t):
        raise NotImplementedError("EngineOperators.zeros_like")

    cdef TensorBase expand(self, TensorBase t, tuple sizes):
        raise NotImplementedError("EngineOperators.expand")

    cdef TensorBase alias(self, TensorBase t):
        raise NotImplementedError("EngineOperators.alias")

    cdef TensorBase copy(self, TensorBase t, TensorBase source):
        raise NotImplementedError("EngineOperators.copy")

    cdef TensorBase view_like(self, TensorBase t, TensorBase base, TensorBase view):
        raise NotImplementedError("EngineOperators.view_like")

    cdef TensorBase copy_like(self, TensorBase t, TensorBase like):
        raise NotImplementedError("EngineOperators.copy_like")

    cdef Node new_accumulate_grad(self, TensorBase leaf):
        raise NotImplementedError("EngineOperators.new_accumulate_grad")

    cdef Node new_copy_slices(self, TensorBase base, TensorBase view, Node function):
        raise NotImplementedError("EngineOperators.new_copy_slices")

    cdef Node new_as_strided(self, TensorBase base, TensorBase view):
        raise NotImplementedError("EngineOperators.new_as_strided")

    cdef object view_steps(self, TensorBase view, TensorBase before, TensorBase base):
        raise NotImplementedError("EngineOperators.view_steps")


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
    cdef TensorBase self = <TensorBase>tp_new_of(tensor_class, _no_arguments)
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


cdef int unrecorded_meta() noexcept:
    return INFERENCE_MODE if inference_enabled() else NO_GRAD_MODE


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
        steps = engine_operators.view_steps(view, base, root)
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
    view._tangent.tensor = None if tangent is None else engine_operators.view_like(tangent, base, view)


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
        refuse_view(view.creation_meta, t._grad_fn, t._output_nr, "its base or another view of its base has been")
    # the base or another of its views was written to: see Note [Views and in-place]
    t._grad_fn = engine_operators.new_as_strided(view.base, t)
    leave_hooks(t, old, t._grad_fn)
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
    function = engine_operators.new_accumulate_grad(t)
    t.grad_accumulator = <PyObject*>function
    return function


cdef int leave_hooks(TensorBase t, Node old, Node new) except -1:
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


@cython.binding(False)
cdef class TensorBase:
    """The compiled part of `Tensor`; PyTorch's counterpart is ``torch._C.TensorBase``."""

    def __cinit__(self):
        self.grad_accumulator = NULL

    @property
    def grad(self):
        """The gradient that backward() accumulated: a tensor of this one's shape, or None."""
        if self._grad is None and self._grad_fn is not None and not self._retains_grad:
            warnings.warn(_NON_LEAF_GRAD, UserWarning, stacklevel=1)
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
            raise explained(RuntimeError(
                f"attempting to assign a gradient of size '{list(sizes_tuple(grad.impl))}' to a tensor of "
                f"size '{list(sizes_tuple(self.impl))}'. Please ensure that the gradient and the tensor "
                "are the same size"), "grad-of-wrong-shape")
        set_grad(self, grad)

    @grad.deleter
    def grad(self):
        self._grad = None

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
                raise explained(RuntimeError(
                    "you can only change requires_grad flags of leaf variables."), "requires-grad-of-non-leaf")
            raise explained(RuntimeError(
                "you can only change requires_grad flags of leaf variables." + _DETACH_ADVICE),
                "requires-grad-of-non-leaf")
        if value and not is_differentiable(self.impl.dtype):
            raise explained(RuntimeError(not_differentiable), "integer-requires-grad")
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
