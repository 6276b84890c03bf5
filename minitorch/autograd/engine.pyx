"""The engine: `run_backward` and the loop behind it.

The file follows one backward pass from start to end:

- Step 4: `_run_backward` looks up where in the graph the arguments point, and `execute` makes a `GraphTask`.
- Step 5: `compute_dependencies` counts the edges that lead into each node.
- Step 6: a node is ready once all edges into it have been followed. `thread_main` takes the ready node with the
  largest sequence number, the one recorded last, from the `ReadyQueue`, again and again until the queue is empty.
- Step 7: `evaluate_function` calls the node's hooks and its `apply`. `validate_outputs` checks each gradient and
  sums it to the shape of the input it belongs to.
- Step 9: each gradient is added to the input buffer of the next node.

`roots.pyx` reads the arguments, `graph_task.pyx` has the task and its queue, and `exec_info.pyx` decides which
nodes run when `inputs=` is given.

Note [No recursion]
Every walk over the graph uses its own stack or heap, so only memory limits the depth of a graph.
"""

import threading

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from cpython.number cimport PyNumber_Index
from cpython.object cimport PyObject
from libc.stdlib cimport free, realloc

from minitorch.autograd.anomaly cimport anomaly_enabled, check_nan, origin_of, warn_of_error
from minitorch.autograd.current_task cimport current_task, set_current_task
from minitorch.autograd.events cimport (
    applied, dependency_counted, entered, freed, inputs_as_tensors, popped, rooted, skipped, validated)
from minitorch.autograd.exec_info cimport capture, init_to_execute, should_execute
from minitorch.autograd.fit cimport fit
from minitorch.autograd.grad_mode cimport grad_enabled, set_grad_enabled
from minitorch.autograd.graph_task cimport GraphTask, live_tasks
from minitorch.autograd.hooks cimport (
    call_post_hooks, call_pre_hooks, call_tensor_pre_hooks, grad_outputs_for_post_hooks)
from minitorch.autograd.node cimport Gradients, Node, OutputMetadata, output_metadata
from minitorch.autograd.roots cimport leads_to_special, root_gradient, unpack_arguments
from minitorch.autograd.saved_tensor_hooks cimport hooks_of_thread, restore_hooks
from minitorch.autograd.special cimport any_level, needs_tensors, special_gradients
from minitorch.autograd.variable cimport TensorBase, make_tensor
from minitorch.core.address_table cimport insert, take_out
from minitorch.core.tensor_impl cimport TensorImpl

from minitorch.core.error_pages import add_note, explained
from minitorch.core.once import warn_once

cdef extern from *:
    """
    static _Thread_local int minitorch_depth = 0;
    """
    int minitorch_depth                 # how many calls of `execute` this thread is in

cdef enum:
    MAX_DEPTH = 60                      # a backward inside this many others runs on a thread of its own

cdef unsigned long _last_task = 0
cdef object _missing = object()
cdef tuple _REQUIRED = ("tensors", "grad_tensors", "keep_graph", "create_graph")


cdef int _reject_arguments(tuple required, dict unknown) except -1:
    """Raise TypeError for the first missing argument, or for the first unknown one."""
    for position, (name, value) in enumerate(zip(_REQUIRED, required), 1):
        if value is _missing:
            raise TypeError(f"function missing required argument '{name}' (pos {position})")
    for name in unknown:
        raise TypeError(f"'{name}' is an invalid keyword argument for this function")
    return 0


cpdef bint read_flag(object value) except -1:
    """Convert a flag as PyTorch does, which reads it as one byte: a bool, or an integer from 0 to 255."""
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
    """The compiled engine, which runs graphs backward; `Variable._execution_engine` is an instance.

    Any object with the same `run_backward` can replace it: ``Variable._execution_engine = other``.
    PyTorch's counterpart is ``torch._C._ImperativeEngine``.
    """

    def run_backward(self, tensors=_missing, grad_tensors=_missing, keep_graph=_missing,
                     create_graph=_missing, inputs=(), allow_unreachable=False, accumulate_grad=False,
                     **unknown):
        """Run the graph of `tensors` backward.

        Parameters
        ----------
        tensors : tuple of Tensor or GradientEdge
            The roots: where the backward pass starts.
        grad_tensors : tuple of Tensor or None
            The gradient of each root, of its shape. None is an error: `backward` and `grad` make the default gradient.
        keep_graph : bool
            Keep the tensors that nodes have saved, so that the graph can be run backward again.
        create_graph : bool
            Record the backward pass itself, so that its results can be differentiated.
        inputs : tuple of Tensor or GradientEdge
            Where the backward pass ends. If empty, it ends at every leaf.
        allow_unreachable : bool
            Return None for an input that no gradient reaches, instead of raising.
        accumulate_grad : bool
            Add gradients to ``.grad``, instead of returning those of `inputs`.

        Returns
        -------
        tuple of (Tensor or None), or None
            The gradients of `inputs`; None if `accumulate_grad` is set.

        Raises
        ------
        RuntimeError
            If an argument is invalid, or a node fails in a way that it reports by RuntimeError.
        """
        if (tensors is _missing or grad_tensors is _missing or keep_graph is _missing
                or create_graph is _missing or unknown):
            _reject_arguments((tensors, grad_tensors, keep_graph, create_graph), unknown)
        return _run_backward(tensors, grad_tensors, read_flag(keep_graph), read_flag(create_graph),
                             inputs, read_flag(allow_unreachable), read_flag(accumulate_grad))

    def queue_callback(self, callback):
        """Call `callback()` at the end of the current backward pass, once all its nodes have run."""
        cdef GraphTask task = current_task()
        if task is None:
            raise RuntimeError("Final callbacks can only be installed during backward pass.")
        if task.callbacks is None:
            task.callbacks = []
        task.callbacks.append(callback)

    def is_checkpoint_valid(self):
        """Return whether checkpoints may re-run their forward pass now: not in a backward with `inputs=`."""
        cdef GraphTask task = current_task()
        return task is None or not task.selective


cdef str _CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter and its "
    "gradient which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid "
    "this. If you have to use this function, make sure to reset the .grad fields of your parameters to None "
    "after use to break the cycle and avoid the leak.")         # PyTorch's text; here the collector frees the cycle


# docs: step 4, run_backward
cdef object _run_backward(tensors, grad_tensors, bint keep_graph, bint create_graph, inputs,
                          bint allow_unreachable, bint accumulate_grad):
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
# docs: end


cdef object _execute_on_a_new_thread(roots, keep_graph, create_graph, recording, ends, allow_unreachable,
                                     accumulate_grad):
    """Run a deeply nested backward on a new thread, so that neither Python's nor the C stack overflows."""
    cdef GraphTask outer = current_task()
    cdef bint mode = grad_enabled()
    outcome = []

    def run():
        set_current_task(outer)
        set_grad_enabled(mode)
        try:
            outcome.append(execute(roots, keep_graph, create_graph, recording, ends, allow_unreachable,
                                   accumulate_grad))
        except BaseException as error:
            outcome.append(error)
        finally:
            set_current_task(None)

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
    global _last_task, minitorch_depth
    cdef GraphTask task = GraphTask.__new__(GraphTask)
    cdef Node function
    cdef unsigned int nr
    cdef bint previous_mode = grad_enabled()
    cdef list previous_hooks = hooks_of_thread()
    entered("execute", None)
    _last_task += 1
    task.number = task.gradients.task = _last_task
    task.keep_graph = keep_graph
    task.roots = [function for function, _, _ in roots]
    task.recording = task.gradients.recording = recording
    task.outer = current_task()
    insert(&live_tasks, task.number, <void*>task)
    set_current_task(task)
    minitorch_depth += 1
    set_grad_enabled(create_graph)
    try:
        gradients = [root_gradient(function, nr, gradient, task.recording, k)
                     for k, (function, nr, gradient) in enumerate(roots)]
        for k, (function, nr, _) in enumerate(roots):
            rooted(function, nr, gradients[k])
            compute_dependencies(task, function)
        if ends:
            init_to_execute(task, roots, ends, accumulate_grad)
        for k in range(len(roots)):
            function, nr, _ = roots[k]
            task.add_gradient(function, nr, gradients[k])
        gradients = None        # from here on, only the buffers hold gradients that `root_gradient` has made
        for function, _, _ in roots:
            task.dependency_done(function)
        try:
            thread_main(task)
        except Exception as error:
            _add_failed_node(task, error)
            raise
        if task.callbacks is not None:
            for callback in task.callbacks:     # a callback may queue another one
                callback()
        return _results(task, ends, allow_unreachable, accumulate_grad)
    finally:
        # Nothing here may fail: the thread's pointer to the task is borrowed and must not outlive it.
        set_current_task(task.outer)
        take_out(&live_tasks, task.number)
        minitorch_depth -= 1
        set_grad_enabled(previous_mode)
        restore_hooks(previous_hooks)
# docs: end


cdef int _add_failed_node(GraphTask task, error) except -1:
    """Add to the exception's notes which node failed, and where it was recorded if that is known."""
    if task.current is not None:
        add_note(error, f"The backward pass was at {task.current.name()}.")
        line = origin_of(task.current)
        if line is not None:
            add_note(error, f"It was recorded at {line}")
        if anomaly_enabled:
            warn_of_error(task.current)
    return 0


# docs: step 5
cdef int compute_dependencies(GraphTask task, Node root) except -1:
    """Count the edges into every node that is reachable from `root`, and one more for `root` itself."""
    cdef PyObject** stack = NULL         # borrowed references: `root` keeps the nodes below it alive
    cdef Py_ssize_t size = 0, capacity = 0
    cdef unsigned int k, nr
    cdef int count
    cdef Node node, function
    entered("compute_dependencies", root)
    count = task.count_dependency(root)
    if count == 1:
        stack = _push(stack, &size, &capacity, root)
    dependency_counted(root, None, -1, -1, count)
    try:
        while size:
            size -= 1
            node = <Node>stack[size]
            for k in range(node.num_edges):
                function = node.next_function(k, &nr)
                if function is None:
                    continue
                count = task.count_dependency(function)
                if count == 1:
                    stack = _push(stack, &size, &capacity, function)
                dependency_counted(function, node, k, nr, count)
    finally:
        free(stack)
    return 0
# docs: end


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
    """Evaluate ready nodes, the one recorded last first, until the queue is empty."""
    cdef Py_ssize_t count = 0
    cdef Node node
    entered("thread_main", None)
    while task.ready.size:
        node = task.ready.pop()
        popped(node, task.ready.size)
        evaluate_function(task, node)
        count += 1
        if count & 1023 == 0:
            PyErr_CheckSignals()
    return 0
# docs: end


# docs: step 7
cdef int evaluate_function(GraphTask task, Node node) except -1:
    """Run one node, and add each gradient it returns to the input buffer of the next node."""
    cdef Gradients g = task.gradients
    cdef unsigned int k, nr
    cdef Node function
    cdef bint executes
    entered("evaluate_function", node)
    task.take_gradients(node)
    task.current = node
    executes = not task.selective or should_execute(task, node)
    if task.selective and executes:     # as in PyTorch, a node that is applied is captured before its tensor hooks
        capture(task, node)
    if node.hooks is not None:
        call_tensor_pre_hooks(node, g)
    if not executes:
        capture(task, node)
        skipped(node)
        return forget(task, node)
    call_function(task, node)
    if not task.keep_graph:
        freed(node)
        node.release_variables()
    if anomaly_enabled and check_nan:
        _check_nan(node, g)
    for k in range(node.num_edges):
        function = node.next_function(k, &nr)
        if function is None or (task.selective and not g.wants(function)):
            continue
        gradient = g.get(k)
        if gradient is not None:
            g.set(k, None)      # drop this reference, so that the buffer can add to the gradient in place
            task.add_gradient(function, nr, gradient)
        task.dependency_done(function)
    return forget(task, node)


cdef int call_function(GraphTask task, Node node) except -1:
    """Call the node's pre-hooks, apply it to the gradients in `task.gradients`, and call its post-hooks."""
    cdef Gradients g = task.gradients
    entered("call_function", node)
    grad_outputs = None
    if node.hooks is not None:
        call_pre_hooks(node, g)
        grad_outputs = grad_outputs_for_post_hooks(node, g)
    applied(node, g)
    if special_gradients and node.num_edges and not g.recording and _has_special_input(node, g):
        _apply_to_tensors(node, g)
    else:
        node.apply(g)
    validate_outputs(task, node)
    if grad_outputs is not None:
        call_post_hooks(node, g, grad_outputs)
    return 0


cdef bint _has_special_input(Node node, Gradients g) except -1:
    cdef unsigned int nr
    if node.num_outputs == 1:
        return g.in0 is not None and (<TensorImpl>g.in0).special is not None
    for nr in range(node.num_outputs):
        if g.ins[nr] is not None and (<TensorImpl>g.ins[nr]).special is not None:
            return True
    return False


cdef int _apply_to_tensors(Node node, Gradients g) except -1:
    """Apply the node to Tensors in a backward on TensorImpls.

    Only operators on Tensors have rules for special gradients, such as a sparse one that a Function or a hook returned.
    """
    cdef unsigned int k
    inputs = inputs_as_tensors(node, g)
    g.in0 = inputs[0]
    if node.num_outputs != 1:
        g.ins = inputs
    inputs = None
    g.recording = True
    try:
        node.apply(g)
    finally:
        g.recording = False
    for k in range(node.num_edges):
        gradient = g.get(k)
        if gradient is not None:
            g.set(k, (<TensorBase>gradient).impl)
    return 0


cdef int validate_outputs(GraphTask task, Node node) except -1:
    """Fit each gradient to the shape and dtype of the input it belongs to; raise RuntimeError if it does not fit."""
    cdef Gradients g = task.gradients
    cdef OutputMetadata* metadata
    cdef unsigned int k, nr
    cdef Node function
    entered("validate_outputs", node)
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
        validated(function, node, k, nr, gradient, g)
    return 0
# docs: end


cdef int _check_nan(Node node, Gradients g) except -1:
    """Raise RuntimeError if a gradient that the node returned has a NaN; for anomaly mode."""
    cdef unsigned int k
    for k in range(node.num_edges):
        gradient = g.get(k)
        if gradient is not None:
            tensor = (gradient.detach() if g.recording else make_tensor(<TensorImpl>gradient))
            if bool((tensor != tensor).any()):
                raise explained(RuntimeError(
                    f"Function '{node.name()}' returned nan values in its {k}th output."), "nan-in-backward")
    return 0


cdef int forget(GraphTask task, Node node) except -1:
    """Drop the gradients of a node that has run, and take this task's stamp off it."""
    cdef Gradients g = task.gradients
    entered("forget", node)
    g.clear()
    if node.task == task.number:
        node.task = 0
    return 0


cdef tuple _results(GraphTask task, list ends, bint allow_unreachable, bint accumulate_grad):
    cdef list results = []
    if accumulate_grad:
        return None
    for k, gradient in enumerate(task.captured):
        if gradient is None:
            if not allow_unreachable:
                raise explained(RuntimeError(
                    f"The differentiated Tensor at index {k} appears to not have been used in the graph. "
                    "Set allow_unused=True if this is the desired behavior."), "unused-input")
            results.append(None)
        else:
            results.append(gradient if task.recording else make_tensor(<TensorImpl>gradient))
    return tuple(results)
