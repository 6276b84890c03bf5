"""Mutants of `autograd/accumulate_grad.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/accumulate_grad.pyx",
        (
            "            self.variable.grad_accumulator = NULL\n        if self.aliases",
            "            pass\n        if self.aliases",
            "a leaf points at a sink that is gone",
        ),
        (
            "                    (<TensorBase>alias).grad_accumulator = NULL\n",
            "                    pass\n",
            "an unpacked leaf points at a sink that is gone",
        ),
        (
            "        if self.variable.impl is impl:\n            return self.variable\n",
            "",
            "a saved leaf is not the leaf itself",
        ),
        (
            "        alias._requires_grad = True\n",
            "        alias._requires_grad = False\n",
            "an unpacked leaf requires no gradient",
        ),
        (
            "        alias.grad_accumulator = <PyObject*>self\n",
            "",
            "an unpacked leaf has a sink of its own",
        ),
        (
            "        if g.in0 is not None and self.variable._requires_grad:   ",
            "        if g.in0 is not None:   ",
            "a leaf that no longer requires grad gets a gradient",
        ),
        (
            "            g.in0 = None\n            accumulate(",
            "            accumulate(",
            "gradients are copied rather than taken",
        ),
        (
            "            for hook in list(self.variable._post_accumulate_hooks.values()):\n",
            "            for hook in list(self.variable._post_accumulate_hooks.values())[:1]:\n",
            "only the first hook runs",
        ),
        (
            "            for hook in list(self.variable._post_accumulate_hooks.values()):\n",
            "            for hook in self.variable._post_accumulate_hooks.values():\n",
            "a hook that removes itself",
        ),
        (
            "        if self.variable._post_accumulate_hooks:\n",
            "        if g.in0 is not None and self.variable._post_accumulate_hooks:\n",
            "hooks after accumulation",
        ),
        (
            "                if result is not None and result is not self.variable:\n",
            "                if result is not None:\n",
            "a hook that returns the leaf itself",
        ),
        (
            "                if result is not None and result is not self.variable:\n",
            "                if False:\n",
            "a hook that returns something",
        ),
        ("    if recording and grad_enabled():\n", "    if recording:\n", "a hook under no_grad"),
        (
            "    elif is_dense(variable.impl):\n        set_grad",
            "    elif not is_dense(variable.impl):\n        set_grad",
            "the layout of a recorded gradient",
        ),
        (
            "copy_in_layout(gradient, empty_for(variable.impl, gradient.impl)))",
            "copy_in_layout(gradient, gradient.impl))",
            "a recorded gradient keeps its own layout",
        ),
        (
            "        set_grad(variable, engine_operators.copy_in_layout(gradient, empty_for(variable.impl, gradient.impl)))\n",
            "        set_grad(variable, gradient)\n",
            "a recorded gradient is not copied",
        ),
        (
            "        set_grad(variable, engine_operators.clone_contiguous(gradient))\n",
            "        set_grad(variable, engine_operators.clone(gradient))\n",
            "a recorded gradient of a leaf with gaps keeps its strides",
        ),
        (
            "        set_grad(variable, add_tensors(old, gradient))\n",
            "        set_grad(variable, gradient)\n",
            "recorded gradients are not added",
        ),
        (
            "        set_grad(variable, add_tensors(old, gradient))\n",
            "        set_grad(variable, add_tensors(gradient, old))\n",
            "order of the operands of a recorded sum",
        ),
        (
            "        _add_in_place(old.impl, impl)\n        bump_version",
            "        _add_in_place(old.impl, impl)\n        _add_in_place(old.impl, impl)\n        bump_version",
            "gradients count double",
        ),
        (
            "        _add_in_place(old.impl, impl)\n        bump_version(old.impl)\n",
            "        variable._grad = make_tensor(engine_operators.add_data(old.impl, impl, None))\n",
            "a new .grad in place of one added to",
        ),
        (
            "        _add_in_place(old.impl, impl)\n        bump_version(old.impl)\n",
            "        _add_in_place(old.impl, impl)\n",
            "writing to .grad is not noticed",
        ),
        (
            "        impl = _copy_for(variable.impl, impl)\n",
            "",
            "a shared gradient becomes .grad",
        ),
        (
            "recording, recording and Py_REFCNT(gradient) <= 1)",
            "recording, recording and Py_REFCNT(gradient) <= 2)",
            "a dispatched gradient of two leaves is shared",
        ),
        (
            "    cdef bint shown = sink is not None and sink.hooks is not None and bool(sink.hooks.post_hooks)\n",
            "    cdef bint shown = False\n",
            "post-hooks of a sink share the gradient",
        ),
        (
            "    return Py_REFCNT(gradient) <= (1 if recording else 2) + shown\n",
            "    return Py_REFCNT(gradient) <= 2 + shown\n",
            "a shared gradient is taken on the recording path",
        ),
        (
            "    return Py_REFCNT(gradient) <= (1 if recording else 2) + shown\n",
            "    return Py_REFCNT(gradient) <= (1 if recording else 3) + shown\n",
            "a gradient of two leaves is taken twice",
        ),
        (
            "    return Py_REFCNT(gradient) <= (1 if recording else 2) + shown\n",
            "    return Py_REFCNT(gradient) <= (1 if recording else 1) + shown\n",
            "no gradient is ever taken",
        ),
        (
            "        return is_dense(variable)\n    if not is_dense",
            "        return True\n    if not is_dense",
            "a gradient with the geometry of a leaf with gaps is taken",
        ),
        (
            "    if not is_dense(variable):\n        return is_contiguous(gradient)\n",
            "    if not is_dense(variable):\n        return True\n",
            "a leaf with gaps takes a gradient of any layout",
        ),
        (
            "    if not is_dense(variable):\n        return is_contiguous(gradient)\n",
            "    if not is_dense(variable):\n        return False\n",
            "a leaf with gaps takes no gradient",
        ),
        (
            "    if is_dense(variable) and same_sizes(variable.geometry, gradient.geometry):\n        return empty_geometry",
            "    if same_sizes(variable.geometry, gradient.geometry):\n        return empty_geometry",
            "copies in the strides of a leaf with gaps, beyond the end of the memory",
        ),
        (
            "        return empty_geometry(variable.geometry, gradient.dtype)\n",
            "        return empty_geometry(variable.geometry, variable.dtype)\n",
            "a copy has the dtype of the leaf",
        ),
        (
            "    if is_dense(variable):                  # made",
            "    if False:                  # made",
            "the version of a copied gradient",
        ),
        (
            "        self.metadata0.dtype = _grad_dtype_of(leaf)\n",
            "        pass\n",
            "grad_dtype is forgotten with the sink",
        ),
        (
            "        self.require_hooks().tensor_pre_hooks = [(0, leaf._hooks)]\n",
            "        pass\n",
            "hooks of a leaf are lost with its sink",
        ),
        ("    start_sink(self)\n    self.variable", "    self.variable", "sinks have no priority"),
        (
            "    if not has_layout_for(variable._grad.impl, variable.impl):\n",
            "    if has_layout_for(variable._grad.impl, variable.impl):\n",
            "the warning of a gradient in another layout",
        ),
        (
            "        if strides(gradient)[d] == 0 if sizes(variable)[d] == 1 else strides(gradient)[d] != strides(variable)[d]:",
            "        if strides(gradient)[d] != strides(variable)[d]:",
            "the stride of a single element matters",
        ),
        (
            "        if strides(gradient)[d] == 0 if sizes(variable)[d] == 1 else strides(gradient)[d] != strides(variable)[d]:",
            "        if sizes(variable)[d] != 1 and strides(gradient)[d] != strides(variable)[d]:",
            "an expanded gradient is taken",
        ),
    ),
    *of(
        "autograd/accumulate_grad.pyx",
        (
            "            has_layout_for(impl, variable.impl) or not layout_enforced()):",
            "            has_layout_for(impl, variable.impl)):",
            "the layout policy is ignored",
        ),
        (
            "            has_layout_for(impl, variable.impl) or not layout_enforced()):",
            "            True):",
            "any layout is taken",
        ),
    ),
    *of(
        "autograd/swap_tensors.pyx",
        (
            "    a._output_nr, b._output_nr = b._output_nr, a._output_nr\n",
            "",
            "output numbers stay when tensors change places",
        ),
        (
            "        (<AccumulateGrad>first).variable = b\n",
            "        pass\n",
            "a sink stays with its first tensor",
        ),
        (
            "    a._view, b._view = b._view, a._view\n",
            "",
            "a view stays when tensors change places",
        ),
    ),
]
