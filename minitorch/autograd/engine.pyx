"""The engine: `run_backward` and the loop behind it.

The story, in the order of the file: a `GraphTask` is made for the call (step 4), the edges into each
node are counted (5), then the newest node whose edges have all been followed is taken from the
`ReadyQueue` (6) and evaluated (7): hooks, `apply`, hooks, each gradient checked and summed to the
shape of the input it belongs to, and added to the buffer of the next node (9).

Note [Scratch in the node]
Dependency counts and input buffers stand in the nodes themselves, stamped with the number of the task
they belong to: no table is looked up in the loop. When the node carries the stamp of another task that
is still alive (a backward inside a backward, or in another thread over a shared graph), this task
keeps that node's scratch in `GraphTask.elsewhere`. A stamp of a dead task means nothing.

Note [No recursion]
Every walk over the graph has a stack or a heap of its own, so its depth is bounded by memory alone.
"""

import threading

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdlib cimport free, malloc, realloc

from minitorch.autograd.accumulate_grad cimport AccumulateGrad
from minitorch.autograd.forward_grad cimport any_level
from minitorch.autograd.grad_mode cimport grad_enabled, set_grad_enabled
from minitorch.autograd.anomaly cimport anomaly_enabled, check_nan, origin_of, warn_of_error
from minitorch.autograd.events cimport described, happened, trace, tracing
from minitorch.autograd.fit cimport fit
from minitorch.autograd.hooks cimport (
    call_post_hooks, call_pre_hooks, call_tensor_pre_hooks, grad_outputs_for_post_hooks, retain_grad)
from minitorch.autograd.input_buffer cimport accumulate_in_buffer
from minitorch.autograd.interpose cimport needs_tensors
from minitorch.autograd.node cimport Gradients, Node, OutputMetadata, output_metadata
from minitorch.autograd.variable cimport (
    TensorBase, gradient_edge, make_tensor, recorded_operators, requires_grad)
from minitorch.core.tensor_impl cimport TensorImpl

from minitorch.autograd.anomaly import _register_current_node

cdef extern from *:
    """
    static _Thread_local PyObject* minitorch_current_task = NULL;   /* borrowed */
    static _Thread_local int minitorch_depth = 0;
    """
    PyObject* minitorch_current_task
    int minitorch_depth                 # how many calls of `execute` this thread is in

cdef enum:
    MAX_DEPTH = 60                      # a backward inside so many others goes to a thread of its own

cdef unsigned long _last_task = 0
cdef set _live_tasks = set()


# ---- the ready queue

@cython.final
cdef class ReadyQueue:
    def __dealloc__(self):
        self.clear()
        free(self.entries)

    cdef void clear(self) noexcept:
        cdef PyObject* node
        while self.size:
            self.size -= 1
            node = self.entries[self.size].node
            Py_DECREF(<object>node)

    # docs: step 6, push
    cdef int push(self, Node node) except -1:
        cdef ReadyEntry* grown
        cdef Py_ssize_t k = self.size, parent
        cdef unsigned long priority = node.sequence_nr
        if k == self.capacity:
            self.capacity = max(64, 2 * k)
            grown = <ReadyEntry*>realloc(self.entries, self.capacity * sizeof(ReadyEntry))
            if grown == NULL:
                raise MemoryError
            self.entries = grown
        while k > 0:
            parent = (k - 1) >> 1
            if self.entries[parent].priority >= priority:
                break
            self.entries[k] = self.entries[parent]
            k = parent
        self.entries[k].priority = priority
        self.entries[k].node = <PyObject*>node
        Py_INCREF(node)
        self.size += 1
        if tracing:
            happened("push", node, None, -1, -1, None, self.size, None)
        return 0

    cdef Node pop(self):
        cdef Node newest = <Node>self.entries[0].node
        cdef Py_ssize_t k = 0, child
        cdef ReadyEntry last
        Py_DECREF(newest)               # the heap's reference; `newest` has its own
        self.size -= 1
        last = self.entries[self.size]
        while True:
            child = 2 * k + 1
            if child >= self.size:
                break
            if (child + 1 < self.size
                    and self.entries[child + 1].priority > self.entries[child].priority):
                child += 1
            if last.priority >= self.entries[child].priority:
                break
            self.entries[k] = self.entries[child]
            k = child
        self.entries[k] = last
        return newest
    # docs: end


# ---- the task's view of a node

@cython.final
cdef class NodeState:
    pass


@cython.final
cdef class GraphTask:
    def __cinit__(self):
        self.ready = ReadyQueue()
        self.gradients = Gradients()

    cdef int claim(self, Node node) except -1:
        """Make the node's scratch this task's; called when its stamp is not this task's."""
        cdef NodeState state
        if node.task != 0 and node.task in _live_tasks:
            if self.elsewhere is None:
                self.elsewhere = {}
            state = NodeState()
            self.elsewhere[node] = state
            return 0
        node.task = self.number
        node.dependencies = 0
        node.needed = False
        node.in0 = None
        node.ins = None
        return 0

    cdef bint holds(self, Node node) except -1:
        """Whether this task has met the node."""
        return node.task == self.number or (self.elsewhere is not None and node in self.elsewhere)

    cdef int count_dependency(self, Node node) except -1:
        if node.task == self.number:
            node.dependencies += 1
        else:
            (<NodeState>self.elsewhere[node]).dependencies += 1
        return 0

    cdef int dependency_done(self, Node node) except -1:
        """One edge into the node has been followed; after the last it is ready."""
        cdef NodeState state
        if node.task == self.number:
            node.dependencies -= 1
            if node.dependencies == 0:
                self.ready.push(node)
        else:
            state = <NodeState>self.elsewhere[node]
            state.dependencies -= 1
            if state.dependencies == 0:
                self.ready.push(node)
        return 0

    cdef int needed(self, Node node) except -1:
        if node.task == self.number:
            return node.needed
        return (<NodeState>self.elsewhere[node]).needed

    cdef int set_needed(self, Node node, int needed) except -1:
        if node.task == self.number:
            node.needed = needed
        else:
            (<NodeState>self.elsewhere[node]).needed = needed
        return 0

    cdef int add_gradient(self, Node node, unsigned int nr, object gradient) except -1:
        cdef NodeState state
        cdef list ins
        if tracing:
            trace("add_gradient", node)
            happened("buffer", node, self.current, -1, nr, (described(gradient),), -1,
                     "first" if self.arrived(node, nr) is None else "added")
        if node.task == self.number:
            if node.num_outputs == 1:
                if node.in0 is None:
                    node.in0 = gradient
                else:
                    old = node.in0
                    node.in0 = None
                    node.in0 = accumulate_in_buffer(old, gradient, self.recording)
                return 0
            if node.ins is None:
                node.ins = [None] * node.num_outputs
            ins = node.ins
        else:
            state = <NodeState>self.elsewhere[node]
            if state.ins is None:
                state.ins = [None] * node.num_outputs
            ins = state.ins
        old = ins[nr]
        if old is not None:
            ins[nr] = None
            gradient = accumulate_in_buffer(old, gradient, self.recording)
        ins[nr] = gradient
        return 0

    cdef object arrived(self, Node node, unsigned int nr):
        """What the node's input buffer holds for one of its outputs."""
        cdef list ins = node.ins
        if node.task != self.number:
            ins = (<NodeState>self.elsewhere[node]).ins
        elif node.num_outputs == 1:
            return node.in0
        return None if ins is None else ins[nr]

    cdef int take_gradients(self, Node node) except -1:
        """Move the node's input buffer to `gradients`, and let go of its scratch."""
        cdef Gradients g = self.gradients
        cdef NodeState state
        if node.task == self.number:
            g.in0 = node.in0
            node.in0 = None
            if node.num_outputs != 1:
                g.ins = node.ins
                node.ins = None
                if g.ins is None:
                    g.ins = [None] * node.num_outputs
                g.in0 = g.ins[0]
            return 0
        state = <NodeState>self.elsewhere[node]
        g.ins = state.ins if state.ins is not None else [None] * node.num_outputs
        state.ins = None
        g.in0 = g.ins[0]
        return 0


# ---- the engine

cdef object _missing = object()
cdef tuple _REQUIRED = ("tensors", "grad_tensors", "keep_graph", "create_graph")


cdef class Engine:
    """Runs graphs backward; `Variable._execution_engine` is one.

    Any object with the same `run_backward` can take its place:
    ``Variable._execution_engine = other``. The counterpart is ``torch._C._ImperativeEngine``.
    """

    def run_backward(self, tensors=_missing, grad_tensors=_missing, keep_graph=_missing,
                     create_graph=_missing, inputs=(), allow_unreachable=False, accumulate_grad=False,
                     **unknown):
        """Run the graph of `tensors` backward.

        Parameters
        ----------
        tensors : tuple of Tensor or GradientEdge
            Where to start.
        grad_tensors : tuple of Tensor or None
            The gradient for each of them, of its shape.
        keep_graph : bool
            Keep what nodes have saved, for another backward.
        create_graph : bool
            Record the backward itself.
        inputs : tuple of Tensor or GradientEdge
            Where to end; empty: at every leaf.
        allow_unreachable : bool
            Whether an input that is not in the graph gets None instead of an error.
        accumulate_grad : bool
            Add to ``.grad``; otherwise return the gradients of `inputs`.

        Returns
        -------
        tuple of Tensor or None
            The gradients of `inputs`; empty when `accumulate_grad`.

        Raises
        ------
        RuntimeError
            Whatever is wrong with the arguments, and whatever goes wrong in a node.
        """
        required = (tensors, grad_tensors, keep_graph, create_graph)
        for position, (name, value) in enumerate(zip(_REQUIRED, required), 1):
            if value is _missing:
                raise TypeError(f"function missing required argument '{name}' (pos {position})")
        for name in unknown:
            raise TypeError(f"'{name}' is an invalid keyword argument for this function")
        return _run_backward(tensors, grad_tensors, bool(keep_graph), bool(create_graph), inputs,
                             bool(allow_unreachable), bool(accumulate_grad))

    def queue_callback(self, callback):
        """Call `callback()` when the backward that is running now has done everything else."""
        cdef GraphTask task = _current_task()
        if task is None:
            raise RuntimeError("Final callbacks can only be installed during backward pass.")
        if task.callbacks is None:
            task.callbacks = []
        task.callbacks.append(callback)

    def is_checkpoint_valid(self):
        """Whether the backward that is running now may re-run forward passes: not with `inputs=`."""
        cdef GraphTask task = _current_task()
        return task is None or not task.selective


cdef GraphTask _current_task():
    return None if minitorch_current_task == NULL else <GraphTask>minitorch_current_task


def _current_graph_task_id():
    """The number of the backward pass that this thread is in; -1 outside of one."""
    cdef GraphTask task = _current_task()
    return -1 if task is None else task.number


def _get_current_graph_task_keep_graph():
    """Whether the backward pass that this thread is in keeps what nodes have saved; True outside of one."""
    cdef GraphTask task = _current_task()
    return task is None or bool(task.keep_graph)


def _current_autograd_node():
    """The node that this thread is running, or None."""
    cdef GraphTask task = _current_task()
    return None if task is None else task.current


_register_current_node(_current_autograd_node)


def _will_engine_execute_node(node):
    """Whether the backward pass that this thread is in runs `node`."""
    cdef GraphTask task = _current_task()
    if task is None:
        raise RuntimeError("_get_should_execute_nodes should only be called during the backward pass")
    if not isinstance(node, Node):
        raise RuntimeError(
            f"_will_engine_execute_node expects an grad_fn, but got {type(node).__name__}")
    if isinstance(node, AccumulateGrad) and task.captures and node in task.captures:
        raise RuntimeError(
            "A leaf node was passed to _will_engine_execute_node but we are currently running "
            "autograd.grad(). This is currently not supported.")
    if task.executed is None:
        task.executed = _nodes_to_execute(task)
    return node in task.executed


cdef set _nodes_to_execute(GraphTask task):
    """All nodes that can be reached from the roots and, under `inputs=`, from which one of those can."""
    cdef Node node, function
    cdef unsigned int k, nr
    cdef set met = set(task.roots)
    cdef list stack = list(met)
    cdef dict callers = {}
    while stack:
        node = <Node>stack.pop()
        for k in range(node.num_edges):
            function = node.next_function(k, &nr)
            if function is not None:
                callers.setdefault(function, []).append(node)
                if function not in met:
                    met.add(function)
                    stack.append(function)
    if not task.selective:
        return met
    stack = [node for node in met if node in task.targets]
    met = set(stack)
    while stack:
        for caller in callers.get(stack.pop(), ()):
            if caller not in met:
                met.add(caller)
                stack.append(caller)
    return met


# docs: step 4, roots
cdef tuple _run_backward(tensors, grad_tensors, bint keep_graph, bint create_graph, inputs,
                         bint allow_unreachable, bint accumulate_grad):
    roots, ends = unpack_arguments(tensors, grad_tensors, inputs, accumulate_grad)
    cdef bint recording = create_graph or any_level or needs_tensors(tensors) or needs_tensors(grad_tensors)
    if minitorch_depth >= MAX_DEPTH:
        return _execute_on_a_new_thread(
            roots, keep_graph, create_graph, recording, ends, allow_unreachable, accumulate_grad)
    return execute(roots, keep_graph, create_graph, recording, ends, allow_unreachable, accumulate_grad)


cdef tuple unpack_arguments(tensors, grad_tensors, inputs, bint accumulate_grad):
    cdef list roots = []                 # of (node, output number, gradient)
    cdef list ends = []                  # of (node, output number, tensor)
    cdef Node function
    cdef unsigned int nr
    if not isinstance(tensors, tuple):
        raise RuntimeError(
            f"tensors argument is expected to be a tuple, but got {type(tensors).__name__}")
    if not isinstance(grad_tensors, tuple):
        raise RuntimeError(
            f"grad_tensors argument is expected to be a tuple, but got {type(grad_tensors).__name__}")
    if len(tensors) != len(grad_tensors):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(grad_tensors)} gradients")
    for k, tensor in enumerate(tensors):
        function = _edge_of(tensor, &nr)
        if function is None:
            if not _is_edge_like(tensor):
                raise RuntimeError(
                    f"element {k} of tensors tuple is neither a Tensor nor a GradientEdge")
            raise RuntimeError(
                f"element {k} of tensors does not require grad and does not have a grad_fn")
        gradient = grad_tensors[k]
        if isinstance(gradient, TensorBase):
            pass
        elif gradient is not None:
            raise RuntimeError(f"element {k} of gradients tuple is not a Tensor or None")
        elif isinstance(tensor, TensorBase):
            raise RuntimeError(f"element {k} of gradients tuple is None, but the corresponding Tensor "
                               "requires grad")
        roots.append((function, nr, gradient))
    if not isinstance(inputs, tuple):
        raise RuntimeError("inputs to run_backward must be a tuple")
    for tensor in inputs:
        function = _edge_of(tensor, &nr)
        if not _is_edge_like(tensor):
            raise RuntimeError(
                f"all inputs have to be Tensors or GradientEdges, but got {type(tensor).__name__}")
        if function is None:
            # a view that was made while nothing was recorded requires grad, and nothing leads to it
            if not isinstance(tensor, TensorBase) or not requires_grad(<TensorBase>tensor):
                raise RuntimeError(
                    "can't retain_grad on Tensor that has requires_grad=False" if accumulate_grad
                    else "One of the differentiated Tensors does not require grad")
            function = recorded_operators().new_accumulate_grad(<TensorBase>tensor)
        ends.append((function, nr, tensor))
    if not accumulate_grad and not inputs:
        raise RuntimeError("grad requires non-empty inputs.")
    return roots, ends
# docs: end


cdef bint _is_edge_like(object tensor) except -1:
    # a GradientEdge is a named tuple (node, output_nr, ...)
    return isinstance(tensor, TensorBase) or (
        isinstance(tensor, tuple) and len(tensor) >= 2 and isinstance(tensor[0], Node))


cdef Node _edge_of(object tensor, unsigned int* nr):
    nr[0] = 0
    if isinstance(tensor, TensorBase):
        return gradient_edge(<TensorBase>tensor, nr)
    if _is_edge_like(tensor):
        nr[0] = tensor[1]
        return <Node>tensor[0]
    return None


cdef tuple _execute_on_a_new_thread(roots, keep_graph, create_graph, recording, ends, allow_unreachable,
                                    accumulate_grad):
    """For a backward deep inside others: neither Python's nor the processor's stack overflows."""
    cdef GraphTask outer = _current_task()
    cdef bint mode = grad_enabled()
    outcome = []

    def run():
        global minitorch_current_task
        minitorch_current_task = <PyObject*>outer
        set_grad_enabled(mode)
        try:
            outcome.append(execute(roots, keep_graph, create_graph, recording, ends, allow_unreachable,
                                   accumulate_grad))
        except BaseException as error:
            outcome.append(error)
        finally:
            minitorch_current_task = NULL

    thread = threading.Thread(target=run, name="backward", daemon=True)
    thread.start()
    thread.join()
    result = outcome.pop()
    if isinstance(result, BaseException):
        raise result
    return result


# docs: step 4, execute
cdef tuple execute(list roots, bint keep_graph, bint create_graph, bint recording, list ends,
                   bint allow_unreachable, bint accumulate_grad):
    global _last_task, minitorch_current_task, minitorch_depth
    cdef GraphTask task = GraphTask.__new__(GraphTask)
    cdef Node function
    cdef unsigned int nr
    cdef bint previous_mode = grad_enabled()
    if tracing:
        trace("execute", None)
    _last_task += 1
    task.number = task.gradients.task = _last_task
    task.keep_graph = keep_graph
    task.roots = [function for function, _, _ in roots]
    task.recording = task.gradients.recording = recording
    task.outer = _current_task()
    _live_tasks.add(task.number)
    minitorch_current_task = <PyObject*>task
    minitorch_depth += 1
    set_grad_enabled(create_graph)
    try:
        gradients = [root_gradient(function, nr, gradient, task.recording, k)
                     for k, (function, nr, gradient) in enumerate(roots)]
        for k, (function, nr, _) in enumerate(roots):
            if tracing:
                happened("root", function, None, -1, nr, (described(gradients[k]),), -1, None)
            compute_dependencies(task, function)
        if ends:
            _select(task, roots, ends, accumulate_grad)
        for k in range(len(roots)):
            function, nr, _ = roots[k]
            if gradients[k] is not None:
                task.add_gradient(function, nr, gradients[k])
        gradients = None
        for function, _, _ in roots:
            task.dependency_done(function)
        try:
            thread_main(task)
        except Exception as error:
            _explain(task, error)
            raise
        if task.callbacks is not None:
            for callback in task.callbacks:     # a callback may queue another one
                callback()
        return _results(task, ends, allow_unreachable, accumulate_grad)
    finally:
        set_grad_enabled(previous_mode)
        minitorch_depth -= 1
        _live_tasks.discard(task.number)
        minitorch_current_task = NULL if task.outer is None else <PyObject*>task.outer
# docs: end


cdef int _explain(GraphTask task, error) except -1:
    """Say in the exception's notes which node it was."""
    if task.current is not None:
        error.add_note(f"The backward pass was at {task.current.name()} "
                       f"(sequence number {task.current._sequence_nr()}).")
        line = origin_of(task.current)
        if line is not None:
            error.add_note(f"It was recorded at {line}")
        if anomaly_enabled:
            warn_of_error(task.current)
    return 0


cdef object root_gradient(Node function, unsigned int nr, object gradient, bint recording,
                          Py_ssize_t k):
    if gradient is None:
        return None
    gradient = gradient if recording else (<TensorBase>gradient).impl
    return fit(output_metadata(function, nr), gradient, recording, None, k)


# docs: step 5
cdef int compute_dependencies(GraphTask task, Node root) except -1:
    """Count the edges into every node that can be reached from the root, and one for the root."""
    cdef PyObject** stack = NULL         # borrowed: the graph below the root is held by it
    cdef Py_ssize_t size = 0, capacity = 0
    cdef unsigned int k, nr
    cdef Node node, function
    if tracing:
        trace("compute_dependencies", root)
    if not task.holds(root):
        task.claim(root)
        stack = _push(stack, &size, &capacity, root)
    task.count_dependency(root)
    if tracing:
        _tell_dependency(task, root, None, -1, -1)
    try:
        while size:
            size -= 1
            node = <Node>stack[size]
            for k in range(node.num_edges):
                function = node.next_function(k, &nr)
                if function is None:
                    continue
                if function.task == task.number:
                    function.dependencies += 1
                else:
                    if not task.holds(function):
                        task.claim(function)
                        stack = _push(stack, &size, &capacity, function)
                    task.count_dependency(function)
                if tracing:
                    _tell_dependency(task, function, node, k, nr)
    finally:
        free(stack)
    return 0
# docs: end


cdef int _tell_dependency(GraphTask task, Node node, Node source, int edge, int output_nr) except -1:
    cdef int count = (node.dependencies if node.task == task.number
                      else (<NodeState>task.elsewhere[node]).dependencies)
    return happened("dependency", node, source, edge, output_nr, None, count, None)


cdef PyObject** _push(PyObject** stack, Py_ssize_t* size, Py_ssize_t* capacity, Node node) except NULL:
    cdef PyObject** grown = stack
    if size[0] == capacity[0]:
        capacity[0] = max(256, 2 * capacity[0])
        grown = <PyObject**>realloc(stack, capacity[0] * sizeof(PyObject*))
        if grown == NULL:
            raise MemoryError
    grown[size[0]] = <PyObject*>node
    size[0] += 1
    return grown


# docs: step 6, thread_main
cdef int thread_main(GraphTask task) except -1:
    """Evaluate ready nodes, the newest first, until none is left."""
    cdef Py_ssize_t count = 0
    cdef Node node
    if tracing:
        trace("thread_main", None)
    while task.ready.size:
        node = task.ready.pop()
        if tracing:
            happened("pop", node, None, -1, -1, None, task.ready.size, None)
        evaluate_function(task, node)
        count += 1
        if count & 1023 == 0:
            PyErr_CheckSignals()
    return 0
# docs: end


# docs: step 7
cdef int evaluate_function(GraphTask task, Node node) except -1:
    """Run one node and hand its gradients on."""
    cdef Gradients g = task.gradients
    cdef unsigned int k, nr
    cdef Node function
    cdef bint runs
    if tracing:
        trace("evaluate_function", node)
    task.take_gradients(node)
    if task.selective:
        runs = _runs(task, node)
        if runs:                # PyTorch's order: only where the way ends, hooks come before
            _capture(task, node)
        task.current = node
        if node.hooks is not None:
            call_tensor_pre_hooks(node, g)
        if not runs:
            _capture(task, node)
            if tracing:
                happened("skip", node, None, -1, -1, None, -1, None)
            return _forget(task, node)
    else:
        task.current = node
        if node.hooks is not None:
            call_tensor_pre_hooks(node, g)
    call_function(task, node)
    if not task.keep_graph:
        if tracing:
            happened("free", node, None, -1, -1, None, -1, None)
        node.release_variables()
    if anomaly_enabled and check_nan:
        _check_nan(node, g)
    for k in range(node.num_edges):
        function = node.next_function(k, &nr)
        if function is None or (task.selective and not g.wants(function)):
            continue
        gradient = g.get(k)
        if gradient is not None:
            task.add_gradient(function, nr, gradient)
        task.dependency_done(function)
    return _forget(task, node)


cdef int call_function(GraphTask task, Node node) except -1:
    """Apply the node to the gradients in `task.gradients`, with its hooks."""
    cdef Gradients g = task.gradients
    if tracing:
        trace("call_function", node)
    grad_outputs = None
    if node.hooks is not None:
        call_pre_hooks(node, g)
        grad_outputs = grad_outputs_for_post_hooks(node, g)
    if tracing:
        trace("apply", node)
        happened("apply", node, None, -1, -1, _described_inputs(node, g), -1, None)
    node.apply(g)
    validate_outputs(task, node)
    if grad_outputs is not None:
        call_post_hooks(node, g, grad_outputs)
    return 0


cdef int validate_outputs(GraphTask task, Node node) except -1:
    """Give each gradient the shape and dtype of the input it belongs to, or say that it cannot be."""
    cdef Gradients g = task.gradients
    cdef OutputMetadata* metadata
    cdef unsigned int k, nr
    cdef Node function
    if tracing:
        trace("validate_outputs", node)
    for k in range(node.num_edges):
        gradient = g.get(k)
        if gradient is None:
            continue
        function = node.next_function(k, &nr)
        if function is None:
            continue
        metadata = output_metadata(function, nr)
        if (task.recording or metadata.geometry != (<TensorImpl>gradient).geometry
                or metadata.dtype != (<TensorImpl>gradient).dtype):
            g.set(k, fit(metadata, gradient, task.recording, node, k))
        if tracing:
            happened("validate", function, node, k, nr, (described(gradient), described(g.get(k))), -1,
                     None)
    return 0
# docs: end


cdef tuple _described_inputs(Node node, Gradients g):
    if node.num_outputs == 1:
        return (described(g.in0),)
    return tuple([described(gradient) for gradient in g.ins]) if g.ins is not None else ()


cdef int _check_nan(Node node, Gradients g) except -1:
    """Anomaly mode: an error if the node has made a NaN."""
    cdef unsigned int k
    for k in range(node.num_edges):
        gradient = g.get(k)
        if gradient is not None:
            tensor = (gradient.detach() if g.recording else make_tensor(<TensorImpl>gradient))
            if bool((tensor != tensor).any()):
                raise RuntimeError(f"Function '{node.name()}' returned nan values in its {k}th output.")
    return 0


cdef int _forget(GraphTask task, Node node) except -1:
    """The node is done: drop what went through it."""
    cdef Gradients g = task.gradients
    g.in0 = g.ins = g.out0 = g.out1 = g.out2 = g.outs = None
    if node.task == task.number:
        node.task = 0
    return 0


# ---- inputs=

cdef enum:
    UNKNOWN = 0
    NEEDED = 1
    NOT_NEEDED = 2

cdef struct Visit:
    PyObject* node                       # borrowed
    unsigned int next_edge
    bint needed


cdef int _select(GraphTask task, list roots, list ends, bint accumulate_grad) except -1:
    """Mark the nodes that lead to `ends`, and note where gradients are to be captured."""
    cdef Node function
    cdef unsigned int nr
    task.selective = task.gradients.selective = True
    task.captured = [None] * len(ends)
    task.captures = {}
    task.targets = set()
    for k, (function, nr, tensor) in enumerate(ends):
        task.targets.add(function)
        if not accumulate_grad:
            task.captures.setdefault(function, []).append((nr, k))
        elif isinstance(tensor, TensorBase) and not isinstance(function, AccumulateGrad):
            retain_grad(<TensorBase>tensor)
    task.gradients.elsewhere = task.elsewhere
    for function, _, _ in roots:
        _mark_needed(task, function)
    return 0


cdef int _mark_needed(GraphTask task, Node root) except -1:
    """Depth first, children before parents."""
    cdef Visit* stack = <Visit*>malloc(256 * sizeof(Visit))
    cdef Visit* grown
    cdef Visit* top
    cdef Py_ssize_t size = 0, capacity = 256
    cdef Node node, function
    cdef unsigned int nr
    cdef int known
    if stack == NULL:
        raise MemoryError
    if task.needed(root) != UNKNOWN:
        free(stack)
        return 0
    stack[0].node = <PyObject*>root
    stack[0].next_edge = 0
    stack[0].needed = root in task.targets
    size = 1
    try:
        while size:
            top = &stack[size - 1]
            node = <Node>top.node
            if top.next_edge == node.num_edges:
                task.set_needed(node, NEEDED if top.needed else NOT_NEEDED)
                size -= 1
                if size and (<bint>stack[size].needed):
                    stack[size - 1].needed = True
                continue
            function = node.next_function(top.next_edge, &nr)
            top.next_edge += 1
            if function is None:
                continue
            known = task.needed(function)
            if known == NEEDED:
                top.needed = True
            elif known == UNKNOWN:
                if size == capacity:
                    capacity *= 2
                    grown = <Visit*>realloc(stack, capacity * sizeof(Visit))
                    if grown == NULL:
                        raise MemoryError
                    stack = grown
                stack[size].node = <PyObject*>function
                stack[size].next_edge = 0
                stack[size].needed = function in task.targets
                size += 1
    finally:
        free(stack)
    return 0


cdef bint _runs(GraphTask task, Node node) except -1:
    """Under `inputs=`: whether the node is applied, and not only looked at for its gradient."""
    cdef Gradients g = task.gradients
    cdef unsigned int k, nr
    cdef Node function
    if isinstance(node, AccumulateGrad):
        return node in task.targets and node not in task.captures
    for k in range(node.num_edges):
        function = node.next_function(k, &nr)
        if function is not None and g.wants(function):
            return True
    return False


cdef int _capture(GraphTask task, Node node) except -1:
    cdef Gradients g = task.gradients
    places = task.captures.get(node)
    if places is not None:
        for nr, k in places:
            task.captured[k] = g.in0 if node.num_outputs == 1 else g.ins[nr]
            if tracing:
                happened("capture", node, None, -1, nr, (described(task.captured[k]),), k, None)
    return 0


cdef tuple _results(GraphTask task, list ends, bint allow_unreachable, bint accumulate_grad):
    cdef list results = []
    if accumulate_grad:
        return ()
    for k, gradient in enumerate(task.captured):
        if gradient is None:
            if not allow_unreachable:
                raise RuntimeError(
                    f"The differentiated Tensor at index {k} appears to not have been used in the graph. "
                    "Set allow_unused=True if this is the desired behavior.")
            results.append(None)
        else:
            results.append(gradient if task.recording else make_tensor(<TensorImpl>gradient))
    return tuple(results)
