"""Mutants of `autograd/exec_info.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/exec_info.pyx",
        (
            "    task.captured = [None] * len(ends)\n",
            "    task.captured = [None] * (len(ends) + 1)\n",
            "one result too many",
        ),
        (
            "            task.captures.setdefault(function, []).append((nr, k))\n",
            "            task.captures[function] = [(nr, k)]\n",
            "an input named twice gets one gradient",
        ),
        (
            "        elif isinstance(tensor, TensorBase) and not isinstance(function, AccumulateGrad):\n",
            "        elif isinstance(tensor, TensorBase) and isinstance(function, AccumulateGrad):\n",
            "backward(inputs=) of a non-leaf",
        ),
        (
            "    for function, _, _ in roots:\n        _mark_needed(task, function)\n",
            "    _mark_needed(task, roots[0][0])\n",
            "what only later roots lead to is not run",
        ),
        (
            "        task.gradients.elsewhere = _needed_elsewhere(task)\n",
            "        task.gradients.elsewhere = task.elsewhere\n",
            "a nested backward runs everything that the outer one holds",
        ),
        (
            "        if state.needed == NEEDED:\n",
            "        if state.needed != NEEDED:\n",
            "a nested backward runs the wrong nodes",
        ),
        (
            "    if task.needed(root) != UNKNOWN:\n        return 0\n",
            "",
            "a root is walked twice",
            "the second walk finds every node below it known and sets the same mark",
        ),
        (
            "    stack[0] = Visit(<PyObject*>root, 0, root in task.targets)\n",
            "    stack[0] = Visit(<PyObject*>root, 0, False)\n",
            "a root that is an input itself",
        ),
        ("NEEDED if top.needed else NOT_NEEDED)", "NEEDED)", "every node is needed"),
        (
            "                if size and top.needed:\n",
            "                if size and not top.needed:\n",
            "the marks go up inverted",
        ),
        (
            "                    stack[size - 1].needed = True\n",
            "                    stack[0].needed = True\n",
            "marks skip the nodes in between",
        ),
        (
            "            if known == NEEDED:\n                top.needed = True\n",
            "            if known == NEEDED:\n                pass\n",
            "a node met a second time does not count",
        ),
        (
            "                    capacity *= 2\n",
            "                    capacity *= 1\n",
            "a stack of 256 overflows",
        ),
        (
            "                stack[size] = Visit(<PyObject*>function, 0, function in task.targets)\n",
            "                stack[size] = Visit(<PyObject*>function, 0, False)\n",
            "inputs are not found",
        ),
        (
            "g.in0 if node.num_outputs == 1 else g.ins[nr]",
            "g.in0",
            "the gradient of another output is captured",
        ),
        (
            "        for nr, k in places:\n",
            "        for nr, k in places[:1]:\n",
            "an input named twice gets one gradient",
        ),
        (
            "                if function not in met:\n                    met.add(function)\n",
            "                if function not in met:\n",
            "a node is looked at again for each way to it",
        ),
        (
            "    if not task.selective:\n        return met\n",
            "    return met\n",
            "inputs= is ignored by the order of execution",
        ),
        (
            "            if caller not in met:\n                met.add(caller)\n                stack.append(caller)\n",
            "            if caller not in met:\n                met.add(caller)\n",
            "only the callers of an input count",
        ),
        (
            "                waiting[function] = waiting.get(function, 0) + 1\n",
            "                waiting[function] = 1\n",
            "nodes are listed before their last gradient",
        ),
        (
            "                waiting[function] -= 1\n",
            "                waiting[function] = 0\n",
            "the first edge makes a node ready",
        ),
        (
            "        if not waiting[node]:  ",
            "        if True:  ",
            "a node is listed twice when one root lies below another",
        ),
        (
            "        if not waiting[node]:  ",
            "        if not waiting[node] and node in runs:  ",
            "a root that leads to no input",
        ),
        (
            "    for node in dict.fromkeys(task.roots):",
            "    for node in task.roots:",
            "a root that is given twice is listed twice",
        ),
        (
            "                if not waiting[function]:\n                    ready.insert(function)",
            "                ready.insert(function)",
            "a node is listed for each edge",
        ),
    ),
]
