"""The engine: `run_backward` and the loop behind it.

The story, in the order of the file: a `GraphTask` is made for the call (step 4), the edges into each
node are counted (5), then the newest node whose edges have all been followed is taken from the
`ReadyQueue` (6) and evaluated (7): hooks, `apply`, hooks, each gradient checked and summed to the
shape of the input it belongs to, and added to the buffer of the next node (9). The task and its queue
stand in `graph_task.pyx`, what `inputs=` changes in `exec_info.pyx`.

Note [Who needs Tensors]
Between two nodes of an ordinary backward there are only TensorImpls. It runs on Tensors where it is recorded, where
a mode or a transform looks at operators, and where a gradient may be more than its memory: of a class with
__torch_dispatch__, sparse, lazily conjugated. Of these the nodes know (`Node.special`: a tensor of the kind was an
operand, or Python gives the gradients); the graph is asked only while there is one of them anywhere.

Note [No recursion]
Every walk over the graph has a stack or a heap of its own, so its depth is bounded by memory alone.
"""

import threading

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from cpython.number cimport PyNumber_Index
from cpython.object cimport PyObject
from libc.stdlib cimport free, realloc

from minitorch.autograd.accumulate_grad cimport AccumulateGrad
from minitorch.autograd.forward_grad cimport any_level
from minitorch.autograd.grad_mode cimport grad_enabled, set_grad_enabled
from minitorch.autograd.anomaly cimport anomaly_enabled, check_nan, origin_of, warn_of_error
from minitorch.autograd.events cimport described, happened, show_inputs, showing_inputs, trace, tracing
from minitorch.autograd.exec_info cimport (
    capture, execution_order, init_to_execute, nodes_to_execute, should_execute)
from minitorch.autograd.fit cimport fit
from minitorch.autograd.graph_task cimport GraphTask, NodeState, live_tasks
from minitorch.autograd.hooks cimport (
    call_post_hooks, call_pre_hooks, call_tensor_pre_hooks, grad_outputs_for_post_hooks)
from minitorch.autograd.saved_variable cimport hooks_of_thread, restore_hooks
from minitorch.autograd.special cimport interposers, is_special, needs_tensors, special_gradients
from minitorch.autograd.node cimport Gradients, Node, OutputMetadata, output_metadata
from minitorch.autograd.variable cimport (
    TensorBase, gradient_edge, make_tensor, recorded_operators, requires_grad)
from minitorch.core.tensor_impl cimport TensorImpl

from minitorch.autograd.anomaly import _register_current_node
from minitorch.autograd.grad_mode import is_multithreading_enabled
from minitorch.autograd.levels import refuse_accumulation, refuse_sample
from minitorch.core.once import warn_once

cdef extern from "Python.h":
    Py_ssize_t Py_REFCNT(object op)

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
cdef object _missing = object()
cdef tuple _REQUIRED = ("tensors", "grad_tensors", "keep_graph", "create_graph")


cdef int _refuse_arguments(tuple required, dict unknown) except -1:
    for position, (name, value) in enumerate(zip(_REQUIRED, required), 1):
        if value is _missing:
            raise TypeError(f"function missing required argument '{name}' (pos {position})")
    for name in unknown:
        raise TypeError(f"'{name}' is an invalid keyword argument for this function")
    return 0


cpdef bint read_flag(object value) except -1:
    """A flag is what PyTorch reads as one byte: a bool, or a number from 0 to 255."""
    if value is True or value is False:
        return value is True
    number = PyNumber_Index(value)
    if number < 0:
        raise OverflowError("unsigned byte integer is less than minimum")
    if number > 255:
        raise OverflowError("unsigned byte integer is greater than maximum")
    return number != 0


@cython.binding(False)
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
        if (tensors is _missing or grad_tensors is _missing or keep_graph is _missing
                or create_graph is _missing or unknown):
            _refuse_arguments((tensors, grad_tensors, keep_graph, create_graph), unknown)
        return _run_backward(tensors, grad_tensors, read_flag(keep_graph), read_flag(create_graph),
                             inputs, read_flag(allow_unreachable), read_flag(accumulate_grad))

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
    """Whether the backward pass that this thread is in runs `node`, which it says of no single root, as PyTorch."""
    cdef GraphTask task = _current_task()
    if not isinstance(node, Node):
        raise RuntimeError(
            f"_will_engine_execute_node expects an grad_fn, but got {type(node).__name__}")
    if task is None:
        raise RuntimeError("_get_should_execute_nodes should only be called during the backward pass")
    if task.executed is None:
        task.executed = nodes_to_execute(task)
    if node not in task.executed or len(task.roots) == 1 and node is task.roots[0]:
        return False
    if isinstance(node, AccumulateGrad) and task.captures and node in task.captures:
        raise RuntimeError(
            "A leaf node was passed to _will_engine_execute_node but we are currently running "
            "autograd.grad(). This is currently not supported.")
    return True


def _current_graph_task_execution_order():
    """The nodes that the backward pass that this thread is in runs, in order.

    Asked for by a hook of the root, before anything is run, it tells what will be. Multithreading must have
    been switched off, for which alone PyTorch knows an order.
    """
    cdef GraphTask task = _current_task()
    if task is None:
        raise RuntimeError("_current_graph_task_execution_order should only be called during the backward pass")
    if is_multithreading_enabled():
        raise RuntimeError(
            "get_current_graph_task_execution_order expects the current backward to be executed with "
            "multithreading disabled, e.g. by running:\n\n"
            ">>> with torch.autograd.set_multithreading_enabled(False):\n...     torch.autograd.grad(...)\n")
    return execution_order(task)


cdef str _CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter and its "
    "gradient which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid "
    "this. If you have to use this function, make sure to reset the .grad fields of your parameters to None "
    "after use to break the cycle and avoid the leak.")         # PyTorch's; here the collector does free it


# docs: step 4, roots
cdef tuple _run_backward(tensors, grad_tensors, bint keep_graph, bint create_graph, inputs,
                         bint allow_unreachable, bint accumulate_grad):
    if accumulate_grad and interposers:
        refuse_accumulation()
    roots, ends = unpack_arguments(tensors, grad_tensors, inputs, accumulate_grad)
    cdef bint recording = (create_graph or any_level or needs_tensors(tensors) or needs_tensors(grad_tensors)
                           or special_gradients and leads_to_special(roots))
    try:
        if minitorch_depth >= MAX_DEPTH:
            return _execute_on_a_new_thread(
                roots, keep_graph, create_graph, recording, ends, allow_unreachable, accumulate_grad)
        return execute(roots, keep_graph, create_graph, recording, ends, allow_unreachable, accumulate_grad)
    finally:
        if accumulate_grad and create_graph:
            warn_once(_CYCLE)


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
            refuse_sample(tensor, "output", k)
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
    for k, tensor in enumerate(inputs):
        function = _edge_of(tensor, &nr)
        if not _is_edge_like(tensor):
            raise RuntimeError(
                f"all inputs have to be Tensors or GradientEdges, but got {type(tensor).__name__}")
        if function is None:
            # a view that was made while nothing was recorded requires grad, and nothing leads to it
            if not requires_grad(<TensorBase>tensor):
                refuse_sample(tensor, "input", k)
                raise RuntimeError(
                    "can't retain_grad on Tensor that has requires_grad=False" if accumulate_grad
                    else "One of the differentiated Tensors does not require grad")
            function = recorded_operators().new_accumulate_grad(<TensorBase>tensor)
        ends.append((function, nr, tensor))
    if not accumulate_grad and not inputs:
        raise RuntimeError("grad requires non-empty inputs.")
    return roots, ends
# docs: end


cdef bint leads_to_special(list roots) except -1:
    """Whether some node of the graph may give, or be given, a gradient that is no ordinary tensor."""
    cdef set seen = set()
    cdef list stack = [function for function, _, _ in roots]
    cdef Node node
    cdef unsigned int k, nr
    while stack:
        node = stack.pop()
        if node is None:
            continue
        if Py_REFCNT(node) > 2:         # held by more than one edge and `node`, so that it may be met again
            if node in seen:
                continue
            seen.add(node)
        if node.special or node.hooks is not None or node.packed is not None or _is_special_leaf(node):
            return True
        for k in range(node.num_edges):
            stack.append(node.next_function(k, &nr))
    return False


def _runs_on_tensors(*tensors):
    """Whether an ordinary backward from these would run on Tensors: for tests."""
    roots = unpack_arguments(tensors, tensors, (), True)[0]
    return bool(needs_tensors(tensors) or special_gradients and leads_to_special(roots))


cdef bint _is_special_leaf(Node node) except -1:
    cdef TensorBase leaf
    if not isinstance(node, AccumulateGrad):
        return False
    leaf = (<AccumulateGrad>node).variable
    return is_special(leaf) or leaf is not None and is_special(leaf._grad)


cdef object _edge_class = ()             # GradientEdge, a named tuple (node, output_nr, ...); of graph.py


def _register_edge_class(edge_class):
    global _edge_class
    _edge_class = edge_class


cdef bint _is_edge_like(object tensor) except -1:
    return isinstance(tensor, (TensorBase, _edge_class))


cdef Node _edge_of(object tensor, unsigned int* nr):
    nr[0] = 0
    if isinstance(tensor, TensorBase):
        return gradient_edge(<TensorBase>tensor, nr)
    if not isinstance(tensor, _edge_class):
        return None
    nr[0] = PyNumber_Index(tensor[1])
    if not isinstance(tensor[0], Node):
        raise RuntimeError("GradientEdge's first object must be an autograd.graph.Node but got "
                           f"{type(tensor[0]).__name__}")
    return <Node>tensor[0]


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
    cdef list previous_hooks = hooks_of_thread()
    if tracing:
        trace("execute", None)
    _last_task += 1
    task.number = task.gradients.task = _last_task
    task.keep_graph = keep_graph
    task.roots = [function for function, _, _ in roots]
    task.recording = task.gradients.recording = recording
    task.outer = _current_task()
    live_tasks.add(task.number)
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
            init_to_execute(task, roots, ends, accumulate_grad)
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
        restore_hooks(previous_hooks)
        minitorch_depth -= 1
        live_tasks.discard(task.number)
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
    if task.count_dependency(root):
        stack = _push(stack, &size, &capacity, root)
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
                if task.count_dependency(function):
                    stack = _push(stack, &size, &capacity, function)
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
    cdef bint applied
    if tracing:
        trace("evaluate_function", node)
    task.take_gradients(node)
    if task.selective:
        applied = should_execute(task, node)
        if applied:             # PyTorch's order: only where the way ends, hooks come before
            capture(task, node)
        task.current = node
        if node.hooks is not None:
            call_tensor_pre_hooks(node, g)
        if not applied:
            capture(task, node)
            if tracing:
                happened("skip", node, None, -1, -1, None, -1, None)
            return forget(task, node)
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
            g.set(k, None)      # the buffer alone holds it from now on, and may add to it in place
            task.add_gradient(function, nr, gradient)
        task.dependency_done(function)
    return forget(task, node)


cdef int call_function(GraphTask task, Node node) except -1:
    """Apply the node to the gradients in `task.gradients`, with its hooks."""
    cdef Gradients g = task.gradients
    if tracing:
        trace("call_function", node)
    grad_outputs = None
    if node.hooks is not None:
        call_pre_hooks(node, g)
        grad_outputs = grad_outputs_for_post_hooks(node, g)
    if showing_inputs:
        show_inputs(node, _inputs_as_tensors(node, g))
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


cdef list _inputs_as_tensors(Node node, Gradients g):
    cdef list given = [g.in0] if node.num_outputs == 1 else g.ins or []
    return [make_tensor(<TensorImpl>gradient) if isinstance(gradient, TensorImpl) else gradient for gradient in given]


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


cdef int forget(GraphTask task, Node node) except -1:
    """The node is done: drop what went through it."""
    cdef Gradients g = task.gradients
    if tracing:
        trace("forget", node)
    g.clear()
    if node.task == task.number:
        node.task = 0
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
