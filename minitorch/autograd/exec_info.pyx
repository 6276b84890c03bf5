"""Which nodes a backward pass with `inputs=` runs: only those that lead to one of the inputs."""

from cpython.object cimport PyObject
from libc.stdlib cimport free, malloc, realloc

from minitorch.autograd.accumulate_grad cimport AccumulateGrad
from minitorch.autograd.events cimport captured
from minitorch.autograd.graph_task cimport GraphTask, NodeState, ReadyQueue
from minitorch.autograd.hooks cimport retain_grad
from minitorch.autograd.node cimport Gradients, Node
from minitorch.autograd.variable cimport TensorBase

cdef enum:
    UNKNOWN = 0
    NEEDED = 1
    NOT_NEEDED = 2

cdef struct Visit:
    PyObject* node                       # borrowed: the graph keeps the node alive
    unsigned int next_edge
    bint needed


cdef int init_to_execute(GraphTask task, list roots, list ends, bint accumulate_grad) except -1:
    """Mark the nodes that lead to one of `ends`, and set up the capture of their gradients."""
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
    for function, _, _ in roots:
        _mark_needed(task, function)
    if task.elsewhere is not None:
        task.gradients.elsewhere = _needed_elsewhere(task)
    return 0


cdef dict _needed_elsewhere(GraphTask task):
    """Return the entries of `task.elsewhere` whose node leads to one of `inputs=`."""
    cdef dict wanted = {}
    cdef NodeState state
    for node, state in task.elsewhere.items():
        if state.needed == NEEDED:
            wanted[node] = state
    return wanted


cdef int _mark_needed(GraphTask task, Node root) except -1:
    """Set `needed` of `root` and of every node below it, depth first: next functions before the node itself."""
    cdef Visit* stack
    cdef Visit* grown
    cdef Visit* top
    cdef Py_ssize_t size = 1, capacity = 256
    cdef Node node, function
    cdef unsigned int nr
    cdef int known
    if task.needed(root) != UNKNOWN:
        return 0
    stack = <Visit*>malloc(capacity * sizeof(Visit))
    if stack == NULL:
        raise MemoryError
    stack[0] = Visit(<PyObject*>root, 0, root in task.targets)
    try:
        while size:
            top = &stack[size - 1]
            node = <Node>top.node
            if top.next_edge == node.num_edges:
                task.set_needed(node, NEEDED if top.needed else NOT_NEEDED)
                size -= 1
                if size and top.needed:
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
                stack[size] = Visit(<PyObject*>function, 0, function in task.targets)
                size += 1
    finally:
        free(stack)
    return 0


cdef bint should_execute(GraphTask task, Node node) except -1:
    """Return whether a backward with `inputs=` applies the node, or only captures its gradients."""
    cdef Gradients g = task.gradients
    cdef unsigned int k, nr
    cdef Node function
    for k in range(node.num_edges):
        function = node.next_function(k, &nr)
        if function is not None and g.wants(function):
            return True
    # an end of backward(inputs=...): the AccumulateGrad of a leaf, or a node that is applied only for its hooks
    return node in task.targets and node not in task.captures


cdef int capture(GraphTask task, Node node) except -1:
    cdef Gradients g = task.gradients
    places = task.captures.get(node)
    if places is not None:
        for nr, k in places:
            task.captured[k] = g.in0 if node.num_outputs == 1 else g.ins[nr]
            captured(node, nr, task.captured[k], k)
    return 0


cdef set nodes_to_execute(GraphTask task):
    """Return the nodes that are reachable from the roots and, under `inputs=`, lead to one of the inputs."""
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


cdef list execution_order(GraphTask task):
    """Return the roots and all nodes that the task runs, in the order in which the ready queue returns them."""
    cdef Node node, function
    cdef unsigned int k, nr
    cdef set runs = nodes_to_execute(task)
    cdef dict waiting = dict.fromkeys(task.roots, 0)
    cdef list order = []
    cdef ReadyQueue ready = ReadyQueue()
    for node in runs:
        for k in range(node.num_edges):
            function = node.next_function(k, &nr)
            if function in runs:
                waiting[function] = waiting.get(function, 0) + 1
    for node in dict.fromkeys(task.roots):
        if not waiting[node]:           # also a root that leads to no input: PyTorch lists it too
            ready.insert(node)
    while ready.size:
        node = ready.pop()
        order.append(node)
        for k in range(node.num_edges):
            function = node.next_function(k, &nr)
            if function in runs:
                waiting[function] -= 1
                if not waiting[function]:
                    ready.insert(function)
    return order
