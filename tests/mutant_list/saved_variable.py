"""Mutants of `autograd/saved_variable.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/saved_variable.pyx",
        (
            "    if saved.special is None:\n        set_impl(t, alias(saved))\n",
            "    if False:\n        set_impl(t, alias(saved))\n",
            "a saved tensor that was detached in place has its history back",
        ),
        (
            "        saved.version_counter = &_left\n",
            "        pass\n",
            "a saved tensor that was detached in place is not refused",
        ),
        (
            "    if saved is not None or node.packed is None or place >= <size_t>len(node.packed):\n",
            "    if saved is not None or node.packed is None or place > <size_t>len(node.packed):\n",
            "nothing saved where hooks are",
        ),
        (
            "        if edge != NO_EDGE and not is_differentiable(saved.dtype):\n",
            "        if not is_differentiable(saved.dtype):\n",
            "an unpacked index",
        ),
        (
            "        if edge != NO_EDGE and not is_differentiable(saved.dtype):\n",
            "        if False:\n",
            "a hook that unpacks integers",
        ),
        (
            "        if edge > OUTPUT:\n            raise",
            "        if edge >= OUTPUT:\n            raise",
            "an output that was detached in place",
        ),
        (
            "    if node.released or (saved is not None and saved.version_counter[0] != saved_version):\n        raise_unusable",
            "    if node.released:\n        raise_unusable",
            "writes to saved tensors are not noticed",
        ),
        (
            "    if node.released or (saved is not None and saved.version_counter[0] != saved_version):\n        raise_unusable",
            "    if node.released or (saved is not None and saved.version_counter[0] < saved_version):\n        raise_unusable",
            "only lower versions are refused",
        ),
        (
            "    if node.released or (saved is not None and saved.version_counter[0] != saved_version):\n        raise_unusable",
            "    if saved is not None and saved.version_counter[0] != saved_version:\n        raise_unusable",
            "a second backward is not refused",
        ),
        (
            "    if node.tangents is not None:\n        restore_tangents(node, t,",
            "    if False:\n        restore_tangents(node, t,",
            "tangents of what was saved are lost",
        ),
        (
            "t.impl if packed is None else packed.original)\n    return t",
            "t.impl)\n    return t",
            "tangents of what a hook packed are lost",
        ),
        (
            "        set_history(kept, node, OUTPUT - edge)\n",
            "        set_history(kept, node, 0)\n",
            "a special output's number",
        ),
        (
            "            if inner is node:\n",
            "            if False:\n",
            "history of a saved output written through a view",
        ),
        (
            "        return make_recorded(saved, node, OUTPUT - edge)\n    function = None",
            "        return make_recorded(saved, node, 0)\n    function = None",
            "a saved output leads to output 0",
        ),
        (
            "    function = None if edge == NO_EDGE else",
            "    function = None if edge <= NO_EDGE + 1 else",
            "edge 0 has no history",
        ),
        (
            "        return (<AccumulateGrad>function).leaf_like(saved)\n",
            "        return make_recorded(saved, function, 0)\n",
            "a saved leaf is no leaf",
        ),
        (
            "    if (kept is not None and kept._grad_fn is function and kept._output_nr == output_nr\n",
            "    if (kept is not None and kept._output_nr == output_nr\n",
            "a saved tensor that has another history by now",
        ),
        (
            "    if (kept is not None and kept._grad_fn is function and kept._output_nr == output_nr\n",
            "    if (kept is not None and kept._grad_fn is function\n",
            "a saved tensor that is another output by now",
            "a history is set with its node and number together",
        ),
        (
            "        return kept\n    return make_recorded(saved, function, output_nr)\n",
            "        pass\n    return make_recorded(saved, function, output_nr)\n",
            "what was saved is not the tensor that the program holds",
        ),
        (
            "    return make_recorded(saved, function, output_nr)\n\n\ncdef",
            "    return make_recorded(saved, function, 0)\n\n\ncdef",
            "a saved input leads to output 0",
        ),
        (
            '        if not isinstance(result, TensorBase):\n            raise TypeError("Output of saved',
            '        if result is None:\n            raise TypeError("Output of saved',
            "a hook that unpacks something else",
        ),
        (
            "            and node.tangents is None):\n        return kept",
            "            and kept._requires_grad == (function is not None) and node.tangents is None):\n        return kept",
            "a saved leaf that requires grad since",
        ),
    ),
    *of(
        "autograd/saved_errors.pyx",
        (
            "        output_nr = OUTPUT - edge\n    elif edge == NO_EDGE:",
            "        output_nr = 0\n    elif edge == NO_EDGE:",
            "which output was written to",
        ),
        (
            '        return "AsStrided"                  # any write',
            "        return None                  # any write",
            "who wrote to a view",
        ),
        (
            "    if numel(saved) * itemsizes[saved.dtype] < saved.storage.nbytes:\n",
            "    if numel(saved) < saved.storage.nbytes:\n",
            "who wrote to the whole of the memory",
        ),
    ),
    *of(
        "autograd/saved_tensor.pyx",
        (
            "    set_grad_enabled(False)\n    try:\n        packed.value = hooks[0](t)",
            "    try:\n        packed.value = hooks[0](t)",
            "what a pack hook computes is recorded",
        ),
        (
            '    if t.impl.version_counter[0] != before:\n        raise RuntimeError(\n            "A saved',
            '    if False:\n        raise RuntimeError(\n            "A saved',
            "a pack hook that writes to what it packs",
        ),
        (
            "    packed.unpack_hook = hooks[1]\n",
            "    packed.unpack_hook = hooks[0]\n",
            "the wrong hook unpacks",
        ),
        (
            "    track_graph(node)                  # the hooks",
            "    # the hooks",
            "cycles through what a hook packed",
        ),
        (
            "    node.packed[slot] = packed\n    node.put_saved(slot, None, slot)\n",
            "    node.packed[slot] = packed\n    node.put_saved(slot, None, 0)\n",
            "the place of what was packed",
        ),
        (
            "            if not saved.is_wrapped_number:  ",
            "            if True:  ",
            "numbers of the program are packed",
        ),
        (
            "            node.put_saved(slot, None, NOTHING)\n",
            "            node.put_saved(slot, None, 0)\n",
            "slots where nothing was saved",
        ),
        (
            "        if len(hooks) != 2 or not (callable(hooks[0]) and callable(hooks[1])):",
            "        if len(hooks) != 2 or not (callable(hooks[0]) or callable(hooks[1])):",
            "a hook that cannot be called",
        ),
        (
            "        if self.packed() is not None:\n            raise",
            "        if False:\n            raise",
            "hooks are registered twice",
        ),
        (
            '        if saved is None:\n            raise RuntimeError("Calling register_hooks on a saved tensor with value None',
            '        if False:\n            raise RuntimeError("Calling register_hooks on a saved tensor with value None',
            "hooks where nothing is saved",
        ),
    ),
]
