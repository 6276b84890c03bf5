"""`_FunctionBase`: applying a user's `Function`, and its node.

``MyFunction.apply(x)`` makes one instance of ``MyFunction._backward_cls``. It is the `ctx` of the forward and of
the backward, and the `grad_fn` of the outputs.

Note [What becomes of an output]
Decision table; the first row that applies counts. "The node" is the new `grad_fn`:

    the output is ...                        apply returns
    not a Tensor                             the output itself
    not differentiable, an input             an alias without gradient (itself, if marked dirty)
    not differentiable                       itself, detached unless it is a view
    an input that was marked dirty           itself, with a new history
    an input                                 a view of it, with the node
    anything else                            itself, with the node
"""

import warnings

cimport cython
from cpython.object cimport PyObject_GenericSetAttr

from minitorch.autograd.events cimport described
from minitorch.autograd.forward_grad cimport hide_level, show_levels, top_level_of
from minitorch.autograd.function_tangents cimport call_jvp
from minitorch.autograd.grad_mode cimport grad_enabled, set_grad_enabled
from minitorch.autograd.inplace cimport check_inplace, rebase_history
from minitorch.autograd.levels cimport Wrapped, wrapped
from minitorch.autograd.meta cimport meta_like
from minitorch.autograd.python_dispatch cimport dispatched_of
from minitorch.autograd.special cimport SpecialGradient, any_level, interposers
from minitorch.autograd.node cimport (
    Gradients, Node, OutputMetadata, output_metadata, start_node, track_graph)
from minitorch.autograd.saved_tensor_hooks cimport default_hooks
from minitorch.autograd.saved_errors cimport raise_unusable, refuse_inference_tensor
from minitorch.autograd.saved_tensor cimport SavedTensor, pack_slot
from minitorch.autograd.saved_variable cimport NO_EDGE, OUTPUT, unpack_unusual, with_history, with_version
from minitorch.autograd.torch_function cimport is_alone_plain
from minitorch.autograd.upward_calls cimport transform_calls
from minitorch.autograd.variable cimport (
    TensorBase, gradient_edge, make_tensor, make_view, requires_grad, set_history)
from minitorch.autograd.view_errors cimport IN_CUSTOM_FUNCTION, MULTI_OUTPUT_NODE
from minitorch.core.dtype cimport is_complex, is_differentiable, is_floating
from minitorch.core.special cimport ON_META, resolved_impl
from minitorch.core.tensor_impl cimport (
    TensorImpl, alias, bump_version, empty, sizes_of, version, wrap_number)
from minitorch.ops.common.copy cimport zero_

from minitorch.autograd.graph_api.gc_tracking import _track_held
from minitorch.autograd.levels import in_transform
from minitorch.core.error_pages import explained

# attributes that `_process_outputs` resets, so that they make no lasting links
cdef tuple _OF_THE_CALL = ("to_save", "dirty_tensors", "non_differentiable")


cdef int _check_bool(str function, object value) except -1:
    if not isinstance(value, bool):
        raise TypeError(f"{function} received an invalid combination of arguments - got (), but expected (bool)")
    return 0


@cython.binding(False)
cdef class _FunctionBase(Node):
    """The compiled base class of `Function` and of its `ctx`."""

    def __cinit__(self):
        self.materializes = True
        self._materialize_non_diff_grads = True

    def __init__(self):
        pass

    def __setattr__(self, name, value):
        if isinstance(value, TensorBase):
            if (<TensorBase>value)._grad_fn is not None:
                track_graph((<TensorBase>value)._grad_fn)    # it may lead back here
            elif self.inputs is not None and _is_intermediate(<TensorBase>value, self.inputs):
                if self.stashed is None:
                    self.stashed = set()
                self.stashed.add(name)
        elif isinstance(value, (list, tuple, dict)) and name not in _OF_THE_CALL:
            _track_held(value)
        PyObject_GenericSetAttr(self, name, value)

    # -- saved tensors

    cdef int keep(self) except -1:
        """Save the tensors that `save_for_backward` was called with."""
        cdef TensorBase t
        cdef unsigned int nr
        if self.to_save is None:
            return 0
        _check_tuple("to_save", self.to_save)
        self.kept = []
        self.kept_versions = []
        self.kept_edges = []
        for k, item in enumerate(self.to_save):
            if item is not None and not isinstance(item, TensorBase):
                raise explained(TypeError(
                    "save_for_backward can only save variables, but argument "
                    f"{k} is of type {type(item).__name__}"), "save-for-backward")
            edge = NO_EDGE
            t = item
            if t is not None:
                if t._grad_fn is self:
                    # keep no reference to the output itself: it holds this node
                    edge = OUTPUT - <int>t._output_nr
                    item = t.impl
                elif requires_grad(t):
                    edge = self.edge_of(gradient_edge(t, &nr))
            self.kept.append(item)
            if t is not None and t.impl.inference:
                refuse_inference_tensor()
            self.kept_versions.append(0 if t is None else version(t.impl))
            self.kept_edges.append(edge)
        self.to_save = None
        if self.packed is not None:
            for k in range(len(self.kept)):
                if self.kept[k] is not None:
                    pack_slot(self, k, self.kept_edges[k], default_hooks())
        return 0

    cdef int edge_of(self, Node function) except -10:
        cdef unsigned int k, nr
        for k in range(self.num_edges):
            if self.next_function(k, &nr) is function:
                return k
        return NO_EDGE

    cdef TensorImpl get_saved(self, int slot, unsigned int* version):
        if self.kept is None or slot >= len(self.kept):
            raise_unusable(self, None, 0, NO_EDGE)
        item = self.kept[slot]
        version[0] = self.kept_versions[slot]
        return (<TensorBase>item).impl if isinstance(item, TensorBase) else item

    cdef int put_saved(self, int slot, TensorImpl saved, unsigned int version) except -1:
        if self.kept is None or slot >= len(self.kept):
            raise_unusable(self, None, 0, NO_EDGE)
        self.kept[slot] = saved
        self.kept_versions[slot] = version
        return 0

    cdef bint is_user_function(self) noexcept:
        return True

    cdef object saved_original(self, int slot):
        item = None if self.kept is None or slot >= len(self.kept) else self.kept[slot]
        return item if isinstance(item, TensorBase) else None

    cdef tuple unpack_kept(self):
        cdef TensorImpl impl
        cdef TensorBase t
        cdef unsigned int saved_version
        cdef int edge
        cdef list result = []
        if self.released:
            raise_unusable(self, None, 0, NO_EDGE)
        if self.was_accessed:
            raise RuntimeError(
                "saved_tensors can only be accessed once when clear_saved_tensors_on_access=True is set on the "
                "autograd.Function. Either access saved_tensors only once, or set "
                "clear_saved_tensors_on_access=False.")
        if self.kept is None:
            self.was_accessed = self.clears_on_access
            return ()
        for k, item in enumerate(self.kept):
            edge = self.kept_edges[k]
            saved_version = self.kept_versions[k]
            if isinstance(item, TensorBase):
                t = <TensorBase>item
                if version(t.impl) != saved_version:
                    raise_unusable(self, t.impl, saved_version, edge)
                result.append(t)
                continue
            impl = item
            if impl is None:
                if self.packed is None or k >= len(self.packed) or self.packed[k] is None:
                    result.append(None)
                    continue
                impl = unpack_unusual(self, None, k, edge)
            else:
                impl = with_version(impl)
                if version(impl) != saved_version:
                    raise_unusable(self, impl, saved_version, edge)
            result.append(with_history(self, impl, edge))
        if self.clears_on_access:
            self.kept = None
            self.packed = None
            self.was_accessed = True
        return tuple(result)

    cdef int release_variables(self) except -1:
        self.kept = None
        return Node.release_variables(self)

    @property
    def saved_tensors(self):
        """The arguments of `save_for_backward`, until they are freed; inside `jvp`, those of `save_for_forward`."""
        if self.saved_for_forward is not None:
            return self.saved_for_forward
        return self.unpack_kept()

    @property
    def saved_variables(self):
        """The old name of `saved_tensors`."""
        warnings.warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=1)
        return self.unpack_kept()

    @property
    def _raw_saved_tensors(self):
        """The saved tensors as `SavedTensor`, on which hooks can be registered."""
        cdef SavedTensor saved
        cdef list result = []
        if self.released:
            raise_unusable(self, None, 0, NO_EDGE)
        for k in range(0 if self.kept is None else len(self.kept)):
            saved = SavedTensor.__new__(SavedTensor)
            saved.node = self
            saved.slot = k
            saved.edge = self.kept_edges[k]
            result.append(saved)
        return tuple(result)

    def _saved_here(self):
        # like `_saved_by` in saved_tensor.pyx
        kept = () if self.kept is None else self.kept
        return [(f"saved_tensors[{k}]", described(item)) for k, item in enumerate(kept)
                if item is not None or (self.packed is not None and k < len(self.packed)
                                        and self.packed[k] is not None)]

    @property
    def materialize_grads(self):
        """True if `backward` and `jvp` get zeros instead of None for missing gradients and tangents."""
        return self.materializes

    @materialize_grads.setter
    def materialize_grads(self, value):
        _check_bool("set_materialize_grads", value)
        self.materializes = value

    @property
    def _is_pure_view(self):
        return self.is_pure_view

    @_is_pure_view.setter
    def _is_pure_view(self, value):
        _check_bool("set_pure_view", value)
        self.is_pure_view = value

    def _register_hook_dict(self, tensor):
        """Do what `Node._register_hook_dict` does, with another error."""
        if not isinstance(tensor, TensorBase):
            raise RuntimeError("_register_hook_dict expected a Tensor")
        Node._register_hook_dict(self, tensor)

    @property
    def requires_grad(self):
        """True if some input of the call requires grad."""
        return self._requires_grad

    def _release_variables(self):
        self.release_variables()

    # -- the backward pass

    cdef int apply(self, Gradients g) except -1:
        cdef list gradients = []
        cdef unsigned int nr
        cdef object gradient
        cdef Py_ssize_t k, edge, count
        if self.output_kinds is None or self.is_variable_input is None:
            raise RuntimeError(f"{self.name()} belongs to no call of its Function")
        for nr in range(self.num_outputs):
            gradient = g.in0 if self.num_outputs == 1 else g.ins[nr]
            if gradient is None:
                if self.materializes and self.output_kinds[nr] != NOT_A_TENSOR and (
                        self.output_kinds[nr] == DIFFERENTIABLE or self._materialize_non_diff_grads):
                    gradient = make_tensor(_zeros(output_metadata(self, nr)))
            elif not g.recording:
                gradient = make_tensor(<TensorImpl>gradient)
            gradients.append(gradient)
        g.in0 = g.ins = gradient = None     # now only `gradients` holds them
        if g.recording and self.stashed and grad_enabled():
            _warn_of_stashed(self)
        if _class_flag(self._forward_cls, "boxed_grads_call"):
            result = (<object>self).apply_boxed(gradients)
        else:
            result = (<object>self).apply(*gradients)
        # also of a named tuple
        result = tuple(result) if isinstance(result, tuple) else (result,)
        count = len(self.is_variable_input)
        returned = len(result)
        if returned > count and all([r is None for r in result[count:]]):
            returned = count
        if returned != count:
            raise explained(RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients "
                f"(expected {count}, got {returned})"), "function-gradient-count")
        edge = 0
        for k in range(count):
            gradient = result[k]
            if not self.is_variable_input[k]:
                if gradient is not None:
                    raise RuntimeError(
                        f"function {self.name()} returned a gradient different than None at position {k + 1}, "
                        "but the corresponding forward input was not a Variable")
                continue
            if gradient is not None:
                if not isinstance(gradient, TensorBase):
                    raise RuntimeError(f"expected Variable or None (got {type(gradient).__name__})")
                if not g.recording and (<TensorBase>gradient).impl.special is not None:
                    gradient = make_tensor(resolved_impl((<TensorBase>gradient).impl))
                g.set(edge, gradient if g.recording else (<TensorBase>gradient).impl)
            edge += 1
        _check_complexities(self, self.is_variable_input, result)
        return 0


cdef int _check_complexities(Node self, tuple is_variable_input, tuple gradients) except -1:
    cdef unsigned int edge = 0
    for is_variable, gradient in zip(is_variable_input, gradients):
        if is_variable:
            if gradient is not None:
                _check_complexity(self, edge, (<TensorBase>gradient).impl.dtype)
            edge += 1
    return 0


cdef int _check_complexity(Node self, unsigned int edge, int dtype) except -1:
    """Raise RuntimeError if a gradient is complex and its input real, or the reverse.

    For our own formulas the imaginary part is dropped instead. In a user's Function it is likely an error.
    """
    cdef unsigned int nr = 0
    cdef Node function = self.next_function(edge, &nr)
    if function is not None and not is_floating(dtype) and (
            is_complex(dtype) != is_complex(output_metadata(function, nr).dtype)):
        raise RuntimeError(
            "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex) to be true, "
            "but got false.  (Could this error message be improved?  If so, please report an enhancement "
            "request to PyTorch.)")
    return 0


cdef TensorImpl _zeros(OutputMetadata* metadata):
    cdef TensorImpl result = empty(metadata.geometry.ndim, sizes_of(metadata.geometry), metadata.dtype)
    zero_(result)
    return meta_like(result) if metadata.device_kind == ON_META else result


cdef bint _is_intermediate(TensorBase t, tuple inputs) except -1:
    """Return whether `t` seems to be computed in the forward, where nothing is recorded: it is not an input."""
    if requires_grad(t) or not is_differentiable(t.impl.dtype):
        return False
    for item in inputs:
        if item is t:
            return False
    return True


cdef int _warn_of_stashed(_FunctionBase self) except -1:
    names = [name for name in sorted(self.stashed)
             if isinstance(getattr(self, name, None), TensorBase)
             and not requires_grad(<TensorBase>getattr(self, name))]
    if names:
        warnings.warn(
            f"{self.name()} is differentiated with create_graph=True, and its ctx.{', ctx.'.join(names)} was "
            "set in the forward and not saved with save_for_backward: it has no history, so that second "
            "derivatives through it are missing.", UserWarning, stacklevel=1)
    return 0


# ---- applying

def _apply_function(cls, *inputs):
    """Run ``cls.forward`` on `inputs`, and record it if one of them requires grad."""
    if (interposers and in_transform()) or _any_wrapped(inputs):
        return transform_calls.apply_function(cls, inputs)
    return _apply_at_one_level(cls, inputs)


cdef bint _any_wrapped(tuple inputs) except -1:
    for item in inputs:
        if isinstance(item, TensorBase) and wrapped(<TensorBase>item) is not None:
            # the older vmap, used for vectorised Jacobians, does not change how a Function is called
            if (<Wrapped>(<TensorBase>item).impl.special).level.randomness != "refuse":
                return True
    return False


cdef bint _any_dispatched(tuple inputs) except -1:
    for item in inputs:
        if isinstance(item, TensorBase) and dispatched_of((<TensorBase>item).impl) is not None:
            return True
    return False


def _apply_at_one_level(cls, tuple inputs, lower=None):
    """Run the forward on `inputs`, and record it at the level that they belong to.

    If `lower` is given, ``lower(*inputs)`` is called instead of the forward. It computes at the levels further out,
    which record it too.
    """
    cdef _FunctionBase ctx = <_FunctionBase?>cls._backward_cls()
    cdef list needs = []
    cdef list are_variables = []
    cdef bint some = False, mode, executable
    cdef int seen
    for item in inputs:
        if isinstance(item, TensorBase):
            wanted = requires_grad(<TensorBase>item)
            some = some or wanted
            needs.append(bool(wanted))
            are_variables.append(True)
        else:
            needs.append(False)
            are_variables.append(False)
    mode = grad_enabled()
    executable = some and mode
    if ctx.is_variable_input is not None:
        raise RuntimeError(f"a ctx belongs to one call of its Function: {cls.__name__}._backward_cls() has returned "
                           "one that was used before")
    start_node(ctx)
    ctx.special = True                  # it may return any kind of gradient
    track_graph(ctx)
    ctx.needs_input_grad = tuple(needs)
    ctx.is_variable_input = tuple(are_variables)
    ctx._requires_grad = executable
    ctx.clears_on_access = _class_flag(cls, "clear_saved_tensors_on_access")
    _set_edges(ctx, inputs, executable)
    if executable and _any_dispatched(inputs):
        (<object>ctx)._source = SpecialGradient()
    has_setup_context = cls.setup_context is not cls._default_setup_context
    ctx.inputs = inputs
    set_grad_enabled(False)
    seen = hide_level(0)
    try:
        if lower is not None:
            output = _lowered(lower, inputs, seen, mode)
            cls.setup_context(ctx, inputs, output)
        elif has_setup_context:
            output = cls.forward(*inputs)
            cls.setup_context(ctx, inputs, output)
        else:
            output = cls.forward(ctx, *inputs)
    finally:
        set_grad_enabled(mode)
        show_levels(seen)
        ctx.inputs = None
    return _process_outputs(ctx, inputs, output, executable, has_setup_context)


cdef object _lowered(object lower, tuple inputs, int seen, bint mode):
    """Call `lower` with the grad mode and the visible tangents of the levels further out."""
    cdef int level
    show_levels(seen)
    level = top_level_of([item for item in inputs if isinstance(item, TensorBase)])
    if level >= 0:
        hide_level(level)
    set_grad_enabled(mode)
    try:
        return lower(*inputs)
    finally:
        set_grad_enabled(False)
        hide_level(0)


cdef int _set_edges(_FunctionBase ctx, tuple inputs, bint executable) except -1:
    cdef unsigned int k = 0, nr
    cdef Node function
    for item in inputs:
        if isinstance(item, TensorBase):
            nr = 0
            function = gradient_edge(<TensorBase>item, &nr) if executable else None
            if function is not None:
                track_graph(function)
            ctx.set_edge(k, function, nr)
            k += 1
    return 0


cdef object _process_outputs(_FunctionBase ctx, tuple inputs, object output, bint executable,
                             bint has_setup_context):
    cdef list results
    cdef tuple outputs = tuple(output) if isinstance(output, tuple) else (output,)
    cdef list dirty = _tensors_of(
        "dirty_tensors", ctx.dirty_tensors, "mark_dirty can only accept variables, but argument ")
    cdef list constant = _tensors_of("non_differentiable", ctx.non_differentiable,
                                     "mark_non_differentiable only accepts variable arguments, but got ")
    for t in dirty:
        if wrapped(<TensorBase>t) is None:   # else the wrapped tensor has counted the write
            bump_version((<TensorBase>t).impl)
    results = _wrap_outputs(ctx, inputs, outputs, dirty, constant, executable, has_setup_context)
    if any_level:
        call_jvp(ctx, inputs, results, [
            isinstance(t, TensorBase) and is_differentiable((<TensorBase>t).impl.dtype) and not _holds(constant, t)
            for t in outputs], dirty, ctx.materializes)
    ctx.saved_for_forward = None
    ctx.dirty_tensors = ctx.non_differentiable = None
    if executable:
        ctx.keep()
    elif ctx.to_save is not None:
        _check_tuple("to_save", ctx.to_save)
        ctx.to_save = None
    return tuple(results) if isinstance(output, tuple) else results[0]


cdef bint _class_flag(object cls, str name) except -1:
    """Return a flag of the user's class; raise RuntimeError if it is not a bool."""
    value = getattr(cls, name)
    if not isinstance(value, bool):
        raise RuntimeError(f"{name} must be a bool, got {type(value).__name__}")
    return value


cdef int _check_tuple(str name, object value) except -1:
    if not isinstance(value, tuple):
        # PyTorch's text ends here too
        raise RuntimeError(f"autograd internal error: {name} attribute is expected to be a tuple but is ")
    return 0


cdef list _tensors_of(str name, object marked, str refusal):
    if marked is None:
        return []
    _check_tuple(name, marked)
    for item in marked:
        if not isinstance(item, TensorBase):
            raise RuntimeError(refusal)
    return list(marked)


cdef bint _holds(object items, object t) except -1:
    for item in items:
        if item is t:
            return True
    return False


cdef int _check_not_saved(_FunctionBase ctx, TensorBase returned) except -1:
    """Raise RuntimeError if an input that is also an output is saved, since either of them could be meant."""
    for saved in (ctx.to_save, ctx.saved_for_forward):
        if saved is not None and _holds(saved, returned):
            raise RuntimeError(
                "An input that has been returned as-is as output is being saved for backward. This is not supported "
                "if you override setup_context. You should return and save a view of the input instead, e.g. with "
                "x.view_as(x) or setup ctx inside the forward function itself.")
    return 0


cdef list _wrap_outputs(_FunctionBase ctx, tuple inputs, tuple outputs, list dirty, list constant,
                        bint executable, bint has_setup_context):
    """Give the outputs their history: see Note [What becomes of an output]."""
    cdef TensorBase t
    cdef list wrapped = []
    cdef int number = 0, differentiable = 0
    cdef bint is_input, is_modified
    if ctx.is_pure_view and not (len(outputs) == 1 and ctx.is_variable_input.count(True) == 1):
        raise RuntimeError("Pure view custom Function can only have one input Tensor and one output Tensor. Open an "
                           "issue if you need to support more.")
    ctx.output_kinds = []
    for item in outputs:
        if not isinstance(item, TensorBase):
            ctx.add_output(wrap_number(0))
            ctx.output_kinds.append(NOT_A_TENSOR)
            wrapped.append(item)
            number += 1
            continue
        t = <TensorBase>item
        is_input = _holds(inputs, t)
        is_modified = _holds(dirty, t)
        if is_input and not is_modified and has_setup_context:
            _check_not_saved(ctx, t)
        ctx.add_output(t.impl)
        if not executable or not is_differentiable(t.impl.dtype) or _holds(constant, t):
            ctx.output_kinds.append(NOT_DIFFERENTIABLE)
            t = _without_gradient(t, is_input, is_modified, executable)
        else:
            ctx.output_kinds.append(DIFFERENTIABLE)
            differentiable += 1
            if is_modified:
                t = _rebased(ctx, t, number, is_input, len(outputs))
            elif is_input:
                t = _view_of(t)
                set_history(t, ctx, number)
            else:
                if t._view is not None:
                    t._view.attr_version = version(t.impl)
                set_history(t, ctx, number)
        if t._view is not None and not (is_input and is_modified):
            t._view.creation_meta = IN_CUSTOM_FUNCTION
        wrapped.append(t)
        number += 1
    if differentiable > 1:
        for item in wrapped:
            if isinstance(item, TensorBase) and (<TensorBase>item)._view is not None:
                (<TensorBase>item)._view.creation_meta = MULTI_OUTPUT_NODE
    for item in dirty:
        if not _holds(outputs, item):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as output. The "
                "inputs that are modified inplace must all be outputs of the Function.")
    return wrapped


cdef TensorBase _view_of(TensorBase t):
    cdef TensorBase result
    if not is_alone_plain(t):
        return <TensorBase?>_view_as_itself(t)
    result = make_tensor(alias(t.impl))
    make_view(result, t, IN_CUSTOM_FUNCTION)
    return result


def _view_as_itself(t):
    """Return a view of `t`, made by its class so that it is an instance of it too."""
    cdef bint mode = grad_enabled()
    set_grad_enabled(False)
    try:
        return t.view_as(t)
    finally:
        set_grad_enabled(mode)


cdef TensorBase _without_gradient(TensorBase t, bint is_input, bint is_modified, bint executable):
    if not requires_grad(t):
        return _view_of(t) if is_input and not is_modified else t
    if is_input:
        return make_tensor(alias(t.impl))
    if t._view is None:
        t._grad_fn = None
        t._output_nr = 0
        t._requires_grad = False
    return t


cdef TensorBase _rebased(_FunctionBase ctx, TensorBase t, unsigned int number, bint is_input,
                         Py_ssize_t count):
    if t._grad_fn is None and requires_grad(t):
        raise RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.")
    if not is_input:
        warnings.warn("ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have "
                      "been mutated should be passed to ctx.mark_dirty().", UserWarning, stacklevel=1)
    if t._view is not None and count > 1:
        raise RuntimeError(
            "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot "
            "return more than one Tensor. This is not supported by the current autograd engine. You should "
            "either make sure the input is not a view (using .clone() for example) or make your Function only "
            "return one Tensor (potentially splitting it into two Functions: one doing the inplace that "
            "returns a single Tensor and a second one that does the other operations). You can ask on the "
            "forum https://discuss.pytorch.org/ if you need help to do this change.")
    t._grad = None
    t._hooks = None
    if t._view is not None:
        check_inplace(t, True)           # the gradient is gone even if this raises, as in PyTorch
    rebase_history(t, ctx)
    if t._view is None and number != 0:
        t._output_nr = number
        if t._retains_grad and ctx.hooks is not None and ctx.hooks.retains_grad_hooks is not None:
            ctx.hooks.retains_grad_hooks[number] = ctx.hooks.retains_grad_hooks.pop(0)
    return t
