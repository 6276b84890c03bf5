"""`AccumulateGrad`: the node where the gradient of a leaf ends up, also called the sink of the leaf.

Note [What becomes of the gradient]
Decision table, for a leaf with `.grad`:

    .grad     create_graph   result
    None      no             the gradient itself, if nothing else holds it and it has the layout
                             below; else a copy in that layout
    None      yes            a recorded copy
    exists    no             added in place, so that other references to `.grad` see the sum
    exists    yes            a new tensor: the recorded sum of the two

Without create_graph, a sparse gradient is added in place to a dense or sparse `.grad`. A dense gradient
and a sparse `.grad` give a new dense tensor.

The layout is the leaf's own strides if they are non-overlapping and dense, else row-major.
"""

import os
import weakref

cimport cython
from cpython.object cimport PyObject
from cpython.pythread cimport (
    NOWAIT_LOCK, PyThread_acquire_lock, PyThread_allocate_lock, PyThread_release_lock, PyThread_type_lock, WAIT_LOCK)
from cpython.ref cimport Py_DECREF

from minitorch.autograd.events cimport accumulated, entered, hook_called
from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.autograd.input_buffer cimport add_tensors
from minitorch.autograd.node cimport Gradients, Node, add_first_output, name_plainly, start_sink
from minitorch.autograd.other_modes cimport layout_enforced
from minitorch.autograd.variable cimport TensorBase, engine_operators, make_tensor, set_grad
from minitorch.core.dtype cimport dtype_of
from minitorch.core.special cimport Special, device_kind_of, special_of_thread
from minitorch.core.tensor_impl cimport (
    TensorImpl, bump_version, empty, empty_geometry, is_contiguous, is_dense, ndim, numel, same_sizes, sizes,
    sizes_tuple, strides, strides_tuple)

from minitorch.autograd.node import _InputMetadata
from minitorch.autograd.variable import _grad_dtype_of, _grad_dtypes
from minitorch.core.once import warn_once

cdef extern from "Python.h":
    Py_ssize_t Py_REFCNT(object op)
    Py_ssize_t PyList_GET_SIZE(object items) noexcept
    PyObject* PyList_GET_ITEM(object items, Py_ssize_t k) noexcept

cdef extern from *:
    """
    /* Return a new reference to the object behind a weak reference, or NULL if it is gone. Never raises. */
    static PyObject* minitorch_referent(PyObject* reference) {
        PyObject* found;
    #if PY_VERSION_HEX >= 0x030D0000
        return PyWeakref_GetRef(reference, &found) > 0 ? found : NULL;
    #else
        found = PyWeakref_GET_OBJECT(reference);
        if (found == Py_None)
            return NULL;
        Py_INCREF(found);
        return found;
    #endif
    }
    """
    PyObject* referent "minitorch_referent"(PyObject* reference) noexcept


@cython.final
@cython.no_gc_clear
@cython.binding(False)
cdef class AccumulateGrad(Node):
    """The last node on the way to a leaf. It keeps the leaf alive; the leaf refers to it weakly."""

    def __dealloc__(self):
        cdef Py_ssize_t k
        cdef PyObject* alias
        # because of no_gc_clear, `variable` is still set
        if self.variable is not None and self.variable.grad_accumulator == <PyObject*>self:
            self.variable.grad_accumulator = NULL
        if self.aliases is not None:
            for k in range(PyList_GET_SIZE(self.aliases)):
                alias = referent(PyList_GET_ITEM(self.aliases, k))
                if alias != NULL:
                    (<TensorBase>alias).grad_accumulator = NULL
                    Py_DECREF(<object>alias)

    def name(self):
        """Return the name that PyTorch's messages use."""
        return "torch::autograd::AccumulateGrad"

    @property
    def _input_metadata(self):
        """The shape, the dtype and the device of the leaf, whatever its `grad_dtype` is."""
        if self.variable is None:           # made by AccumulateGrad.__new__
            return ()
        cdef TensorImpl leaf = self.variable.impl
        return (_InputMetadata(list(sizes_tuple(leaf)), dtype_of(leaf.dtype), device_kind_of(leaf)),)

    cdef TensorBase leaf_like(self, TensorImpl impl):
        """Return the leaf if `impl` is its data; else an alias whose gradient arrives here, as after an unpack hook."""
        cdef TensorBase alias
        if self.variable.impl is impl:
            return self.variable
        alias = make_tensor(impl)
        alias._requires_grad = True
        alias.grad_accumulator = <PyObject*>self
        if self.aliases is None:
            self.aliases = []
        self.aliases.append(weakref.ref(alias))
        return alias

    # docs: step 10, apply
    cdef int apply(self, Gradients g) except -1:
        if g.in0 is not None and self.variable._grad_fn is not None:
            raise RuntimeError("leaf variable has been moved into the graph interior")
        if g.in0 is not None and self.variable._requires_grad:      # else requires_grad_(False) was called
            # move the buffer's reference to `gradient`, so that the count shows whether anything else holds it
            gradient = g.in0
            g.in0 = None
            accumulate(self.variable, gradient, g.recording)
        if self.variable._post_accumulate_hooks:
            for hook in list(self.variable._post_accumulate_hooks.values()):
                hook_called(self, 0, self.variable._grad, "post_accumulate_grad_hook", hook)
                result = hook(self.variable)
                if result is not None and result is not self.variable:
                    _reject_result(result)
        return 0
    # docs: end

    cdef int release_variables(self) except -1:
        return 0


# docs: step 10, accumulate
cdef int accumulate(TensorBase variable, object gradient, bint recording) except -1:
    """Set or add to the `.grad` of a leaf; see Note [What becomes of the gradient]."""
    cdef TensorBase old = variable._grad
    cdef TensorImpl impl = (<TensorBase>gradient).impl if recording else <TensorImpl>gradient
    entered("accumulate", None)
    if recording and grad_enabled():
        _accumulate_recorded(variable, old, <TensorBase>gradient)
    elif ((recording or impl.special is not None or (old is not None and old.impl.special is not None))
            and _accumulate_special(variable, old, gradient, recording, recording and Py_REFCNT(gradient) <= 1)):
        pass
    elif old is not None:
        _add_in_place(old.impl, impl)
        bump_version(old.impl)
        _check_layout(variable)
    elif _may_be_stolen(gradient, recording, variable) and (
            has_layout_for(impl, variable.impl) or not layout_enforced()):
        variable._grad = make_tensor(impl)
    else:
        impl = _copy_for(variable.impl, impl)
        if variable._grad is None:
            variable._grad = make_tensor(impl)
        else:                                  # by a pass on another thread, while this one copied
            _add_in_place(variable._grad.impl, impl)
    accumulated(variable, gradient, old)
    return 0
# docs: end


cdef int _add_in_place(TensorImpl old, TensorImpl gradient) except -1:
    """Add to the data of ``.grad`` while no other thread does; for large tensors the kernel releases the GIL."""
    if numel(old) < 1024:                      # added while the GIL is held
        engine_operators.add_data(old, gradient, old)
        return 0
    if not PyThread_acquire_lock(_adding_lock, NOWAIT_LOCK):
        with nogil:
            PyThread_acquire_lock(_adding_lock, WAIT_LOCK)
    try:
        engine_operators.add_data(old, gradient, old)
    finally:
        PyThread_release_lock(_adding_lock)
    return 0


def _renew_lock():
    """Replace the lock, which a thread that a forked process does not have may hold."""
    global _adding_lock
    _adding_lock = PyThread_allocate_lock()


cdef PyThread_type_lock _adding_lock = PyThread_allocate_lock()
os.register_at_fork(after_in_child=_renew_lock)


cdef int _accumulate_recorded(TensorBase variable, TensorBase old, TensorBase gradient) except -1:
    """Accumulate by recorded operators, for a backward with `create_graph`."""
    if old is not None:
        set_grad(variable, add_tensors(old, gradient))
        if old.impl.special is None:
            _check_layout(variable)
        return 0
    copy = _copy_of_special(variable, gradient)
    if copy is not None:
        set_grad(variable, copy)
    elif is_dense(variable.impl):
        set_grad(variable, engine_operators.copy_in_layout(gradient, empty_for(variable.impl, gradient.impl)))
    else:
        set_grad(variable, engine_operators.clone_contiguous(gradient))
    return 0


cdef TensorBase _copy_of_special(TensorBase variable, TensorBase gradient):
    """Return a copy of the gradient that its kind or a mode of this thread makes, or None."""
    cdef Special special
    for special in (gradient.impl.special, special_of_thread()):
        if special is not None:
            copy = special.copy_gradient(variable, gradient)
            if copy is not None:
                return <TensorBase>copy
    return None


cdef bint _accumulate_special(TensorBase variable, TensorBase old, object gradient, bint recording,
                              bint alone) except -1:
    """Let a mode of this thread, or the kind of a special tensor, accumulate; return whether one of them did."""
    cdef TensorBase new = <TensorBase>gradient if recording else make_tensor(<TensorImpl>gradient)
    cdef Special special
    for special in (special_of_thread(), new.impl.special, None if old is None else old.impl.special):
        if special is not None and special.accumulate(variable, new, recording, alone):
            return True
    return False


cdef int _reject_result(result) except -1:
    if isinstance(result, TensorBase):
        raise RuntimeError("Tensor post accumulate grad hooks should return None.")
    raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")


cdef inline bint _may_be_stolen(object gradient, bint recording, TensorBase variable) except -1:
    """Return whether nothing outside of this pass holds the gradient, so that it may become `.grad`."""
    # `gradient` in `apply` holds it and, if it is a TensorImpl, `impl` in `accumulate` too. One more reference is for
    # the post-hooks of the sink: as in PyTorch, the gradient that they get may become `.grad` nevertheless.
    cdef Node sink = None if variable.grad_accumulator == NULL else <Node>variable.grad_accumulator
    cdef bint shown = sink is not None and sink.hooks is not None and bool(sink.hooks.post_hooks)
    return Py_REFCNT(gradient) <= (1 if recording else 2) + shown


cdef bint has_layout_for(TensorImpl gradient, TensorImpl variable) noexcept:
    cdef int d
    if gradient.geometry == variable.geometry:
        return is_dense(variable)
    if not is_dense(variable):
        return is_contiguous(gradient)
    for d in range(ndim(variable)):
        # in a dimension of size 1 any stride will do, except 0, which an expanded tensor has
        if strides(gradient)[d] == 0 if sizes(variable)[d] == 1 else strides(gradient)[d] != strides(variable)[d]:
            return False
    return True


cdef inline int _check_layout(TensorBase variable) except -1:
    """Warn if the program has assigned a `.grad` with another layout, which it keeps when gradients are added."""
    if not has_layout_for(variable._grad.impl, variable.impl):
        _warn_of_layout(variable._grad.impl, variable.impl)
    return 0


cdef int _warn_of_layout(TensorImpl gradient, TensorImpl variable) except -1:
    if gradient.special is None and variable.special is None:
        warn_once(
            "grad and param do not obey the gradient layout contract. This is not an error, but may impair "
            f"performance.\ngrad.sizes() = {list(sizes_tuple(gradient))}, strides() = "
            f"{list(strides_tuple(gradient))}\nparam.sizes() = {list(sizes_tuple(variable))}, strides() = "
            f"{list(strides_tuple(variable))}", kind="gradient layout contract")
    return 0


cdef TensorImpl empty_for(TensorImpl variable, TensorImpl gradient):
    if is_dense(variable) and same_sizes(variable.geometry, gradient.geometry):
        return empty_geometry(variable.geometry, gradient.dtype)
    return empty(ndim(gradient), sizes(gradient), gradient.dtype)


cdef TensorImpl _copy_for(TensorImpl variable, TensorImpl gradient):
    cdef TensorImpl result = empty_for(variable, gradient)
    engine_operators.copy_data(result, gradient)
    if is_dense(variable):                  # made empty with the leaf's strides, then written to
        bump_version(result)
    return result


cdef Node new_accumulate_grad(TensorBase leaf):
    cdef AccumulateGrad self = AccumulateGrad.__new__(AccumulateGrad)
    start_sink(self)
    self.variable = leaf
    add_first_output(self, leaf.impl)
    if _grad_dtypes:
        self.metadata0.dtype = _grad_dtype_of(leaf)
    if leaf._hooks is not None:
        # hooks belong to the leaf: they outlive its earlier sinks, which go when their graph is freed
        self.require_hooks().tensor_pre_hooks = [(0, leaf._hooks)]
    return self


name_plainly(AccumulateGrad)
