"""Mutants of `autograd/roots.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/roots.pyx",
        (
            "    nr[0] = PyNumber_Index(tensor[1])\n",
            "    nr[0] = 0\n",
            "the number of a GradientEdge is ignored",
        ),
        (
            "    if not isinstance(tensor[0], Node):\n",
            "    if tensor[0] is None:\n",
            "an edge to no node",
        ),
        (
            "    if not isinstance(tensors, tuple):\n",
            "    if not isinstance(tensors, (tuple, list)):\n",
            "a list of roots",
        ),
        (
            "    if not isinstance(grad_tensors, tuple):\n",
            "    if not isinstance(grad_tensors, (tuple, list)):\n",
            "a list of gradients",
        ),
        (
            "    if len(tensors) != len(grad_tensors):\n",
            "    if len(tensors) > len(grad_tensors):\n",
            "too many gradients",
        ),
        (
            "        if function is None:\n            if not _is_edge_like(tensor):\n                raise",
            "        if function is None:\n            if False:\n                raise",
            "what is no tensor at all",
        ),
        (
            "        elif gradient is not None:\n            raise",
            "        elif False:\n            raise",
            "a gradient that is no tensor",
        ),
        (
            '        elif isinstance(tensor, TensorBase):\n            raise RuntimeError(f"element {k} of gradients tuple is None',
            '        elif not isinstance(tensor, TensorBase):\n            raise RuntimeError(f"element {k} of gradients tuple is None',
            "a missing gradient",
        ),
        (
            "        roots.append((function, nr, gradient))\n",
            "        roots.append((function, 0, gradient))\n",
            "a root that is not the first output",
        ),
        (
            "    if not isinstance(inputs, tuple):\n",
            "    if not isinstance(inputs, (tuple, list)):\n",
            "a list of inputs",
        ),
        (
            '        if not _is_edge_like(tensor):\n            raise RuntimeError(\n                f"all inputs',
            '        if tensor is None:\n            raise RuntimeError(\n                f"all inputs',
            "an input that is no tensor",
        ),
        (
            "            if not requires_grad(<TensorBase>tensor):\n",
            "            if requires_grad(<TensorBase>tensor):\n",
            "inputs that require no gradient",
        ),
        (
            '"can\'t retain_grad on Tensor that has requires_grad=False" if accumulate_grad',
            '"can\'t retain_grad on Tensor that has requires_grad=False" if not accumulate_grad',
            "which of two messages",
        ),
        (
            "        ends.append((function, nr, tensor))\n",
            "        ends.append((function, 0, tensor))\n",
            "an input that is not the first output",
        ),
        (
            "    if not accumulate_grad and not inputs:\n",
            "    if accumulate_grad and not inputs:\n",
            "grad() without inputs",
        ),
        (
            "    gradient = gradient if recording else (<TensorBase>gradient).impl\n    return fit(output_metadata(function, nr),",
            "    gradient = gradient if recording else (<TensorBase>gradient).impl\n    return fit(output_metadata(function, 0),",
            "a root's gradient is checked against output 0",
        ),
        (
            "    return fit(output_metadata(function, nr), gradient, recording, None, k)\n",
            "    return gradient\n",
            "a root's gradient is not checked",
        ),
        (
            "        if Py_REFCNT(node) > 2: ",
            "        if Py_REFCNT(node) > 20000: ",
            "nodes met again are walked again",
        ),
        (
            "            if node in seen:\n                continue\n",
            "            if node in seen:\n                return False\n",
            "the search for special gradients ends early",
        ),
        (
            "        if node.special or node.hooks is not None or node.packed is not None or _is_special_leaf(node):",
            "        if node.special or node.packed is not None or _is_special_leaf(node):",
            "hooks that return special gradients",
        ),
        (
            "        if node.special or node.hooks is not None or node.packed is not None or _is_special_leaf(node):",
            "        if node.special or node.hooks is not None or node.packed is not None:",
            "a leaf whose gradient is sparse",
        ),
        (
            "    return is_special(leaf) or leaf is not None and is_special(leaf._grad)",
            "    return is_special(leaf)",
            "a .grad that is special",
        ),
    ),
]
