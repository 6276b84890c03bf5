"""Mutants of `autograd/hooks.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/hooks.pyx",
        (
            "    if node.num_outputs != 1:\n        g.ins[nr] = gradient\n",
            "    if node.num_outputs > 2:\n        g.ins[nr] = gradient\n",
            "hooks of one of two outputs",
        ),
        (
            "            if not hook_dict:\n                continue\n",
            "            if hook_dict is None:\n                continue\n",
            "hooks that were removed",
            "an empty dictionary calls no hook; the gradient is wrapped and unwrapped for nothing",
        ),
        (
            "            for hook in list(hook_dict.values()):\n",
            "            for hook in reversed(list(hook_dict.values())):\n",
            "the order of hooks on a tensor",
        ),
        (
            "            for hook in list(hook_dict.values()):\n",
            "            for hook in hook_dict.values():\n",
            "a hook that removes itself",
        ),
        (
            "                    gradient = result\n            _set_input",
            "                    pass\n            _set_input",
            "what a hook returns is ignored",
        ),
        (
            "            if t is not None and gradient is not None:\n                hook_called",
            "            if gradient is not None:\n                hook_called",
            "retain_grad of a tensor that is gone",
        ),
        (
            "        set_grad(t, gradient.clone(memory_format=contiguous_format))\n",
            "        set_grad(t, gradient)\n",
            "a retained gradient is shared",
        ),
        (
            "        set_grad(t, gradient.clone(memory_format=contiguous_format))\n",
            "        set_grad(t, gradient.clone())\n",
            "strides of a retained gradient",
        ),
        (
            "        set_grad(t, t._grad + gradient)\n",
            "        set_grad(t, gradient)\n",
            "retained gradients are not added",
        ),
        (
            "    if original is None:\n        raise RuntimeError(\"can't replace",
            "    if False:\n        raise RuntimeError(\"can't replace",
            "a hook that replaces None",
        ),
        (
            '    if not isinstance(result, TensorBase):\n        raise TypeError(f"expected Variable',
            '    if result is False:\n        raise TypeError(f"expected Variable',
            "a hook that returns no tensor",
        ),
        ("    if was != got:\n", "    if was[1:] != got[1:]:\n", "a hook that changes the dtype"),
        (
            "    if not same_sizes((<TensorBase>result).impl.geometry, original.impl.geometry):\n        raise",
            "    if False:\n        raise",
            "a hook that changes the shape",
        ),
        (
            "    if len(result) != len(original):\n",
            "    if len(result) < len(original):\n",
            "a hook that returns too many",
        ),
        (
            "        if new is not None:\n            _check_replacement(new, old, hook)\n",
            "        pass\n",
            "what a hook of a node returns is not checked",
        ),
        (
            "    for hook in list(node.hooks.pre_hooks.values()):\n",
            "    for hook in list(node.hooks.pre_hooks.values())[::-1]:\n",
            "the order of pre-hooks",
        ),
        (
            "            gradients = result\n    for nr",
            "            pass\n    for nr",
            "what a pre-hook returns is ignored",
        ),
        (
            "    for nr in range(node.num_outputs):\n        _set_input(node, g, nr, _unwrap",
            "    for nr in range(1):\n        _set_input(node, g, nr, _unwrap",
            "pre-hooks change only the first gradient",
        ),
        (
            "    return _inputs(node, g) if node.hooks.post_hooks else ()\n",
            "    return ()\n",
            "post-hooks do not see the gradients of the outputs",
        ),
        (
            "    for hook in list(node.hooks.post_hooks.values()):\n",
            "    for hook in list(node.hooks.post_hooks.values())[:1]:\n",
            "only the first post-hook runs",
        ),
        (
            "            grad_inputs = result\n    for k",
            "            pass\n    for k",
            "what a post-hook returns is ignored",
        ),
        (
            "    for k in range(node.num_edges):\n        g.set(k, _unwrap",
            "    for k in range(node.num_edges - 1):\n        g.set(k, _unwrap",
            "post-hooks do not change the last gradient",
        ),
        (
            "    t._backward_hooks = hooks\n    if node is None:",
            "    if node is None:",
            "hooks are not kept at the tensor",
        ),
        (
            "        if hook_dict is t._hooks:\n            return 0\n",
            "        if hook_dict is t._hooks:\n            break\n",
            "hooks are called twice",
        ),
        (
            "    hooks.tensor_pre_hooks.append((nr, t._hooks))\n",
            "    hooks.tensor_pre_hooks.append((0, t._hooks))\n",
            "a hook on a further output sees the first",
        ),
        (
            "    hooks.tensor_pre_hooks.append((nr, t._hooks))\n",
            "    hooks.tensor_pre_hooks.insert(0, (nr, t._hooks))\n",
            "the order of hooks of several tensors",
        ),
        (
            "    if node is None or t._grad_fn is None or t._retains_grad:\n",
            "    if node is None or t._retains_grad:\n",
            "retain_grad of a leaf",
        ),
        (
            "    if not requires_grad(t):\n        raise",
            "    if False:\n        raise",
            "retain_grad without a gradient",
        ),
        (
            "    hooks.retains_grad_hooks[nr] = weakref.ref(t)\n",
            "    hooks.retains_grad_hooks[0] = weakref.ref(t)\n",
            "retain_grad of a further output",
        ),
        ("    t._retains_grad = True\n", "    pass\n", "retains_grad is not set"),
        (
            "        _attach(node, (<TensorBase>t)._output_nr, t)\n",
            "        _attach(node, 0, t)\n",
            "_register_hook_dict of a further output",
        ),
    ),
]
