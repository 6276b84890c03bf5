"""Mutants of `autograd/variable.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/variable.pyx",
        (
            "(<TensorImpl>impl).handle == t:\n        (<TensorImpl>impl).handle = NULL\n",
            "(<TensorImpl>impl).handle == t:\n        pass\n",
            "an impl points at a tensor that is gone",
        ),
        (
            "    if impl.handle == NULL:\n        impl.handle = <PyObject*>self\n",
            "    impl.handle = <PyObject*>self\n",
            "the last handle in place of the first",
        ),
        (
            "        if creation_meta == DEFAULT or base._view.creation_meta == INFERENCE_MODE:\n",
            "        if base._view.creation_meta == INFERENCE_MODE:\n",
            "views of views made without recording",
        ),
        (
            "        if creation_meta == DEFAULT or base._view.creation_meta == INFERENCE_MODE:\n",
            "        if creation_meta == DEFAULT:\n",
            "what inference mode made",
        ),
        (
            "    root = base if base._view is None else base._view.base\n",
            "    root = base\n",
            "the base of a view of a view",
        ),
        (
            "    info.attr_version = version(view.impl)\n    view._view",
            "    info.attr_version = 0\n    view._view",
            "the version of a new view",
        ),
        (
            "    if view is None or view.attr_version == version(t.impl):\n        return t._grad_fn\n",
            "    return t._grad_fn\n",
            "views of what was written to keep their history",
        ),
        (
            "    if t._grad_fn is None and not view.base._requires_grad:\n        return None\n",
            "    if t._grad_fn is None:\n        return None\n",
            "a view of a base that requires grad since",
        ),
        (
            "    if (t.impl.storage != view.base.impl.storage\n            and t.impl",
            "    if (t.impl.storage != view.base.impl.storage\n            or t.impl",
            "a base with other data",
        ),
        (
            '    if view.creation_meta != DEFAULT:\n        refuse_view(view.creation_meta, t._grad_fn, t._output_nr, "its base',
            '    if False:\n        refuse_view(view.creation_meta, t._grad_fn, t._output_nr, "its base',
            "views made without recording whose base is written to",
        ),
        (
            "    leave_hooks(t, old, t._grad_fn)\n    t._output_nr = 0\n",
            "    t._output_nr = 0\n",
            "hooks go along to another node",
        ),
        (
            "    t._output_nr = 0\n    t._requires_grad = True\n    view",
            "    t._requires_grad = True\n    view",
            "the output number of a view made anew",
            "a view that is one of several outputs of a node is never made anew",
        ),
        (
            "    view.attr_version = version(t.impl)\n    return t._grad_fn\n",
            "    return t._grad_fn\n",
            "a view is made anew each time",
        ),
        (
            "        output_nr[0] = t._output_nr\n        return function\n",
            "        output_nr[0] = 0\n        return function\n",
            "edges to further outputs",
        ),
        (
            "    if not t._requires_grad:\n        return None\n    # a sink",
            "    # a sink",
            "tensors that require no gradient get a sink",
        ),
        (
            "        return <Node>t.grad_accumulator\n    function",
            "        pass\n    function",
            "a leaf has many sinks",
        ),
        (
            "    t._hooks = None\n    if (t._retains_grad",
            "    if (t._retains_grad",
            "hooks stay with a tensor that was written to",
        ),
        (
            "        hooks.retains_grad_hooks[0] = reference\n",
            "        pass\n",
            "retain_grad is lost when a tensor is written to",
        ),
        (
            "        track_graph(grad._grad_fn)       # a link",
            "        pass       # a link",
            "cycles through .grad",
        ),
        ("        if grad is self:\n", "        if False:\n", "a tensor as its own gradient"),
        (
            "        if wanted != NoType and grad.impl.dtype != wanted:\n",
            "        if False:\n",
            "a gradient of another dtype is assigned",
        ),
        (
            "        if not same_sizes(grad.impl.geometry, self.impl.geometry):\n",
            "        if False:\n",
            "a gradient of another shape is assigned",
        ),
        (
            "        if self._grad is None and self._grad_fn is not None and not self._retains_grad:\n",
            "        if self._grad_fn is not None and not self._retains_grad:\n",
            "the warning of .grad",
        ),
        (
            "        return bool(self._requires_grad or (\n            self._view is not None",
            "        return bool(self._requires_grad and (\n            self._view is not None",
            "requires_grad",
        ),
        (
            '        if value and not is_differentiable(self.impl.dtype):\n            raise explained(RuntimeError(not_differentiable), "integer-requires-grad")\n',
            "",
            "integers that require a gradient",
        ),
        (
            "        self._grad_fn = None\n        self._requires_grad = False\n",
            "        self._grad_fn = None\n",
            "a tensor that was cut off requires grad",
        ),
    ),
    *of(
        "autograd/inplace.pyx",
        (
            "        (<TensorBase>t).impl.version_counter[0] = number\n",
            "        (<TensorBase>t).impl.version_counter[0] += number\n",
            "_unsafe_set_version_counter",
        ),
        (
            "    if not grad_enabled():\n        return check_not_inference(t)\n    if view is None:",
            "    if view is None:",
            "leaves are written to under no_grad",
        ),
        (
            "        if t._requires_grad and t._grad_fn is None:\n            raise explained(RuntimeError(_LEAF)",
            "        if False:\n            raise explained(RuntimeError(_LEAF)",
            "leaves are written to",
        ),
        (
            "    if view.creation_meta != DEFAULT and (records or t._requires_grad or view.base._requires_grad):\n",
            "    if view.creation_meta != DEFAULT and (t._requires_grad or view.base._requires_grad):\n",
            "writing what requires grad to a view made without recording",
        ),
        (
            "    if view.creation_meta != DEFAULT and (records or t._requires_grad or view.base._requires_grad):\n",
            "    if view.creation_meta != DEFAULT and (records or t._requires_grad):\n",
            "a view made without recording of a base that requires grad",
        ),
        (
            "    if view.base._grad_fn is None and requires_grad(t):\n",
            "    if False:\n",
            "views of leaves are written to",
        ),
        (
            "    t.impl.storage.writer = _lasting_name(grad_fn)\n    if view is None:",
            "    if view is None:",
            "who wrote last",
        ),
        (
            "        leave_hooks(t, t._grad_fn, grad_fn)\n        set_history",
            "        set_history",
            "hooks go along when a tensor is written to",
        ),
        (
            "    set_history(view.base, copy_slices, 0)\n",
            "",
            "a write to a view does not reach its base",
        ),
        (
            "        t._view.attr_version = version(t.impl)\n    else:",
            "        pass\n    else:",
            "t_() of a view",
        ),
    ),
    *of(
        "autograd/view_errors.pyx",
        (
            "    if meta == INFERENCE_MODE or meta == NO_GRAD_MODE or grad_fn is None:\n        text += _MODES[meta == INFERENCE_MODE][1]",
            "    if meta == INFERENCE_MODE or grad_fn is None:\n        text += _MODES[meta == INFERENCE_MODE][1]",
            "the text of an error",
        ),
        (
            '    return stem if number == "0" else stem + number\n',
            "    return stem + number\n",
            "names in error messages",
        ),
    ),
    *of(
        "autograd/functions/properties.pyx",
        (
            "        _grad_dtypes.pop(key, None)\n    else:",
            "        pass\n    else:",
            "grad_dtype is set back",
        ),
        (
            "        (<Node>t.grad_accumulator).metadata0.dtype = code\n",
            "        pass\n",
            "grad_dtype of a leaf that has a sink",
        ),
        (
            "            self.grad_accumulator = NULL        # the present",
            "            pass        # the present",
            "the sink of a leaf whose dtype has changed",
        ),
        (
            "        if self._requires_grad and not is_differentiable(other.impl.dtype):\n",
            "        if False:\n",
            ".data of integers",
        ),
        (
            "        if not (same_sizes(base.impl.geometry, other.impl.geometry)\n                and strides",
            "        if not (same_sizes(base.impl.geometry, other.impl.geometry)\n                or strides",
            "_view_func of another layout",
        ),
    ),
]
