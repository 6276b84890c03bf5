"""The careless changes that `tests/mutants.py` plants: file, fragment of the source, replacement, what it breaks.

A fragment occurs exactly once in its file; `tests/test_mutant_list.py` checks it. A mutant with a reason in
`equivalent` is not run: nothing that a program can observe changes.
"""

from typing import NamedTuple


class Mutant(NamedTuple):
    file: str  # below minitorch/
    old: str
    new: str
    breaks: str
    equivalent: str = ""

    def key(self):
        return (self.file, self.old, self.new)


CORE_TESTS = (
    "tests/autograd/test_accumulate_grad.py",
    "tests/autograd/test_engine.py",
    "tests/autograd/test_exec_info.py",
    "tests/autograd/test_grad_mode.py",
    "tests/autograd/test_graph_task.py",
    "tests/autograd/test_hooks_order.py",
    "tests/autograd/test_input_buffer.py",
    "tests/autograd/test_node.py",
    "tests/autograd/test_roots.py",
    "tests/autograd/test_saved_variable.py",
    "tests/autograd/test_variable.py",
    "tests/core/test_allocator.py",
    "tests/core/test_storage.py",
    "tests/core/test_tensor_impl.py",
    "tests/core/test_iterator_rules.py",
    "tests/autograd/test_backward.py",
    "tests/autograd/test_details.py",
    "tests/autograd/test_graph.py",
    "tests/autograd/test_hooks.py",
    "tests/autograd/test_node_hooks.py",
    "tests/autograd/test_inplace.py",
    "tests/autograd/test_refused.py",
    "tests/autograd/test_detach_in_place.py",
    "tests/autograd/test_saved_identity.py",
    "tests/autograd/test_raw_saved_tensors.py",
    "tests/autograd/test_grad_dtype.py",
    "tests/autograd/test_set_storage.py",
    "tests/autograd/test_stale_views.py",
    "tests/autograd/test_inference_mode.py",
    "tests/autograd/test_internals.py",
    "tests/autograd/test_graph_api.py",
    "tests/autograd/test_reentrant.py",
    "tests/autograd/test_saved_tensors.py",
    "tests/autograd/test_engine_behaviour.py",
    "tests/autograd/test_hooks_inplace.py",
    "tests/test_storages.py",
)

# Inline functions of a .pxd are compiled into every module that uses them. Rebuilding the generated nodes takes
# minutes, so only the modules near the engine are rebuilt, and only functions that matter there are changed.
REBUILT_WITH = {
    "autograd/graph_task.pxd": ["autograd/engine", "autograd/exec_info", "autograd/graph_task"],
    "autograd/node.pxd": [
        "autograd/engine",
        "autograd/exec_info",
        "autograd/graph_task",
        "autograd/hooks",
        "autograd/node",
        "autograd/roots",
        "autograd/saved_variable",
        "autograd/accumulate_grad",
    ],
    "core/storage.pxd": ["core/storage", "core/tensor_impl"],
}


def _of(file, *changes):
    return [Mutant(file, *change) for change in changes]


ALL = [
    *_of(
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
            "        if executes:            # as in PyTorch",
            "        if not executes:            # PyTorch",
            "order of capture and hooks",
        ),
        (
            "        if not executes:\n            capture(task, node)",
            "        if not executes:\n            pass",
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
    *_of(
        "autograd/graph_task.pyx",
        (
            "            self.capacity = max(64, 2 * k)\n",
            "            self.capacity = max(64, k)\n",
            "the queue overflows",
        ),
        (
            "            parent = (k - 1) >> 1\n",
            "            parent = k >> 1\n",
            "the heap loses its order",
        ),
        (
            "        while self.size:\n            self.size -= 1\n            node = self.entries[self.size].node\n            Py_DECREF(<object>node)",
            "        self.size = 0\n        node = NULL",
            "nodes that are still queued after an error are never freed",
        ),
        (
            "                state.dependencies += 1\n                return False",
            "                return False",
            "edges into a node of another task are counted once",
        ),
        (
            "            node.in0 = None\n            node.ins = None\n            return True",
            "            return True",
            "input buffers of a failed backward are used again",
        ),
        (
            "            node.in0 = None\n            node.ins = None\n            return True",
            "            node.in0 = None\n            return True",
            "buffers of nodes with several outputs are used again",
        ),
        (
            "            node.in0 = None\n            node.ins = None\n            return True",
            "            node.ins = None\n            return True",
            "buffers of nodes with one output are used again",
        ),
        (
            "        state.dependencies = 1\n        self.elsewhere",
            "        state.dependencies = 0\n        self.elsewhere",
            "a node of another task is ready too early",
        ),
        (
            "        if state.dependencies == 0:\n",
            "        if state.dependencies <= 1:\n",
            "ready before its last gradient",
        ),
        (
            "            return node.needed\n        return (<",
            "            return 1\n        return (<",
            "every node is needed",
        ),
        (
            "            (<NodeState>self.elsewhere[node]).needed = needed\n",
            "            node.needed = needed\n",
            "marks of an inner backward go to the outer one",
        ),
        (
            "            gradient = accumulate_in_buffer(old, gradient, self.recording)\n        if in_node",
            "            pass\n        if in_node",
            "only the last gradient counts",
        ),
        (
            "            gradient = accumulate_in_buffer(old, gradient, self.recording)\n        if in_node",
            "            gradient = accumulate_in_buffer(gradient, old, self.recording)\n        if in_node",
            "the sum is made in the newer gradient",
        ),
        (
            "            old = node.in0\n            node.in0 = None\n",
            "            old = node.in0\n",
            "the buffer holds on to what it adds to: sums need more memory",
        ),
        (
            "        if old is not None:\n            gradient = acc",
            "        if old is not None and in_node:\n            gradient = acc",
            "only the last gradient of one of several outputs counts",
        ),
        (
            "                node.ins = [None] * node.num_outputs\n",
            "                node.ins = [gradient] * node.num_outputs\n",
            "one output's gradient is given to all",
        ),
        (
            "        if state.ins is None:\n            state.ins",
            "        if True:\n            state.ins",
            "a nested backward drops the gradients that came first",
        ),
        (
            "            g.ins = node.ins\n            node.ins = None\n",
            "            g.ins = node.ins\n",
            "a node with several outputs keeps its gradients for the next backward",
        ),
        (
            "            g.ins = [None] * node.num_outputs\n        g.in0",
            "            g.ins = []\n        g.in0",
            "a node without any gradient",
        ),
        (
            "        g.in0 = g.ins[0]\n",
            "        g.in0 = g.ins[node.num_outputs - 1]\n",
            "the first gradient is the last",
        ),
        (
            "            if self.entries[parent].priority >= entry.priority:",
            "            if self.entries[parent].priority <= entry.priority:",
            "the oldest node comes first",
        ),
        (
            "            if self.entries[parent].priority >= entry.priority:",
            "            if self.entries[parent].priority > entry.priority:",
            "the order of sinks that are ready together",
        ),
        (
            "            if child == self.size or self.entries[child].priority < self.entries[child - 1].priority:",
            "            if child == self.size or self.entries[child].priority > self.entries[child - 1].priority:",
            "the smaller child moves up",
        ),
        (
            "            if child == self.size or self.entries[child].priority < self.entries[child - 1].priority:",
            "            if child == self.size or self.entries[child].priority <= self.entries[child - 1].priority:",
            "the order of sinks that are ready together",
        ),
        (
            "            if child == self.size or self",
            "            if self",
            "a child beyond the end is looked at",
        ),
        (
            "        while child <= self.size:",
            "        while child < self.size:",
            "the last left child is not looked at",
        ),
        (
            "        self.rise(k, self.entries[self.size])",
            "        self.entries[k] = self.entries[self.size]",
            "the last entry does not rise",
        ),
        (
            "        Py_INCREF(node)\n        self.size += 1",
            "        self.size += 1",
            "the queue does not hold its nodes",
        ),
    ),
    *_of(
        "autograd/graph_task.pxd",
        (
            "            node.dependencies += 1\n            return False\n        if node.task != 0",
            "            return False\n        if node.task != 0",
            "edges are counted once",
        ),
        (
            "        if node.task != 0 or self.elsewhere is not None:\n",
            "        if node.task != 0 and self.elsewhere is not None:\n",
            "a living task loses its scratch",
        ),
        (
            "        node.dependencies = 1\n",
            "        node.dependencies = 2\n",
            "nothing is ever ready",
        ),
        ("        node.needed = 0\n", "", "marks of an earlier backward count"),
        (
            "node.num_outputs == 1 and node.in0 is None and not tracing:",
            "node.num_outputs == 1 and not tracing:",
            "the last gradient replaces the others",
        ),
        (
            "            self.gradients.in0 = node.in0\n            node.in0 = None\n",
            "            self.gradients.in0 = node.in0\n",
            "a buffer keeps its gradient",
        ),
    ),
    *_of(
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
            "    if task.needed(root) != UNKNOWN:\n        free(stack)\n        return 0\n",
            "",
            "a root is walked twice",
            "the second walk finds every node below it known and sets the same mark",
        ),
        (
            "    stack[0].needed = root in task.targets\n",
            "    stack[0].needed = False\n",
            "a root that is an input itself",
        ),
        ("NEEDED if top.needed else NOT_NEEDED)", "NEEDED)", "every node is needed"),
        (
            "                if size and (<bint>stack[size].needed):\n",
            "                if size and not (<bint>stack[size].needed):\n",
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
            "                stack[size].needed = function in task.targets\n",
            "                stack[size].needed = False\n",
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
    *_of(
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
    *_of(
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
            "        set_grad(variable, recorded_operators().copy_in_layout(gradient, empty_for(variable.impl, gradient.impl)))\n",
            "        set_grad(variable, gradient)\n",
            "a recorded gradient is not copied",
        ),
        (
            '        set_grad(variable, _operator("clone")(gradient, contiguous_format._code))\n',
            "        set_grad(variable, recorded_operators().clone(gradient))\n",
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
            "        add(old.impl, impl, 1, old.impl)\n        bump_version",
            "        add(old.impl, impl, 2, old.impl)\n        bump_version",
            "gradients count double",
        ),
        (
            "        add(old.impl, impl, 1, old.impl)\n        bump_version(old.impl)\n",
            "        variable._grad = make_tensor(add(old.impl, impl))\n",
            "a new .grad in place of one added to",
        ),
        (
            "        add(old.impl, impl, 1, old.impl)\n        bump_version(old.impl)\n",
            "        add(old.impl, impl, 1, old.impl)\n",
            "writing to .grad is not noticed",
        ),
        (
            "            has_layout_for(impl, variable.impl) or not _is_grad_layout_enforcement_enabled()):",
            "            has_layout_for(impl, variable.impl)):",
            "the layout policy is ignored",
        ),
        (
            "            has_layout_for(impl, variable.impl) or not _is_grad_layout_enforcement_enabled()):",
            "            True):",
            "any layout is taken",
        ),
        (
            "        variable._grad = make_tensor(_copy_for(variable.impl, impl))\n",
            "        variable._grad = make_tensor(impl)\n",
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
    *_of(
        "autograd/input_buffer.pyx",
        (
            "    if a.special is not None or b.special is not None:      # such as",
            "    if a.special is not None and b.special is not None:      # such as",
            "sparse meets dense",
        ),
        (
            "    if Py_REFCNT(a) <= 2 and _can_be_written(a, b): ",
            "    if _can_be_written(a, b): ",
            "a shared gradient is added to",
        ),
        (
            "    if Py_REFCNT(a) <= 2 and _can_be_written(a, b): ",
            "    if Py_REFCNT(a) <= 3 and _can_be_written(a, b): ",
            "a gradient that another buffer holds is added to",
        ),
        (
            "    if Py_REFCNT(a) <= 2 and _can_be_written(a, b): ",
            "    if Py_REFCNT(a) <= 1 and _can_be_written(a, b): ",
            "sums are never in place: more memory",
        ),
        (
            "    if Py_REFCNT(a) <= 2 and _can_be_written(a, b): ",
            "    if Py_REFCNT(a) <= 2: ",
            "sums in place in any memory",
        ),
        (
            "        return add(a, b, 1, a)\n",
            "        return add(a, a, 1, a)\n",
            "the first gradient counts twice",
        ),
        ("    return add(a, b)\n", "    return add(b, a)\n", "order of the operands of a sum"),
        (
            "    if not (grad_enabled() or interposers) and _is",
            "    if not interposers and _is",
            "recorded sums are made in place",
        ),
        (
            "and _is_only_memory(old) and _is_only_memory(new):",
            "and _is_only_memory(old):",
            "a special gradient is added to memory",
        ),
        (
            "        if Py_REFCNT(old) <= 2 and Py_REFCNT(a) <= 2 and _can_be_written(a, b):",
            "        if Py_REFCNT(a) <= 2 and _can_be_written(a, b):",
            "a Tensor that Python holds is added to",
        ),
        (
            "        if Py_REFCNT(old) <= 2 and Py_REFCNT(a) <= 2 and _can_be_written(a, b):",
            "        if Py_REFCNT(old) <= 2 and _can_be_written(a, b):",
            "data that another tensor holds are added to",
        ),
        (
            "    return recorded_operators().add(old, new) if total",
            "    return recorded_operators().add(new, old) if total",
            "order of a recorded sum",
        ),
        (
            "    return (old.storage.refcount == 1 and old",
            "    return (old.storage.refcount <= 2 and old",
            "memory with another view is added to",
        ),
        (
            "old.storage.refcount == 1 and old.storage.owner == NULL and is_dense(old)",
            "old.storage.refcount == 1 and is_dense(old)",
            "foreign memory is added to",
        ),
        (
            "old.storage.refcount == 1 and old.storage.owner == NULL and is_dense(old)",
            "old.storage.refcount == 1 and old.storage.owner == NULL",
            "an expanded gradient is added to",
        ),
        (
            "            and same_sizes(old.geometry, new.geometry))",
            ")",
            "sums of two shapes",
            "every gradient has been fitted to the shape of the output it is for",
        ),
    ),
    *_of(
        "autograd/saved_variable.pyx",
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
            '        if not isinstance(result, TensorBase):\n            raise TypeError("Output of saved',
            '        if result is None:\n            raise TypeError("Output of saved',
            "a hook that unpacks something else",
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
        (
            "            and node.tangents is None):\n        return kept",
            "            and kept._requires_grad == (function is not None) and node.tangents is None):\n        return kept",
            "a saved leaf that requires grad since",
        ),
    ),
    *_of(
        "autograd/node.pyx",
        (
            "    _sequence_nr += 1\n    return _sequence_nr - 1\n",
            "    _sequence_nr += 1\n    return _sequence_nr\n",
            "sequence numbers of Functions",
        ),
        (
            "    PyObject_GC_UnTrack(<void*>self)\n    self.sequence_nr = _sequence_nr\n",
            "    self.sequence_nr = _sequence_nr\n",
            "the collector sees the graph grow",
        ),
        (
            "    self.sequence_nr = _sequence_nr\n    _sequence_nr += 1\n",
            "    self.sequence_nr = _sequence_nr\n",
            "all nodes have one number",
        ),
        ("    self.sequence_nr = TOP_PRIORITY\n", "    self.sequence_nr = 0\n", "sinks come last"),
        (
            "        while len(self.outs) <= k - 3:\n",
            "        while len(self.outs) < k - 3:\n",
            "gradients of further edges",
        ),
        (
            "        self.outs[k - 3] = gradient\n",
            "        self.outs[len(self.outs) - 1] = gradient\n",
            "gradients of further edges land on the last",
        ),
        (
            "            return function.needed == 1\n",
            "            return function.needed != 0\n",
            "unneeded nodes are wanted",
        ),
        (
            "        return self.elsewhere is not None and function in self.elsewhere\n",
            "        return False\n",
            "nodes that an outer backward holds are not run",
        ),
        (
            "        return self.elsewhere is not None and function in self.elsewhere\n",
            "        return True\n",
            "a nested backward runs what it must not",
        ),
        (
            "            release_geometry(self.metadata0.geometry)\n        if self.more",
            "            pass\n        if self.more",
            "shapes of outputs leak",
        ),
        (
            "            for k in range(self.num_outputs - 1):\n                release",
            "            for k in range(self.num_outputs - 2 if self.num_outputs > 1 else 0):\n                release",
            "the shape of a last output leaks",
        ),
        (
            "            free(self.more_metadata)\n",
            "            pass\n",
            "metadata of further outputs leaks",
            "the memory is malloc's, of which memory_stats() knows nothing; no program can see it",
        ),
        (
            "        if self.saved0 is not None:\n            self.saved0 = None\n",
            "",
            "slot 0 is not freed",
        ),
        (
            "        if self.saved1 is not None:\n            self.saved1 = None\n",
            "",
            "slot 1 is not freed",
        ),
        (
            "        if self.saved2 is not None:\n            self.saved2 = None\n",
            "",
            "slot 2 is not freed",
        ),
        (
            "        if self.packed is not None:\n            self.packed = None\n",
            "",
            "what hooks packed is not freed",
        ),
        (
            "        if self.tangents is not None:\n            self.tangents = None\n",
            "",
            "tangents of what was saved are not freed",
        ),
        (
            "        self.released = True\n",
            "        pass\n",
            "a second backward finds nothing saved",
        ),
        (
            "            version[0] = self.version0\n",
            "            version[0] = self.version1\n",
            "the version of slot 0 is read from slot 1",
        ),
        (
            "            version[0] = self.version1\n            return self.saved1",
            "            version[0] = self.version0\n            return self.saved1",
            "the version of slot 1 is read from slot 0",
        ),
        (
            "        version[0] = self.version2\n        return",
            "        version[0] = self.version1\n        return",
            "the version of slot 2 is read from slot 1",
        ),
        (
            "        return self.saved2\n",
            "        return self.saved1\n",
            "slot 2 is read from slot 1",
        ),
        (
            "            self.saved1 = saved\n            self.version1 = version\n",
            "            self.saved1 = saved\n",
            "the place of what was packed from slot 1",
        ),
        (
            "            self.saved2 = saved\n            self.version2 = version\n",
            "            self.saved2 = saved\n",
            "the place of what was packed from slot 2",
        ),
        (
            "            self.nr1 = input_nr\n",
            "            self.nr1 = 0\n",
            "edge 1 to a further output",
        ),
        (
            "            self.nr2 = input_nr\n",
            "            self.nr2 = 0\n",
            "edge 2 to a further output",
        ),
        (
            "            while len(self.more_edges) <= <Py_ssize_t>k - 3:\n                self.more_edges.append(None)\n            if function",
            "            self.more_edges.append(None)\n            if function",
            "missing edges among further ones",
        ),
        (
            "                edge.input_nr = input_nr\n",
            "                edge.input_nr = 0\n",
            "further edges to a further output",
        ),
        (
            "        if k >= self.num_edges:\n            self.num_edges = k + 1",
            "        if k > self.num_edges:\n            self.num_edges = k + 1",
            "number of edges",
        ),
        (
            "        metadata.dtype = output.dtype\n        metadata.device",
            "        metadata.dtype = self.metadata0.dtype\n        metadata.device",
            "dtype of further outputs",
        ),
        (
            "            track_graph(self)\n        return self.hooks\n",
            "            pass\n        return self.hooks\n",
            "cycles through hooks",
        ),
        (
            "            result.append((function, input_nr if function is not None else 0))\n",
            "            result.append((function, 0))\n",
            "numbers in next_functions",
        ),
        (
            "            self._metadata = _Metadata()\n            track_graph(self)\n",
            "            self._metadata = _Metadata()\n",
            "cycles through metadata",
        ),
        (
            "        if hooks.post_hooks is None:\n            hooks",
            "        if True:\n            hooks",
            "a second post-hook replaces the first",
        ),
        (
            "        if hooks.pre_hooks is None:\n            hooks",
            "        if True:\n            hooks",
            "a second pre-hook replaces the first",
        ),
        (
            "        _track_held(value)\n        dict.",
            "        dict.",
            "cycles through a value of metadata",
        ),
        ("    _track_held(fn)\n    handle", "    handle", "cycles through what a hook holds"),
        (
            "        if PyObject_GC_IsTracked(node):\n            continue\n",
            "",
            "a node is tracked twice",
        ),
        (
            "            if k >= 3:\n                edge =",
            "            if k > 3:\n                edge =",
            "the fourth edge is not tracked",
        ),
        (
            "            if k >= 3:\n                edge =",
            "            if k >= 300:\n                edge =",
            "edges from the fourth on are not tracked",
        ),
        (
            "            if function is not None and not PyObject_GC_IsTracked(function):\n                stack.append(function)\n",
            "            if k == 0 and function is not None and not PyObject_GC_IsTracked(function):\n                stack.append(function)\n",
            "only the graph below the first edge is tracked",
        ),
    ),
    *_of(
        "autograd/node.pxd",
        (
            "            input_nr[0] = self.nr1\n",
            "            input_nr[0] = self.nr0\n",
            "edge 1 leads to the output of edge 0",
        ),
        (
            "            input_nr[0] = self.nr2\n",
            "            input_nr[0] = self.nr1\n",
            "edge 2 leads to the output of edge 1",
        ),
        (
            "        input_nr[0] = edge.input_nr\n",
            "        input_nr[0] = 0\n",
            "further edges lead to output 0",
        ),
    ),
    *_of(
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
    *_of(
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
            '    if view.creation_meta != DEFAULT:\n        _refuse_view(t, "its base',
            '    if False:\n        _refuse_view(t, "its base',
            "views made without recording whose base is written to",
        ),
        (
            "    _leave_hooks(t, old, t._grad_fn)\n    t._output_nr = 0\n",
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
            '        if t._requires_grad and t._grad_fn is None:\n            raise RuntimeError(\n                "a leaf',
            '        if False:\n            raise RuntimeError(\n                "a leaf',
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
            "    if meta == INFERENCE_MODE or meta == NO_GRAD_MODE or t._grad_fn is None:\n        text += _MODES[meta == INFERENCE_MODE][1]",
            "    if meta == INFERENCE_MODE or t._grad_fn is None:\n        text += _MODES[meta == INFERENCE_MODE][1]",
            "the text of an error",
        ),
        (
            '    return stem if number == "0" else stem + number\n',
            "    return stem + number\n",
            "names in error messages",
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
            "    t.impl.storage.writer = _lasting_name(grad_fn)\n    if view is None:",
            "    if view is None:",
            "who wrote last",
        ),
        (
            "        _leave_hooks(t, t._grad_fn, grad_fn)\n        set_history",
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
        (
            "        track_graph(grad._grad_fn)       # a link",
            "        pass       # a link",
            "cycles through .grad",
        ),
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
            "        if value and not is_differentiable(self.impl.dtype):\n            raise RuntimeError(not_differentiable)\n",
            "",
            "integers that require a gradient",
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
            "        self._grad_fn = None\n        self._requires_grad = False\n",
            "        self._grad_fn = None\n",
            "a tensor that was cut off requires grad",
        ),
        (
            "        if not (same_sizes(base.impl.geometry, other.impl.geometry)\n                and strides",
            "        if not (same_sizes(base.impl.geometry, other.impl.geometry)\n                or strides",
            "_view_func of another layout",
        ),
    ),
    *_of(
        "autograd/grad_mode.pyx",
        (
            "    static _Thread_local int minitorch_grad_enabled FIXED = 1;",
            "    static int minitorch_grad_enabled = 1;",
            "grad mode is that of all threads",
        ),
        (
            "    static _Thread_local int minitorch_inference_enabled FIXED = 0;",
            "    static int minitorch_inference_enabled = 0;",
            "inference mode is that of all threads",
        ),
        (
            "    static _Thread_local int minitorch_layout_enforced = 1;",
            "    static int minitorch_layout_enforced = 1;",
            "the layout policy leaks to other threads",
        ),
        (
            "    static _Thread_local int minitorch_view_replay = 0;",
            "    static int minitorch_view_replay = 0;",
            "the replay of views leaks to other threads",
        ),
        (
            "    static _Thread_local int minitorch_shown = -1; ",
            "    static int minitorch_shown = -1; ",
            "the mode that is shown leaks to other threads",
        ),
        (
            "    return minitorch_grad_enabled and not minitorch_inference_enabled\n",
            "    return minitorch_grad_enabled\n",
            "enable_grad inside inference mode records",
        ),
        (
            "    if minitorch_shown < 0:\n        minitorch_grad_enabled = enabled\n    else:\n        minitorch_shown = enabled\n",
            "    minitorch_grad_enabled = enabled\n",
            "what a program switches in a __torch_dispatch__",
        ),
        (
            "    return bool(minitorch_grad_enabled if minitorch_shown < 0 else minitorch_shown)\n",
            "    return bool(minitorch_grad_enabled)\n",
            "the mode that a __torch_dispatch__ sees",
        ),
        (
            '    if not isinstance(enabled, bool):\n        raise TypeError(f"{function}()',
            '    if enabled is None:\n        raise TypeError(f"{function}()',
            "modes that are no bools",
        ),
        (
            "        self.previous = is_grad_enabled()\n        _set_grad_enabled(False)\n",
            "        self.previous = True\n        _set_grad_enabled(False)\n",
            "no_grad inside no_grad",
        ),
        (
            "        self.previous = is_grad_enabled()\n        _set_grad_enabled(True)\n",
            "        self.previous = False\n        _set_grad_enabled(True)\n",
            "enable_grad where it is on already",
        ),
        (
            "        self.previous = is_grad_enabled()\n        self.mode = mode\n",
            "        self.previous = not mode\n        self.mode = mode\n",
            "set_grad_enabled to the mode that holds",
        ),
        (
            "        _set_grad_enabled(self.previous)\n        return super().__call__(function)\n",
            "        return super().__call__(function)\n",
            "set_grad_enabled as a decorator switches at once",
        ),
        (
            "    def __enter__(self):\n        _set_grad_enabled(self.mode)\n",
            "    def __enter__(self):\n        pass\n",
            "set_grad_enabled entered later",
        ),
        (
            "        _switch(not self.mode)\n",
            "",
            "inference mode does not say so to is_grad_enabled",
        ),
        ("        set_forward(not self.mode)\n", "", "tangents in inference mode"),
        (
            "        _set_inference(self.previous[0])\n",
            "        _set_inference(False)\n",
            "inference mode inside inference mode",
        ),
        (
            "        _switch(self.previous[1])\n",
            "        _switch(True)\n",
            "grad mode after inference mode",
        ),
        (
            "        _forward_mode[1](self.previous[2])\n",
            "        _forward_mode[1](True)\n",
            "forward mode after inference mode",
        ),
        (
            "        self.prev = bool(minitorch_layout_enforced)\n",
            "        self.prev = True\n",
            "layout policies one inside the other",
        ),
        (
            "        _set_layout_enforced(self.prev)\n        return super()",
            "        return super()",
            "the layout policy as a decorator",
        ),
        (
            "    def __exit__(self, exc_type, exc_value, traceback):\n        _set_layout_enforced(self.prev)\n",
            "    def __exit__(self, exc_type, exc_value, traceback):\n        pass\n",
            "the layout policy stays",
        ),
        (
            "        self.prev = is_multithreading_enabled()\n",
            "        self.prev = True\n",
            "multithreading flags one inside the other",
        ),
        (
            "        _set_view_replay_enabled(self.prev)\n        return super()",
            "        return super()",
            "view replay as a decorator",
        ),
    ),
    *_of(
        "core/storage.pyx",
        (
            "nbytes if nbytes <= INLINE_LIMIT else 0\n",
            "nbytes if nbytes < INLINE_LIMIT else 0\n",
            "16384 bytes are one block",
        ),
        (
            "    self.capacity = nbytes\n    self.version = 0\n",
            "    self.capacity = nbytes\n",
            "the version of new memory",
        ),
        ("    self.fixed_size = False\n", "", "new memory cannot be resized"),
        ("    self.exports = 0\n", "", "exports of new memory"),
        ("    self.owner = NULL\n", "", "the owner of new memory"),
        ("    self.writer = NULL\n", "", "who wrote to new memory"),
        (
            "    self.nbytes = self.capacity = nbytes\n    self.fixed_size = True\n",
            "    self.nbytes = self.capacity = nbytes\n",
            "foreign memory is resized",
        ),
        (
            "    Py_INCREF(owner)\n    self.owner = <PyObject*>owner\n    return self",
            "    self.owner = <PyObject*>owner\n    return self",
            "the owner of foreign memory goes too early",
        ),
        (
            "        Py_DECREF(<object>self.owner)\n        return\n",
            "        return\n",
            "the owner of foreign memory is never released",
        ),
        (
            "    if self.data != _inline_data(self):\n        deallocate(self.data, self.capacity)",
            "    if self.data != _inline_data(self):\n        deallocate(self.data, self.nbytes)",
            "memory is freed into the wrong size class",
        ),
        (
            "    if self.data != _inline_data(self):\n        deallocate(self.data, self.capacity)",
            "    pass",
            "large memory leaks",
        ),
        (
            "    if self.fixed_size or self.exports:\n        raise",
            "    if self.fixed_size:\n        raise",
            "memory is resized while a buffer of it is out",
        ),
        (
            "    if self.fixed_size or self.exports:\n        raise",
            "    if self.exports:\n        raise",
            "foreign memory is resized",
        ),
        (
            "    if nbytes > self.capacity:\n",
            "    if nbytes >= self.capacity:\n",
            "memory moves although it has the size",
        ),
        (
            "    if nbytes > self.capacity:\n",
            "    if nbytes != self.capacity:\n",
            "memory moves when it shrinks",
        ),
        (
            "        memcpy(data, self.data, self.nbytes)\n        _release",
            "        _release",
            "resizing loses the content",
        ),
        (
            "        memcpy(data, self.data, self.nbytes)\n        _release",
            "        memcpy(data, self.data, self.nbytes // 2)\n        _release",
            "resizing loses half of the content",
        ),
        (
            "        _release_data(self)\n        self.data = data\n",
            "        self.data = data\n",
            "resizing leaks the old memory",
        ),
        (
            "        self.capacity = nbytes\n    self.nbytes = nbytes\n",
            "    self.nbytes = nbytes\n",
            "the capacity after resizing",
        ),
        ("        impl.exports += 1\n", "        impl.exports = 1\n", "two buffers count as one"),
        (
            "        self.storage.impl.exports -= 1\n",
            "        self.storage.impl.exports = 0\n",
            "releasing one buffer releases all",
        ),
        (
            "        self.storage.impl.exports -= 1\n",
            "        pass\n",
            "memory stays fixed after its buffers are gone",
        ),
        (
            "    release_storage(self.impl)\n    retain_storage(impl)\n",
            "    retain_storage(impl)\n",
            "each storage handle leaks an empty storage",
        ),
        (
            '        if nbytes < 0:\n            raise RuntimeError(f"Storage size must be non-negative, got {size}")\n        self.impl',
            "        self.impl",
            "negative sizes",
        ),
        (
            "        return not (self.impl.fixed_size or self.impl.exports)\n",
            "        return not self.impl.fixed_size\n",
            "resizable()",
        ),
        ("        i += n if i < 0 else 0\n", "", "negative indices"),
        (
            "        if not 0 <= i < n:\n            raise IndexError",
            "        if not 0 <= i <= n:\n            raise IndexError",
            "an index one beyond the end",
        ),
        (
            '        if not 0 <= i < n:\n            raise RuntimeError("out of bounds")',
            '        if not i < n:\n            raise RuntimeError("out of bounds")',
            "a negative index is written to",
        ),
        ("        if step != 1:\n", "        if step < 1:\n", "slices with a step"),
        (
            "        self.impl.fixed_size = True\n        part",
            "        part",
            "memory moves away from a slice of it",
        ),
        (
            "self.impl.data + start, max(stop - start, 0), self)",
            "self.impl.data + start, max(stop, 0), self)",
            "the length of a slice",
        ),
        (
            "        if target.len < impl.nbytes:\n",
            "        if target.len + 1 < impl.nbytes:\n",
            "memory that is too small",
        ),
        (
            "        if copy:\n            memcpy(target.buf",
            "        if not copy:\n            memcpy(target.buf",
            "moving to other memory copies",
        ),
        (
            "        memcpy(other.impl.data, self.impl.data, self.impl.nbytes)\n",
            "",
            "a clone has no content",
        ),
        (
            "(<UntypedStorage>other).impl == self.impl\n",
            "(<UntypedStorage>other).impl.nbytes == self.impl.nbytes\n",
            "equality of storages",
        ),
    ),
    *_of(
        "core/storage.pxd",
        ("    self.refcount += 1\n", "    self.refcount += 2\n", "memory leaks"),
    ),
    *_of(
        "core/tensor_impl.pyx",
        (
            "    for d in range(ndim - 1, 1, -1):\n        strides[d]",
            "    for d in range(2, ndim):\n        strides[d]",
            "channels_last strides",
        ),
        (
            "        if n[d] != 1:\n            if s[d] != expected:",
            "        if True:\n            if s[d] != expected:",
            "channels_last with one channel",
        ),
        (
            "        d = 1 if k == 0 else 0 if k == g.ndim - 1 else g.ndim - k\n",
            "        d = 1 if k == 0 else 0 if k == g.ndim - 1 else k + 1\n",
            "the order of channels_last",
        ),
        (
            "        if n[d] > 1:\n            left += 1\n",
            "        left += 1\n",
            "dimensions of one element in the test of density",
        ),
        (
            "            if n[d] > 1 and s[d] == expected:\n",
            "            if n[d] >= 1 and s[d] == expected:\n",
            "dimensions of one element are counted",
        ),
        (
            "    if ndim > MAX_DIMS:\n        raise",
            "    if ndim > MAX_DIMS + 1:\n        raise",
            "65 dimensions",
        ),
        (
            "        if n[d] < 0:\n            shape",
            "        if n[d] < -1:\n            shape",
            "a size of -1",
        ),
        (
            "(<Py_ssize_t>1 << 62) // g.numel:\n            free_geometry(g)\n",
            "(<Py_ssize_t>1 << 62):\n            free_geometry(g)\n",
            "the number of elements overflows",
        ),
        (
            "            if n[d] != 1 and s[d] != expected:\n                contiguous",
            "            if s[d] != expected:\n                contiguous",
            "the stride of a single element matters for contiguity",
        ),
        (
            "        expected *= max(n[d], 1)\n    if contiguous",
            "        expected *= n[d]\n    if contiguous",
            "strides of empty tensors",
        ),
        (
            "    if contiguous or g.numel == 0:\n",
            "    if contiguous:\n",
            "empty tensors are contiguous",
        ),
        (
            "        g.flags = DENSE if _is_dense(g) else 0\n",
            "        g.flags = 0\n",
            "permuted tensors are dense",
        ),
        (
            "        g.flags = DENSE if _is_dense(g) else 0\n",
            "        g.flags = DENSE\n",
            "tensors with gaps are not dense",
        ),
        (
            "    elif ndim == 5 and _matches_channels_last(g):\n",
            "    elif ndim == 3 and _matches_channels_last(g):\n",
            "channels_last_3d",
        ),
        (
            "    return a == b or (a.ndim == b.ndim\n                      and",
            "    return a == b or (a.ndim <= b.ndim\n                      and",
            "shapes of different length",
        ),
        (
            "            release_geometry(self.geometry)\n        if self.storage",
            "            pass\n        if self.storage",
            "geometries leak",
        ),
        (
            "            release_storage(self.storage)\n        if self.own",
            "            pass\n        if self.own",
            "memory leaks",
        ),
        (
            "            _release_counter(self.own_counter)\n\n\ncdef void",
            "            pass\n\n\ncdef void",
            "version counters leak",
        ),
        (
            "    self.version_counter = &storage.version\n",
            "    storage.version = 0\n    self.version_counter = &storage.version\n",
            "a view sets the version back",
        ),
        (
            "    self.is_wrapped_number = False\n",
            "",
            "a tensor counts as a Python number",
            "the fields of a new object are zero",
        ),
        (
            "(<Py_ssize_t>1 << 62) // itemsizes[dtype] - offset:\n",
            "(<Py_ssize_t>1 << 62) // itemsizes[dtype]:\n",
            "sizes near the limit with an offset",
        ),
        (
            "    try:\n        _check_size(g, 0, dtype)\n        storage",
            "    try:\n        storage",
            "bytes overflow",
        ),
        (
            "        storage = new_storage(g.numel * itemsize)\n",
            "        storage = new_storage(g.numel * 16)\n",
            "tensors use more memory than they need",
        ),
        (
            "            if order > 0:\n                perm[j], perm[place]",
            "            if order >= 0:\n                perm[j], perm[place]",
            "the order of dimensions in empty_like",
        ),
        (
            "            elif order < 0:\n                break\n    for i in range(n):\n        s[perm",
            "            elif order <= 0:\n                break\n    for i in range(n):\n        s[perm",
            "broadcast dimensions in empty_like",
        ),
        (
            "        step *= max(sizes(t)[perm[i]], 1)\n",
            "        step *= sizes(t)[perm[i]] + 1\n",
            "gaps in empty_like",
        ),
        (
            "    if sa == 0 or sb == 0:\n        return 0\n    if sa != sb:\n        return -1 if",
            "    if sa != sb:\n        return -1 if",
            "expanded dimensions in empty_like",
        ),
        (
            "        return -1 if sa < sb else 1\n    return 1 if sizes",
            "        return -1 if sa > sb else 1\n    return 1 if sizes",
            "the order of strides in empty_like",
        ),
        (
            "    return 1 if sizes(t)[a] > sizes(t)[b] else 0\n",
            "    return 0\n",
            "equal strides in empty_like",
        ),
        (
            "    self.version_counter = base.version_counter\n    self.own_counter = base.own_counter\n",
            "    self.own_counter = base.own_counter\n",
            "a view of .data has the versions of the storage",
        ),
        (
            "        self.own_counter.refcount += 1\n",
            "        pass\n",
            "a version counter is freed too early",
        ),
        (
            "    retain_storage(base.storage)\n    self = _make(g, base",
            "    self = _make(g, base",
            "memory of views is freed too early",
        ),
        (
            "retain_geometry(base.geometry), base.storage_offset)\n    self.special",
            "retain_geometry(base.geometry), 0)\n    self.special",
            "detach() forgets the offset",
        ),
        (
            "    self.special = base.special\n    return self",
            "    return self",
            "detach() of what is special",
        ),
        (
            "    own_version_counter(self)\n    return self\n",
            "    return self\n",
            ".data shares versions",
        ),
        ("    counter.version = 0\n", "", "the version of .data"),
        (
            "        _release_counter(t.own_counter)\n    t.own_counter",
            "        pass\n    t.own_counter",
            "version counters of .data of .data leak",
        ),
        (
            "    retain_geometry(source.geometry)\n    retain_storage",
            "    retain_storage",
            "a shape is freed too early",
        ),
        (
            "    release_geometry(self.geometry)\n    release_storage(self.storage)\n    self.geometry = source",
            "    release_geometry(self.geometry)\n    self.geometry = source",
            "assigning .data leaks the old memory",
        ),
        (
            "    self.storage_offset = source.storage_offset\n",
            "    self.storage_offset = 0\n",
            "assigning a view to .data",
        ),
        (
            "    self.dtype = source.dtype\n    self.special",
            "    self.special",
            "assigning another dtype to .data",
        ),
        (
            "        needed = (self.storage_offset + g.numel) * itemsizes[self.dtype]\n",
            "        needed = g.numel * itemsizes[self.dtype]\n",
            "resize_ ignores the storage offset",
        ),
        (
            "        if g.numel and needed > self.storage.nbytes:\n",
            "        if needed > self.storage.nbytes:\n",
            "resize_ to nothing grows the storage",
        ),
        (
            "        if g.numel and needed > self.storage.nbytes:\n",
            "        if g.numel and needed != self.storage.nbytes:\n",
            "resize_ shrinks the storage",
        ),
        (
            "    except BaseException:\n        release_geometry(g)\n        raise\n    release_geometry(self.geometry)",
            "    except BaseException:\n        raise\n    release_geometry(self.geometry)",
            "a failed resize_ leaks",
        ),
        (
            "    release_geometry(self.geometry)\n    self.geometry = g\n",
            "    self.geometry = g\n",
            "resize_ leaks the old shape",
        ),
        (
            "        self = empty_geometry(_scalar_geometry, Bool)\n",
            "        self = empty_geometry(_scalar_geometry, Int64)\n",
            "bools among numbers",
        ),
        (
            "            whole = <long long>PyLong_AsUnsignedLongLong(number)\n            self = empty_geometry(_scalar_geometry, UInt64)\n",
            "            whole = <long long>PyLong_AsUnsignedLongLong(number)\n            self = empty_geometry(_scalar_geometry, Int64)\n",
            "numbers from 2**63 on",
        ),
        (
            "        (<double*>data(self))[1] = number.imag\n",
            "        (<double*>data(self))[1] = number.real\n",
            "complex numbers",
        ),
        ("    self.is_wrapped_number = True\n", "", "Python numbers promote like tensors"),
        ("        if count == MAX_DIMS:\n", "        if count > MAX_DIMS:\n", "65 sizes"),
        (
            "    cdef int limit = max(ndim, 1)\n",
            "    cdef int limit = ndim\n",
            "dimension 0 of a scalar",
        ),
        (
            "    if d < -limit or d >= limit:\n",
            "    if d < -limit or d > limit:\n",
            "a dimension one beyond the last",
        ),
        (
            "    if d < -limit or d >= limit:\n",
            "    if d < -limit - 1 or d >= limit:\n",
            "a dimension one before the first",
        ),
        (
            "    return d + limit if d < 0 else d\n",
            "    return d + ndim if d < 0 else d\n",
            "dimension -1 of a scalar",
        ),
    ),
    *_of(
        "core/iterator.pyx",
        (
            "        if same_sizes(g, inputs[0]):\n            continue\n",
            "        if g.ndim == inputs[0].ndim:\n            continue\n",
            "inputs of different sizes",
        ),
        ("        self.all_same_shape = False\n", "", "results of broadcast inputs"),
        (
            "            for d in range(current - 1, -1, -1):\n                self.shape[d + offset]",
            "            for d in range(current):\n                self.shape[d + offset]",
            "a later input with more dimensions",
        ),
        (
            "            for d in range(offset):\n                self.shape[d] = 1\n",
            "",
            "new leading dimensions",
        ),
        (
            "                if size == 1:\n                    self.shape",
            "                if size <= 1:\n                    self.shape",
            "an empty dimension meets a full one",
        ),
        (
            "                elif n[d] != 1:\n",
            "                elif n[d] > 1:\n",
            "a full dimension meets an empty one",
        ),
        (
            "at non-singleton dimension {d + offset}",
            "at non-singleton dimension {d}",
            "the dimension in an error",
        ),
        (
            "    for d in range(current):\n        self.numel *= self.shape[d]\n",
            "    for d in range(ninputs):\n        self.numel *= self.shape[d]\n",
            "the number of elements",
        ),
        (
            "        out[d + offset] = 0 if n[d] == 1 and shape[d + offset] != 1 else s[d]\n",
            "        out[d + offset] = s[d]\n",
            "expanded dimensions",
        ),
        (
            "        operand = noperands - 1 if k == 0 else k - 1\n",
            "        operand = k\n",
            "the output decides the order of dimensions",
        ),
        (
            "        if sa == 0 or sb == 0:\n            continue\n",
            "",
            "broadcast dimensions decide the order",
        ),
        (
            "            return -1 if sa < sb else 1\n        if shape",
            "            return -1 if sa > sb else 1\n        if shape",
            "the order of dimensions",
        ),
        ("        if shape[a] > shape[b]:\n            return 1\n", "", "equal strides"),
        (
            "            elif order < 0:\n                break\n\n\n# ---- the strides of a new",
            "            elif order <= 0:\n                break\n\n\n# ---- the strides of a new",
            "incomparable dimensions",
        ),
        (
            "        for operand in range(self.ninputs - 1):\n            flags &= self.geometry[operand].flags\n",
            "",
            "contiguous and permuted inputs",
        ),
        (
            "            if is_row_major(last):\n                return retain_geometry(last)\n            return new",
            "            return retain_geometry(last)\n            return new",
            "the stride of a single element in a result",
        ),
        (
            "        if flags & CHANNELS_LAST:\n            channels",
            "        if False:\n            channels",
            "channels_last inputs with ambiguous strides",
        ),
        (
            "        if flags & DENSE:\n            for operand",
            "        if True:\n            for operand",
            "inputs with equal gaps",
        ),
        (
            "                          n * sizeof(Py_ssize_t)) != 0:\n                    break\n",
            "                          n * sizeof(Py_ssize_t)) != 0:\n                    pass\n",
            "dense inputs with different strides",
        ),
        (
            "    if n < 2:\n        return _shared_or_new(self, NULL)\n",
            "    if n < 3:\n        return _shared_or_new(self, NULL)\n",
            "matrices with gaps",
        ),
        (
            "                         s[self.ninputs - 1 if operand == 0 else operand - 1])\n",
            "                         s[operand])\n",
            "the first input decides the order of a result",
        ),
        (
            "        step *= self.shape[perm[k]]\n",
            "        step *= self.shape[k]\n",
            "strides of a permuted result",
        ),
        (
            "        if g.ndim == self.shape_ndim and memcmp(sizes_of(g), self.shape, nbytes) == 0:\n",
            "        if g.ndim == self.shape_ndim:\n",
            "an input's shape is taken for the result's",
        ),
        (
            "        if self.shape[d] == 1:\n            continue\n",
            "        if self.shape[d] == 1:\n            break\n",
            "dimensions after one of one element",
        ),
        (
            "                if (self.sizes[last] * self.strides[operand][last]\n                        != s[operand][d] * itemsizes[operand]):\n                    merge = False",
            "                if (self.sizes[last] * self.strides[operand][last]\n                        != s[operand][d] * itemsizes[operand]):\n                    merge = operand > 0",
            "dimensions that only the first operand can merge",
        ),
        (
            "            self.sizes[last] *= self.shape[d]\n",
            "            self.sizes[last] = self.shape[d]\n",
            "merged dimensions",
        ),
        (
            "        self.sizes[0] = 1\n        for operand",
            "        self.sizes[0] = 0\n        for operand",
            "results of one element",
        ),
        (
            "    return _combine(dimensioned, _combine(zero_dim, wrapped))\n",
            "    return _combine(_combine(dimensioned, zero_dim), wrapped)\n",
            "which of scalars and numbers counts first",
            "of three categories the highest decides either way, and the type of that category is the one met first",
        ),
        (
            "    if lower == NoType or is_complex(higher):\n",
            "    if lower == NoType:\n",
            "complex tensors with complex numbers",
        ),
        (
            "        return to_complex(higher) if is_complex(lower) else higher\n",
            "        return lower if is_complex(lower) else higher\n",
            "a float tensor with a complex number",
        ),
        (
            "        if is_complex(lower) and is_float8(higher):\n            raise",
            "        if False:\n            raise",
            "float8 with complex numbers",
        ),
        (
            "    if is_wide_unsigned(higher) and is_complex(lower):\n        return lower\n",
            "",
            "uint64 with complex numbers",
        ),
        (
            "    if higher == Bool or is_floating(lower) or is_complex(lower):\n",
            "    if is_floating(lower) or is_complex(lower):\n",
            "a bool tensor with an integer",
        ),
        (
            "    if higher == Bool or is_floating(lower) or is_complex(lower):\n",
            "    if True:\n",
            "an int32 tensor with an int64 number",
        ),
        (
            "            dtype = get_default_dtype()\n",
            "            pass\n",
            "the default dtype of numbers",
        ),
        (
            "            dtype = default_complex_dtype()\n",
            "            pass\n",
            "the default dtype of complex numbers",
        ),
        (
            "        wrapped[0] = promote_types(wrapped[0], dtype)\n",
            "        zero_dim[0] = promote_types(zero_dim[0], dtype)\n",
            "numbers count like scalars",
        ),
        (
            "    if is_complex(from_dtype) and not is_complex(to_dtype):\n        return False\n",
            "",
            "complex results in real outputs",
        ),
        (
            "    if is_floating(from_dtype) and is_integral(to_dtype):\n        return False\n",
            "",
            "real results in integer outputs",
        ),
        (
            "    return from_dtype == Bool or to_dtype != Bool\n",
            "    return True\n",
            "numbers in outputs of bools",
        ),
        (
            "        if strides(t)[d] == 0 and sizes(t)[d] > 1:\n",
            "        if strides(t)[d] == 0:\n",
            "a stride of 0 with one element",
        ),
        (
            "        if strides(t)[d] == 0 and sizes(t)[d] > 1:\n",
            "        if strides(t)[d] == 0 and sizes(t)[d] > 2:\n",
            "two elements in one place",
        ),
        (
            "    if has_internal_overlap(output):\n        raise",
            "    if False:\n        raise",
            "writing to an expanded tensor",
        ),
        (
            "    if a is b:\n        return FULL_OVERLAP\n",
            "    if a is b:\n        return NO_OVERLAP\n",
            "assert_no_overlap of a tensor with itself",
        ),
        (
            "    if a.geometry.numel == 0 or b.geometry.numel == 0 or a.storage",
            "    if a.storage",
            "empty tensors overlap",
        ),
        (
            "    if not (a.geometry.flags & DENSE and b.geometry.flags & DENSE):\n        return UNKNOWN",
            "    if not (a.geometry.flags & DENSE and b.geometry.flags & DENSE):\n        return PARTIAL_OVERLAP or UNKNOWN",
            "tensors with gaps overlap",
        ),
        (
            "    a_end = data(a) + a.geometry.numel * itemsizes[a.dtype]\n",
            "    a_end = data(a) + a.geometry.numel\n",
            "the end of the output",
        ),
        (
            "    b_end = data(b) + b.geometry.numel * itemsizes[b.dtype]\n",
            "    b_end = data(b) + b.geometry.numel\n",
            "the end of the input",
        ),
        (
            "            return FULL_OVERLAP\n        return PARTIAL_OVERLAP\n",
            "            return FULL_OVERLAP\n        return FULL_OVERLAP\n",
            "the same memory in another order",
        ),
        (
            "    if data(a) < b_end and data(b) < a_end:\n",
            "    if data(a) <= b_end and data(b) <= a_end:\n",
            "neighbours overlap",
        ),
        (
            "    if data(a) < b_end and data(b) < a_end:\n",
            "    if data(a) < b_end and data(b) > a_end:\n",
            "overlapping parts",
        ),
        (
            "    if output.storage == input.storage and _overlap(output, input) == PARTIAL_OVERLAP:\n",
            "    if output.storage == input.storage and _overlap(output, input) != NO_OVERLAP:\n",
            "writing in place",
        ),
        (
            "    if output.storage == input.storage and _overlap(output, input) == PARTIAL_OVERLAP:\n",
            "    if False:\n",
            "overlapping outputs are written",
        ),
        (
            "        if status == PARTIAL_OVERLAP or status == FULL_OVERLAP:\n",
            "        if status == PARTIAL_OVERLAP:\n",
            "the input as output where it must not be",
        ),
        (
            "        if status == PARTIAL_OVERLAP or status == FULL_OVERLAP:\n",
            "        if status == FULL_OVERLAP:\n",
            "a part of the input as output",
        ),
    ),
    *_of(
        "core/allocator.pyx",
        (
            "        index = (nbytes + ALIGNMENT - 1) // ALIGNMENT\n",
            "        index = nbytes // ALIGNMENT\n",
            "blocks are too small",
        ),
        ("        return index - 1\n", "        return 0\n", "all small blocks are of one class"),
        (
            "    while (<size_t>1 << (power + 1)) < nbytes:\n",
            "    while (<size_t>1 << (power + 1)) <= nbytes:\n",
            "the class of a power of two",
        ),
        (
            "    step = (<size_t>1 << power) >> 2\n",
            "    step = (<size_t>1 << power) >> 1\n",
            "large blocks are larger than they need to be",
        ),
        (
            "+ step - 1) // step      # 1 to 4",
            ") // step      # 1 to 4",
            "large blocks are too small",
        ),
        (
            "    return SMALL_CLASSES + 4 * (power - 12) + quarter - 1\n",
            "    return SMALL_CLASSES + 4 * (power - 12)\n",
            "large blocks of different sizes are of one class",
        ),
        (
            "    if nbytes > (<size_t>1 << 46):\n",
            "    if nbytes > (<size_t>1 << 47):\n",
            "the limit of a request",
            "the system refuses 2**46 bytes as well, with the same message",
        ),
        (
            "        _free_lists[index] = block.next\n        _cached -= block_bytes\n",
            "        _cached -= block_bytes\n",
            "a block is given out twice",
        ),
        (
            "        _free_lists[index] = block.next\n        _cached -= block_bytes\n",
            "        _free_lists[index] = block.next\n",
            "bytes in the free lists",
        ),
        (
            "            _empty_cache()\n            block = <Block*>aligned_alloc",
            "            block = <Block*>aligned_alloc",
            "the cache is not emptied when memory runs out",
        ),
        ("        _num_system_allocations += 1\n", "", "requests to the system"),
        ("    _allocated += block_bytes\n", "    _allocated += nbytes\n", "bytes in use"),
        (
            "    if _allocated > _peak:\n        _peak = _allocated\n    return",
            "    _peak = _allocated\n    return",
            "the peak",
        ),
        ("    _allocated -= block_bytes\n", "", "bytes in use after freeing"),
        (
            "    if _cached + block_bytes > _cache_limit:\n",
            "    if _cached > _cache_limit:\n",
            "the limit of the cache",
        ),
        (
            "    if _cached + block_bytes > _cache_limit:\n",
            "    if _cached + block_bytes >= _cache_limit:\n",
            "exactly the limit of the cache",
        ),
        (
            "    _free_lists[index] = block\n    _cached += block_bytes\n",
            "    _cached += block_bytes\n",
            "freed blocks are lost",
        ),
        (
            "    _free_lists[index] = block\n    _cached += block_bytes\n",
            "    _free_lists[index] = block\n",
            "bytes in the free lists after freeing",
        ),
        (
            "        while _free_lists[index] != NULL:\n",
            "        if _free_lists[index] != NULL:\n",
            "emptying frees one block of each class",
        ),
        (
            "    _cached = 0\n\n\ndef empty_cache",
            "\n\ndef empty_cache",
            "bytes in the free lists after emptying",
        ),
        (
            "    global _peak\n    _peak = _allocated\n",
            "    global _peak\n    _peak = 0\n",
            "the peak after it was reset",
        ),
        ("    _cache_limit = nbytes\n    if", "    if", "a new limit"),
        (
            "    if _cached > nbytes:\n        _empty_cache()\n",
            "",
            "a lower limit than what is cached",
        ),
        ('        "peak_bytes": _peak,\n', '        "peak_bytes": _allocated,\n', "the peak"),
    ),
    *_of(
        "autograd/accumulate_by_operators.pyx",
        (
            '        _operator("add", "_")(variable._grad, gradient, 1)\n    elif',
            '        _operator("add", "_")(variable._grad, gradient, 2)\n    elif',
            "a gradient of a class with __torch_dispatch__",
        ),
        (
            "    elif alone and has_layout_for(gradient.impl, variable.impl):\n",
            "    elif alone:\n",
            "the layout of a dispatched gradient",
        ),
    ),
    *_of(
        "autograd/sparse_tensor.pyx",
        (
            "            if old is None and alone and self",
            "            if old is None and self",
            "a sparse gradient of two leaves is shared",
        ),
        (
            "            elif old is None:\n                variable._grad = recorded_operators().clone(new)\n",
            "            elif old is None:\n                variable._grad = new\n",
            "a shared sparse gradient becomes .grad",
        ),
        (
            "            elif is_sparse(old.impl) and not is_sparse(new.impl):\n",
            "            elif is_sparse(old.impl):\n",
            "sparse on sparse makes a new tensor",
        ),
        (
            "        finally:\n            set_grad_enabled(mode)\n        return True\n",
            "        finally:\n            set_grad_enabled(True)\n        return True\n",
            "grad mode after a sparse gradient",
        ),
        (
            "        return recorded_operators().add(<TensorBase>new, <TensorBase>old)  ",
            "        return recorded_operators().add(<TensorBase>old, <TensorBase>new)  ",
            "dense on sparse",
        ),
    ),
    *_of(
        "autograd/events.pyx",
        (
            '        detail = "added in place" if new is old else "added"\n',
            '        detail = "added"\n',
            "the trace of an accumulation",
        ),
        (
            '        detail = "taken" if new.impl is taken else "copied"\n',
            '        detail = "copied"\n',
            "the trace of a taken gradient",
        ),
    ),
    *_of(
        "autograd/saved_tensor_hooks.pyx",
        (
            "    return stack[len(stack) - 1] if stack else None\n",
            "    return stack[0] if stack else None\n",
            "the outermost hooks count",
        ),
        (
            "    if fail_if_non_empty and default_hooks() is not None:\n",
            "    if default_hooks() is not None:\n",
            "fail_if_non_empty=False",
        ),
    ),
    *_of(
        "autograd/functions/properties.pyx",
        (
            "        if requires_grad and (self._requires_grad or self._grad_fn is not None):\n            return self  ",
            "        if requires_grad and self._requires_grad:\n            return self  ",
            "requires_grad_() of a non-leaf",
            "what has a grad_fn requires grad, whatever was done to it",
        ),
    ),
]
