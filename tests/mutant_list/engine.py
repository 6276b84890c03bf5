"""Mutants of `autograd/engine.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/engine.pyx",
        (
            "    MAX_DEPTH = 60 ",
            "    MAX_DEPTH = 60000 ",
            "nested backwards overflow Python's stack",
        ),
        (
            "        if value is _missing:",
            "        if value is None:",
            "missing arguments are not reported",
        ),
        (
            "    if value is True or value is False:\n        return value is True",
            "    if value is True or value is False:\n        return True",
            "flags that are False count as True",
        ),
        ("    if number < 0:", "    if number < -1:", "-1 is accepted as a flag"),
        ("    if number > 255:", "    if number > 256:", "256 is accepted as a flag"),
        ("    return number != 0\n", "    return number == 1\n", "a flag of 2 counts as False"),
        (
            '        if task is None:\n            raise RuntimeError("Final',
            '        if task is not None and task.selective:\n            raise RuntimeError("Final',
            "callbacks are not refused outside of a backward",
        ),
        (
            "        if task.callbacks is None:\n            task.callbacks = []",
            "        task.callbacks = []",
            "only the last callback runs",
        ),
        (
            "return task is None or not task.selective",
            "return task is None or task.selective",
            "checkpoint check",
        ),
        (
            "        if accumulate_grad and create_graph:\n            warn_once(_CYCLE)",
            "        if accumulate_grad or create_graph:\n            warn_once(_CYCLE)",
            "grad() warns of a cycle",
        ),
        (
            "        set_current_task(outer)\n",
            "        set_current_task(None)\n",
            "outer task lost on a new thread",
            "the new thread runs that one task and ends",
        ),
        (
            "    if isinstance(result, BaseException):\n        raise result\n    return result",
            "    return result",
            "an exception of a deep backward is returned",
        ),
        (
            "    task.keep_graph = keep_graph\n",
            "    task.keep_graph = keep_graph or create_graph\n",
            "create_graph keeps what retain_graph=False frees",
        ),
        (
            "    task.keep_graph = keep_graph\n",
            "    task.keep_graph = True\n",
            "a graph is never freed",
        ),
        (
            "    task.outer = current_task()\n",
            "    task.outer = None\n",
            "the outer task is forgotten",
        ),
        (
            "    set_current_task(task)\n    minitorch_depth",
            "    minitorch_depth",
            "no current task",
        ),
        (
            "    set_grad_enabled(create_graph)\n",
            "    set_grad_enabled(False)\n",
            "create_graph is not recorded",
        ),
        (
            "    set_grad_enabled(create_graph)\n",
            "",
            "a plain backward runs formulas in the caller's mode",
        ),
        (
            "            compute_dependencies(task, function)\n",
            "            task.count_dependency(function)\n",
            "only roots are counted",
        ),
        (
            "            for callback in task.callbacks:  ",
            "            for callback in task.callbacks[:1]:  ",
            "only one callback runs",
        ),
        (
            "            for callback in task.callbacks:  ",
            "            for callback in list(task.callbacks):  ",
            "callbacks queued by callbacks do not run",
        ),
        (
            "        set_grad_enabled(previous_mode)\n",
            "        set_grad_enabled(True)\n",
            "grad mode is not restored",
        ),
        (
            "        restore_hooks(previous_hooks)\n",
            "",
            "hooks on saved tensors pushed in a backward stay",
        ),
        ("        minitorch_depth -= 1\n", "", "depth grows with each backward"),
        (
            "        set_current_task(task.outer)\n",
            "        set_current_task(None)\n",
            "no current task after a nested backward",
        ),
        (
            "    count = task.count_dependency(root)\n    if count == 1:\n",
            "    count = task.count_dependency(root)\n    if count != 1:\n",
            "roots are not walked",
        ),
        (
            "                if count == 1:\n                    stack",
            "                if count == 1 and node is root:\n                    stack",
            "only two levels are counted",
        ),
        (
            "        capacity[0] = max(256, 2 * capacity[0])\n",
            "        capacity[0] = 256\n",
            "stack of 256 overflows",
        ),
        (
            "        if count & 1023 == 0:\n            PyErr_CheckSignals()\n",
            "",
            "Ctrl-C waits for the end",
        ),
        (
            "    if task.selective and executes:     # as in PyTorch",
            "    if not executes:     # PyTorch",
            "order of capture and hooks",
        ),
        (
            "    if not executes:\n        capture(task, node)",
            "    if not executes:\n        pass",
            "gradients of inputs= are not captured",
        ),
        ("    if not task.keep_graph:\n", "    if task.keep_graph:\n", "frees what is to be kept"),
        (
            "    if not task.keep_graph:\n",
            "    if not task.keep_graph and not task.selective:\n",
            "grad() frees nothing",
        ),
        (
            "    if anomaly_enabled and check_nan:\n",
            "    if anomaly_enabled:\n",
            "check_nan=False checks",
        ),
        (
            "        if function is None or (task.selective and not g.wants(function)):\n",
            "        if function is None:\n",
            "nodes that lead to no input run",
        ),
        (
            "            g.set(k, None)      # drop this",
            "            # drop this",
            "what goes into a buffer is held elsewhere too: sums need more memory",
        ),
        (
            "        if gradient is not None:\n            g.set(k, None)",
            "        if gradient is not None and k < 3:\n            g.set(k, None)",
            "edges from the fourth get nothing",
        ),
        (
            "            task.add_gradient(function, nr, gradient)\n        task.dep",
            "            task.add_gradient(function, 0, gradient)\n        task.dep",
            "gradients go to output 0",
        ),
        (
            "        call_pre_hooks(node, g)\n        grad_outputs = grad_outputs_for_post_hooks(node, g)",
            "        grad_outputs = grad_outputs_for_post_hooks(node, g)\n        call_pre_hooks(node, g)",
            "post-hooks see gradients from before the pre-hooks",
        ),
        (
            "    validate_outputs(task, node)\n    if grad_outputs",
            "    if grad_outputs",
            "gradients are not checked",
        ),
        (
            "    node.apply(g)\n    validate_outputs(task, node)\n    if grad_outputs is not None:\n        call_post_hooks(node, g, grad_outputs)\n",
            "    node.apply(g)\n    if grad_outputs is not None:\n        call_post_hooks(node, g, grad_outputs)\n    validate_outputs(task, node)\n",
            "post-hooks see gradients before they are checked",
        ),
        (
            "        if (task.recording or metadata.geometry != (<TensorImpl>gradient).geometry\n                or metadata.dtype != (<TensorImpl>gradient).dtype):",
            "        if (task.recording or metadata.geometry != (<TensorImpl>gradient).geometry):",
            "a gradient of the right shape keeps the wrong dtype",
        ),
        (
            "        if (task.recording or metadata.geometry != (<TensorImpl>gradient).geometry\n                or metadata.dtype != (<TensorImpl>gradient).dtype):",
            "        if metadata.geometry != (<TensorImpl>gradient).geometry or metadata.dtype != (<TensorImpl>gradient).dtype:",
            "recorded gradients are read as TensorImpl",
            "what is read beyond the type is no geometry, so the gradient is fitted, as it is anyway when recording",
        ),
        (
            "            if bool((tensor != tensor).any()):",
            "            if bool((tensor != tensor).all()):",
            "one NaN among numbers is not noticed",
        ),
        (
            "returned nan values in its {k}th output",
            "returned nan values in its {k + 1}th output",
            "number of the output",
        ),
        (
            "    g.clear()\n    if node.task == task.number:\n        node.task = 0",
            "    if node.task == task.number:\n        node.task = 0",
            "a node sees the gradients of the one before",
            "what follows an edge is moved out, and what comes in is replaced: nothing but the lifetime of gradients differs",
        ),
        (
            "    if node.task == task.number:\n        node.task = 0\n    return 0",
            "    return 0",
            "stamps stay",
            "a stamp of a dead task means nothing; only the next walk asks live_tasks for each node",
        ),
        (
            "            if not allow_unreachable:\n",
            "            if allow_unreachable:\n",
            "unused inputs",
        ),
        (
            "            results.append(None)\n",
            "            pass\n",
            "unused inputs are left out of the result",
        ),
        (
            "            task.add_gradient(function, nr, gradients[k])\n        gradients",
            "            if k == 0:\n                task.add_gradient(function, nr, gradients[k])\n        gradients",
            "only the first root gets its gradient",
        ),
        (
            "            task.add_gradient(function, nr, gradients[k])\n        gradients",
            "            task.add_gradient(function, 0, gradients[k])\n        gradients",
            "the gradient of a root goes to its first output",
        ),
        (
            "    if accumulate_grad:\n        return None\n",
            "    if accumulate_grad:\n        return ()\n",
            "what a backward returns",
        ),
    ),
]
