"""Write the whole of `run_backward`, the method behind every `backward()` and `grad()`.

In this assignment you put the engine together. You have met its parts: counting the edges, the
queue of ready nodes, the buffers. Now they have to work for every kind of call:

- `backward(inputs=...)` and `grad()` run only the nodes that lead to an input;
- hooks and callbacks may raise exceptions, after which everything must be as it was before;
- a hook may call `backward()` again: a *re-entrant* pass, which has nothing to do with the outer one;
- several threads may run passes at the same time;
- ``queue_callback(f)`` calls ``f()`` at the end of the pass that is running on this thread.

The state of one call is a `GraphTask`. You write its four methods and three methods of `Engine`.
Add as many functions of your own as you like.

These functions of minitorch do the rest:

    unpack_arguments(...)                     checks the arguments: see `Engine.run_backward`
    call_tensor_pre_hooks(node, gradients)    calls the hooks of the node's output tensors, and returns
                                              the gradients, which they may have replaced
    call_function(node, gradients, keep_graph)    the node's hooks, its formula and the freeing

Of a node you need ``node.next_functions``, its edges; ``node._sequence_nr()``, which is larger for nodes
that were recorded later; and ``len(node._input_metadata)``, the number of its outputs. Of two nodes
with the same number, the one that was pushed first runs first.

`Variable._execution_engine = Engine()` makes all of minitorch run on your engine.
"""

import heapq
import itertools
import threading

import minitorch as torch
from minitorch.autograd.engine_steps import (
    call_function,
    call_tensor_pre_hooks,
    unpack_arguments,
)

UNUSED = (
    "The differentiated Tensor at index {} appears to not have been used in the graph. Set "
    "allow_unused=True if this is the desired behavior."
)
NO_PASS = "Final callbacks can only be installed during backward pass."


class Current(threading.local):
    """What a thread is doing: ``current.task`` is the GraphTask of its innermost pass, or None."""

    task = None


current = Current()

# ---- yours to write


class GraphTask:
    """The state of one call of `run_backward`.

    Attributes
    ----------
    ends : list of (Node, int, Tensor or GradientEdge)
        For each of `inputs=`: the node and the output number that its gradient arrives at, and the
        input itself. Empty if there is no `inputs=`.
    accumulate_grad : bool
        False in `grad()`, which returns gradients instead of adding them to ``.grad``.
    captured : list of (Tensor or None)
        What `grad()` returns: one gradient for each of `ends`.
    callbacks : list of callable
    dependencies : dict of Node to int
    needed : set of Node or None
        The nodes that lead to one of `ends`, with the nodes of `ends` themselves; None means all.
    ready : list
        A heap of the nodes that may run. `pushed` counts what is pushed.
    buffers : dict of Node to list
        The gradients that have arrived at a node, one place for each of its outputs.
    """

    def __init__(self, roots, ends, keep_graph, accumulate_grad):
        self.ends = ends
        self.keep_graph = keep_graph
        self.accumulate_grad = accumulate_grad
        self.captured = [None] * len(ends)
        self.callbacks = []
        self.ready = []
        self.pushed = itertools.count()
        self.buffers = {}
        self.dependencies = self.count_edges([node for node, _, _ in roots])
        self.needed = self.nodes_above_the_ends() if ends else None

    def count_edges(self, roots):
        """Return how many edges lead to each node below `roots`, as a dict.

        A root has one edge more for each time that it is in the list.
        """
        # <answer GraphTask.count_edges>
        # hint: This is assignment 7: a stack of your own, and each node on it once.
        edges = dict.fromkeys(roots, 0)
        for root in roots:
            edges[root] += 1
        stack = list(edges)
        while stack:
            for below, _ in stack.pop().next_functions:
                if below is None:
                    continue
                if below not in edges:
                    edges[below] = 0
                    stack.append(below)
                edges[below] += 1
        return edges
        # <wrong two_edges_to_a_node_counted_once>
        #|-     for below, _ in stack.pop().next_functions:
        #|+     for below in {below for below, _ in stack.pop().next_functions}:
        # <wrong recursion>
        #| edges = {}
        #| def visit(node):
        #|     edges[node] = edges.get(node, 0) + 1
        #|     if edges[node] == 1:
        #|         for below, _ in node.next_functions:
        #|             if below is not None:
        #|                 visit(below)
        #| for root in roots:
        #|     visit(root)
        #| return edges
        # </answer>

    def nodes_above_the_ends(self):
        """Return the set of the nodes from which a node of `ends` can be reached."""
        # <answer GraphTask.nodes_above_the_ends>
        # hint: Edges lead down, and you want to go up. Turn all of them round first.
        # hint: `self.dependencies` has all nodes below the roots: make a dict from each node to the
        #   nodes that have an edge to it.
        # hint: Then begin with the nodes of `ends`, and collect what can be reached, each node once.
        above = {}
        for node in self.dependencies:
            for below, _ in node.next_functions:
                above.setdefault(below, []).append(node)
        needed, stack = set(), [node for node, _, _ in self.ends]
        while stack:
            node = stack.pop()
            if node not in needed:
                needed.add(node)
                stack.extend(above.get(node, ()))
        return needed
        # <wrong all_nodes_run>
        #| return set(self.dependencies)
        # </answer>

    def hand_on(self, edges, gradients):
        """Pass each gradient along its edge, and push the nodes that have become ready.

        Edges to None, and to nodes that are not needed, are skipped. A gradient may be None.
        """
        # <answer GraphTask.hand_on>
        # hint: Assignments 7 and 8: add to the buffer, count down, push at 0.
        # hint: `len(node._input_metadata)` is the number of a node's outputs. Make a new tensor for
        #   each sum, which is always right.
        # hint: An entry of the heap is (minus the number, next(self.pushed), node).
        for (node, output_nr), gradient in zip(edges, gradients, strict=True):
            if node is None or (self.needed is not None and node not in self.needed):
                continue
            if gradient is not None:
                places = self.buffers.setdefault(node, [None] * len(node._input_metadata))
                old = places[output_nr]
                places[output_nr] = gradient if old is None else old + gradient
            self.dependencies[node] -= 1
            if self.dependencies[node] == 0:
                heapq.heappush(self.ready, (-node._sequence_nr(), next(self.pushed), node))
        # <wrong sums_in_place>
        #|-         places[output_nr] = gradient if old is None else old + gradient
        #|+         places[output_nr] = gradient if old is None else old.add_(gradient)
        # <wrong none_not_counted>
        #|-     if gradient is not None:
        #|+     if gradient is None:
        #|+         continue
        #|+     if gradient is not None:
        # <wrong quadratic_queue>
        #|-         heapq.heappush(self.ready, (-node._sequence_nr(), next(self.pushed), node))
        #|+         self.ready.append((-node._sequence_nr(), next(self.pushed), node))
        #|+         self.ready.sort(key=lambda entry: entry[:2])
        # </answer>

    def run(self):
        """Run the ready nodes, the newest first, until none is left.

        A node runs in this order:

        1. Take its gradients out of the buffer. What has not arrived is None.
        2. `grad()` stores those that belong to `ends` in `self.captured`. A node that `grad()`
           only reads is not run, and its tensor hooks are called *before* its gradients are stored:
           this is a node of `ends` with no edge to a node that is needed.
        3. Call the tensor hooks, then call the node, and hand on what it returns.

        `backward(inputs=...)` stores nothing and runs every node that is needed.
        """
        # <answer GraphTask.run>
        # hint: First make a dict from each node of `ends` to its places in `captured`, since
        #   looking through all of `ends` for every node is too slow.
        # hint: Is the node run? Always, unless this is `grad()`, the node is one of `ends`, and
        #   none of the nodes below it is needed.
        # hint: If it is run, store first and call the tensor hooks afterwards. If not, call the
        #   tensor hooks, store, and go on with the next node.
        places = {}
        if not self.accumulate_grad:
            for index, (node, output_nr, _) in enumerate(self.ends):
                places.setdefault(node, []).append((index, output_nr))
        while self.ready:
            _, _, node = heapq.heappop(self.ready)
            gradients = self.buffers.pop(node, None) or [None] * len(node._input_metadata)
            runs = node not in places or any(
                below in self.needed for below, _ in node.next_functions
            )
            if not runs:
                gradients = call_tensor_pre_hooks(node, gradients)
            for index, output_nr in places.get(node, ()):
                self.captured[index] = gradients[output_nr]
            if runs:
                gradients = call_tensor_pre_hooks(node, gradients)
                self.hand_on(node.next_functions, call_function(node, gradients, self.keep_graph))
        # <wrong buffer_not_emptied>
        #|-     gradients = self.buffers.pop(node, None) or [None] * len(node._input_metadata)
        #|+     gradients = self.buffers.get(node) or [None] * len(node._input_metadata)
        # <wrong copies_leave_the_buffer>
        #|-     gradients = self.buffers.pop(node, None) or [None] * len(node._input_metadata)
        #|+     gradients = self.buffers.get(node) or [None] * len(node._input_metadata)
        #|+     gradients = [None if gradient is None else gradient.clone() for gradient in gradients]
        # <wrong stored_after_the_hooks>
        #|-     if not runs:
        #|-         gradients = call_tensor_pre_hooks(node, gradients)
        #|+     gradients = call_tensor_pre_hooks(node, gradients)
        #|-     if runs:
        #|-         gradients = call_tensor_pre_hooks(node, gradients)
        #|+     if runs:
        # <wrong grad_accumulates_too>
        #|-     runs = node not in places or any(
        #|-         below in self.needed for below, _ in node.next_functions
        #|-     )
        #|+     runs = True
        # <wrong quadratic_queue>
        #|-     _, _, node = heapq.heappop(self.ready)
        #|+     _, _, node = self.ready.pop(0)
        # </answer>


class Engine:
    """An engine that replaces the compiled one: ``Variable._execution_engine = Engine()``."""

    def run_backward(
        self,
        tensors,
        grad_tensors,
        keep_graph,
        create_graph,
        inputs=(),
        allow_unreachable=False,
        accumulate_grad=False,
    ):
        """Run the graph of `tensors` backward.

        While it runs, grad mode is `create_graph`, and `current.task` is the GraphTask of this
        call. Both are as before afterwards, even after an exception.

        ``unpack_arguments(tensors, grad_tensors, inputs, accumulate_grad)``, called in this grad
        mode, returns `roots` and `ends`. The roots are triples too: node, output number, gradient.

        `backward(inputs=...)` can accumulate into a tensor that is not a leaf: call `retain_grad()`
        for each input that is a Tensor and no leaf.

        When all nodes have run, call the callbacks, in the same grad mode. A callback may queue
        another one.

        Returns
        -------
        tuple of (Tensor or None) or None
            None if `accumulate_grad` is set, otherwise the gradients of `inputs`.

        Raises
        ------
        RuntimeError
            In `grad()`, if nothing has arrived at an input and `allow_unreachable` is False: the text
            `UNUSED`, with the index of the input.
        """
        # <answer Engine.run_backward>
        # hint: `with torch.set_grad_enabled(create_graph):` around everything restores grad mode.
        # hint: Remember `current.task` before you set it, and put it back in a `finally` block.
        # hint: Hand on the gradients of the roots along the edges of the roots, run the task, and
        #   call the callbacks. A `for` loop over a list also sees what is appended meanwhile.
        with torch.set_grad_enabled(create_graph):
            roots, ends = unpack_arguments(tensors, grad_tensors, inputs, accumulate_grad)
            if accumulate_grad:
                for _, _, tensor in ends:
                    if isinstance(tensor, torch.Tensor) and not tensor.is_leaf:
                        tensor.retain_grad()
            outer = current.task
            current.task = task = GraphTask(roots, ends, keep_graph, accumulate_grad)
            try:
                task.hand_on([root[:2] for root in roots], [root[2] for root in roots])
                task.run()
                for callback in task.callbacks:
                    callback()
            finally:
                current.task = outer
        if accumulate_grad:
            return None
        for index, gradient in enumerate(task.captured):
            if gradient is None and not allow_unreachable:
                raise RuntimeError(UNUSED.format(index))
        return tuple(task.captured)
        # <wrong unpacked_in_another_mode>
        #|- with torch.set_grad_enabled(create_graph):
        #|-     roots, ends = unpack_arguments(tensors, grad_tensors, inputs, accumulate_grad)
        #|+ roots, ends = unpack_arguments(tensors, grad_tensors, inputs, accumulate_grad)
        #|+ with torch.set_grad_enabled(create_graph):
        # <wrong one_task_for_all_threads>
        #|-     outer = current.task
        #|-     current.task = task = GraphTask(roots, ends, keep_graph, accumulate_grad)
        #|+     outer = Current.task
        #|+     Current.task = task = GraphTask(roots, ends, keep_graph, accumulate_grad)
        #|-         current.task = outer
        #|+         Current.task = outer
        # <wrong current_is_forgotten>
        #|-                 tensor.retain_grad()
        #|-     outer = current.task
        #|+                 tensor.retain_grad()
        #|-         current.task = outer
        #|+         current.task = None
        # <wrong current_stays_after_an_exception>
        #|-     try:
        #|-         task.hand_on([root[:2] for root in roots], [root[2] for root in roots])
        #|-         task.run()
        #|-         for callback in task.callbacks:
        #|-             callback()
        #|-     finally:
        #|-         current.task = outer
        #|+     task.hand_on([root[:2] for root in roots], [root[2] for root in roots])
        #|+     task.run()
        #|+     for callback in task.callbacks:
        #|+         callback()
        #|+     current.task = outer
        # <wrong lost_callback>
        #|-         for callback in task.callbacks:
        #|+         for callback in list(task.callbacks):
        # <wrong callbacks_after_an_exception>
        #|-         task.run()
        #|+         task.run()
        #|+     finally:
        #|-     finally:
        # <wrong grad_mode_is_left_alone>
        #|- with torch.set_grad_enabled(create_graph):
        #|+ with torch.set_grad_enabled(torch.is_grad_enabled()):
        # <wrong inner_input_not_retained>
        #|-     if accumulate_grad:
        #|-         for _, _, tensor in ends:
        #|-             if isinstance(tensor, torch.Tensor) and not tensor.is_leaf:
        #|-                 tensor.retain_grad()
        # <wrong unused_inputs_never_raise>
        #|- if accumulate_grad:
        #|-     return None
        #|- for index, gradient in enumerate(task.captured):
        #|-     if gradient is None and not allow_unreachable:
        #|-         raise RuntimeError(UNUSED.format(index))
        #|- return tuple(task.captured)
        #|+ return None if accumulate_grad else tuple(task.captured)
        # </answer>

    def queue_callback(self, callback):
        """Call `callback()` at the end of the innermost pass that is running on this thread.

        Raises
        ------
        RuntimeError
            If none is running: the text `NO_PASS`.
        """
        # <answer Engine.queue_callback>
        # hint: `current.task` is the task of the innermost pass, or None.
        if current.task is None:
            raise RuntimeError(NO_PASS)
        current.task.callbacks.append(callback)
        # <wrong callback_at_once>
        #| if current.task is None:
        #|     raise RuntimeError(NO_PASS)
        #| callback()
        # </answer>

    def is_checkpoint_valid(self):
        """Return False in a pass with `inputs=` or `grad()`, and True in any other and outside of one.

        A checkpoint runs a part of the forward pass again, and may do so only if all of its nodes run.
        """
        # <answer Engine.is_checkpoint_valid>
        # hint: Which attribute of the task says that not all nodes run?
        return current.task is None or current.task.needed is None
        # </answer>


# <tests>
import gc
import threading as threads_of_python
import weakref

from exercises.engines import (
    a_deep_graph,
    a_wide_graph,
    first_of,
    grow,
    install_engine,
    leaves,
    nodes_below,
    retire_engine,
    vector,
    watch,
)
from exercises.scenario import error_of, scenario
from minitorch.core import allocator

ABOUT = {
    "number": 11,
    "title": "The whole of run_backward",
    "part": "The engine",
    "goal": "Put the engine together for every kind of call: inputs, hooks, callbacks and threads.",
    "reading": [
        "learn/backward/04_task",
        "learn/side_paths/inputs",
        "learn/side_paths/re_entrancy",
        "learn/side_paths/threads",
    ],
    "difficulty": 4,
    "importance": 4,
    "hours": 6,
}


def install(piece):
    return install_engine(piece)


def retire():
    """Remove the compiled engine."""
    retire_engine()


def engine(torch):
    return torch.autograd.Variable._execution_engine


def drawn_graph(torch, draw):
    """Return leaves, named tensors made from them, and their sum, in part without a gradient."""
    inputs = [*leaves(draw, 3, 2), *leaves(draw, 1, 3, 2)]
    parts = inputs[-1].unbind(0)
    low = [leaf * 2 for leaf in inputs[:-1]]  # one each, so that no two leaves are ready at once
    made = grow(draw, [*inputs[:-1], *parts[:2]], 12)
    last = list(made.values())[-3:]
    y = first_of()(last[0], last[1] * draw.integer(2, 9)) + last[1] + last[2]
    y = y + parts[1] * inputs[0] + inputs[0] * inputs[0] + low[0] + low[1] + low[2]
    made["part"] = parts[1]
    return dict(zip("uvwm", inputs, strict=True)), made, y


def what_is_alive(draw, call):
    """Yield how many gradients are alive at once during a call, and how many nodes after it."""

    class Mark:
        """Lives as long as the node that has it."""

    (x,), n = leaves(draw, 1, 2), draw.integer(20, 30)
    gradients, nodes, alive, memory = [], weakref.WeakSet(), [], []
    y = x.reshape(2, 1).expand(2, 500)

    def look(grad):
        gradients.append(weakref.ref(grad))
        alive.append(sum(ref() is not None for ref in gradients))
        memory.append(allocator.memory_stats()["allocated_bytes"])

    for _ in range(n):
        y = y * 2
        mark = Mark()
        y.register_hook(lambda grad, mark=mark: look(grad))
        nodes.add(mark)
    call(y.sum(1), x)
    del y, mark
    gc.collect()
    yield "gradients in steps of 5", [n, max(alive) // 5]
    yield "memory in steps of 5 gradients", [n, (max(memory) - memory[0]) // (5 * 8 * 1000)]
    yield "nodes afterwards", [n, len(nodes)]


def deep_inputs(torch, draw):
    """Yield the gradients of inputs that are thousands of nodes below the root."""
    x, w = leaves(draw, 2, 1)
    y, n = x, draw.integer(1500, 1600)
    for k in range(n):
        if k == n // 2:
            middle = y
        y = y * 0.5 + (y - w if k % 3 == 0 else w)
    given = vector(draw, 1)
    yield "grad()", torch.autograd.grad(y, [middle, w], given, retain_graph=True)
    y.backward(given, inputs=[x])
    yield "gradients", [x.grad, w.grad]


def grad_of_many(torch, draw):
    """Yield the sum of what `grad()` returns for thousands of inputs."""
    (x,), n = leaves(draw, 1, 1), draw.integer(5900, 6000)
    many = [x.detach().requires_grad_() for _ in range(n)]
    results = torch.autograd.grad(torch.stack(many).sum() * draw.integer(2, 9), many)
    yield "the sum", sum(result.item() for result in results)


@scenario(points=5, idea="Count all edges, follow all edges, and run the newest ready node first.")
def a_drawn_graph(torch, piece, draw):
    inputs, made, y = drawn_graph(torch, draw)
    ran = watch(y, **inputs, **made)
    made["part"].grad_fn.register_prehook(lambda gradients: ran.append(list(gradients)))
    given = vector(draw)
    torch.autograd.backward([y, inputs["u"], inputs["u"]], [given, given, given])
    yield "the order", ran
    yield "the gradients", [leaf.grad for leaf in inputs.values()]
    yield "what was given", given


@scenario(
    points=5,
    idea="grad() reads the gradients that arrive at its inputs, and does not change any .grad.",
    page="learn/side_paths/inputs",
)
def grad_returns_and_does_not_accumulate(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    a = x * draw.integer(2, 9)
    y = a * w + a * a
    ran = watch(y, x=x, w=w, a=a, y=y)
    pool = {"x": x, "w": w, "a": a, "y": y}
    for _ in range(3):
        names = draw.shuffled("xwaayx")[: draw.integer(1, 4)]
        given = vector(draw)
        yield "inputs", names
        yield (
            "gradients",
            torch.autograd.grad(y, [pool[n] for n in names], given, retain_graph=True),
        )
        yield "what ran", list(ran)
        ran.clear()
    yield ".grad", [x.grad, w.grad]
    parts = x.unbind(0)
    z = parts[0] * draw.integer(2, 9) + parts[1] * draw.integer(2, 9)
    yield "outputs of one node", torch.autograd.grad(z, draw.shuffled(parts))


@scenario(
    points=5,
    idea="backward(inputs=...) accumulates into these tensors only, even if they are no leaves.",
    page="learn/side_paths/inputs",
)
def backward_accumulates_into_inputs_alone(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    a, b = x * draw.integer(2, 9), w * draw.integer(2, 9)
    y = a * b + b + x * x + w * w
    pool = {"x": x, "w": w, "a": a, "b": b}
    ran = watch(y, **pool, y=y)
    names = draw.shuffled("ab")[:1] + draw.shuffled("xw")[:1]
    y.backward(vector(draw), inputs=[pool[name] for name in names], retain_graph=True)
    yield "inputs", names
    yield "gradients", [pool[name].grad for name in ["x", "w", *names]]
    yield "what ran", ran
    edge = torch.autograd.graph.get_gradient_edge(draw.choice([x, w]))
    (a * b).backward(vector(draw), inputs=[edge])
    yield "leaves", [x.grad, w.grad]


@scenario(
    points=5,
    idea="An input that nothing arrives at is an error, unless the caller allows it.",
    page="learn/side_paths/inputs",
)
def an_unused_input_is_an_error_or_none(torch, piece, draw):
    x, *others = leaves(draw, 4, 2)
    y = x * draw.integer(2, 9)
    inputs = draw.shuffled([x, *others[: draw.integer(1, 3)]])
    given = vector(draw)
    yield "the error", error_of(torch.autograd.grad, y, inputs, given, retain_graph=True)
    yield "allowed", torch.autograd.grad(y, inputs, given, retain_graph=True, allow_unused=True)
    y.backward(given, inputs=inputs)
    yield "backward", [leaf.grad for leaf in inputs]


@scenario(
    points=5,
    idea="A node that runs stores its gradient before the tensor hooks; one that is only read, after.",
    page="learn/side_paths/hooks",
)
def tensor_hooks_and_inputs(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    a = x * draw.integer(2, 9)
    y = a * draw.integer(2, 9)
    for tensor, factor in zip((x, a, y), draw.integers(2, 9, 3), strict=True):
        tensor.register_hook(lambda grad, factor=factor: grad * factor)
    for inputs in ([a], [a, x], [y], [y, a]):
        yield "grad()", torch.autograd.grad(y, inputs, vector(draw), retain_graph=True)


@scenario(
    points=5,
    idea="Pass keep_graph on, take gradients out of the buffers, and keep nothing after the call.",
    page="learn/side_paths/memory",
)
def a_graph_serves_once_unless_it_is_kept(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    y = x * x * draw.integer(2, 9)
    given = vector(draw)
    y.backward(given, retain_graph=True)
    y.backward(given)
    yield "x.grad", x.grad
    yield "the third time", error_of(y.backward, given)
    yield from what_is_alive(draw, lambda y, x: y.backward(vector(draw), create_graph=True))


@scenario(
    points=5,
    idea="Grad mode is create_graph while the pass runs, and as before afterwards.",
    page="learn/side_paths/create_graph",
)
def grad_mode_follows_create_graph(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    a = x * x * draw.integer(2, 9)
    seen = []
    a.register_hook(lambda grad: seen.append([grad, torch.is_grad_enabled()]))
    y, z, given = a * a, x + 1, vector(draw).float().requires_grad_()
    for outside in draw.shuffled([True, False]):
        for create_graph in draw.shuffled([True, False]):
            with torch.set_grad_enabled(outside):
                (dx,) = torch.autograd.grad(
                    y.sum() if outside else y,
                    x,
                    None if outside else torch.ones_like(y),
                    retain_graph=True,
                    create_graph=create_graph,
                )
                seen.append([dx, dx.requires_grad, torch.is_grad_enabled()])
                (dz,) = torch.autograd.grad(z, x, given, True, create_graph)
                seen.append([dz, dz.requires_grad])
            if create_graph:
                yield "second derivative", torch.autograd.grad(dx.sum(), x, retain_graph=True)
    yield "seen", seen


@scenario(
    points=5,
    idea="Callbacks run in order when all nodes have run; a callback may queue another one.",
    page="learn/side_paths/re_entrancy",
)
def callbacks_run_at_the_end(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    a = x * draw.integer(2, 9)
    log = []

    def queue(name, more):
        def callback():
            log.append([name, x.grad.tolist(), torch.is_grad_enabled()])
            for other in more:
                queue(other, [])

        engine(torch).queue_callback(callback)

    def other_thread(grad):
        thread = threads_of_python.Thread(
            target=lambda: log.append(error_of(engine(torch).queue_callback, print))
        )
        thread.start()
        thread.join()

    names = draw.shuffled("abcdef")
    a.register_hook(other_thread)
    a.register_hook(lambda grad: queue(names[0], names[3:5]))
    x.register_hook(lambda grad: queue(names[1], names[5:]))
    (a * draw.integer(2, 9)).backward(vector(draw))
    yield "calls", log
    log.clear()
    (x * draw.integer(2, 9)).backward(vector(draw))
    yield "calls of the next pass", log


@scenario(
    points=5,
    idea="A pass inside another one has its own task. Afterwards the outer task is the current one.",
    page="learn/side_paths/re_entrancy",
)
def a_backward_may_run_inside_another(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    shared = w * draw.integer(2, 9)
    a, log = x * draw.integer(2, 9), []
    names = draw.shuffled(["outer 1", "outer 2", "inner"])

    def queue(name):
        engine(torch).queue_callback(lambda: log.append(name))

    def hook(grad):
        queue(names[0])
        with torch.enable_grad():
            y = shared * grad + shared * shared
            total = y.sum()
        y.register_hook(lambda grad: queue(names[1]))
        (dw,) = torch.autograd.grad(total, w, retain_graph=True)
        log.append(dw)
        queue(names[2])

    a.register_hook(hook)
    (a * shared + shared).backward(vector(draw))
    yield "calls", log
    yield "gradients", [x.grad, w.grad]


@scenario(
    points=5,
    idea="After an exception everything is as it was: use `finally`. Callbacks are not called.",
    page="learn/side_paths/re_entrancy",
)
def an_exception_leaves_everything_usable(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    a = x * draw.integer(2, 9)
    y = a * a
    log, message = [], f"from the hook {draw.integer(100, 999)}"

    def hook(grad):
        engine(torch).queue_callback(lambda: log.append(f"callback after {message}"))
        raise KeyError(message)

    handle = a.register_hook(hook)
    for create_graph in (True, False):
        yield (
            "the error",
            error_of(y.backward, vector(draw), retain_graph=True, create_graph=create_graph),
        )
        yield "grad mode, x.grad and calls", [torch.is_grad_enabled(), x.grad, list(log)]
    yield "outside", error_of(engine(torch).queue_callback, print)
    handle.remove()
    y.backward(vector(draw), retain_graph=True)
    yield "x.grad", x.grad
    x.register_hook(lambda grad: engine(torch).queue_callback(lambda: 1 // 0))
    yield "an error in a callback", error_of(y.backward, vector(draw))
    yield "outside again", error_of(engine(torch).queue_callback, print)


@scenario(
    points=5, idea="A pass with inputs= does not run all nodes.", page="learn/side_paths/inputs"
)
def checkpoints_are_valid_if_all_nodes_run(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    a, seen = x * draw.integer(2, 9), []
    a.register_hook(lambda grad: seen.append([grad, engine(torch).is_checkpoint_valid()]))
    calls = [
        lambda g: (a * 2).backward(g, retain_graph=True),
        lambda g: (a * 2).backward(g, retain_graph=True, inputs=[x]),
        lambda g: torch.autograd.grad(a * 2, x, g, retain_graph=True),
    ]
    for call in draw.shuffled(calls):
        call(vector(draw))
        seen.append(engine(torch).is_checkpoint_valid())
    yield "seen", seen


@scenario(
    points=7, idea="Use stacks of your own: a graph may be deeper than Python's limit of calls."
)
def a_deep_graph_needs_no_deep_stack(torch, piece, draw):
    yield from a_deep_graph(draw)
    yield from deep_inputs(torch, draw)


@scenario(
    points=6,
    cost=4,
    seconds=8,
    idea="The queue may hold thousands of nodes, so going through all of it each time is too slow.",
    page="learn/backward/06_ready_queue",
)
def thousands_of_nodes_may_be_ready(torch, piece, draw):
    yield from a_wide_graph(draw)
    yield from grad_of_many(torch, draw)


# </tests>


# <hidden>
from exercises.engines import reference  # noqa: F401 (the check compares with it)


@scenario(
    points=10,
    idea="Only nodes that lead to an input run, in any graph.",
    page="learn/side_paths/inputs",
    hidden=True,
)
def inputs_of_a_drawn_graph(torch, piece, draw):
    inputs, made, y = drawn_graph(torch, draw)
    below = set(nodes_below(y))
    pool = {
        name: tensor
        for name, tensor in {**inputs, **made}.items()
        if torch.autograd.graph.get_gradient_edge(tensor).node in below
    }
    factor = draw.integer(2, 3)
    for tensor in [y, *pool.values()]:
        tensor.register_hook(lambda grad: grad * factor)
    ran = watch(y, **inputs, **made)
    y.register_hook(lambda grad: ran.append(engine(torch).is_checkpoint_valid()))
    made["part"].grad_fn.register_prehook(lambda gradients: ran.append(list(gradients)))
    given, u, (unused,) = vector(draw).float().requires_grad_(), inputs["u"], leaves(draw, 1, 2)
    for create_graph in (True, False):
        names = draw.shuffled(pool)[:3]
        wanted = [pool[name] for name in names]
        with torch.set_grad_enabled(not create_graph):
            results = torch.autograd.grad(
                [y, u, u],
                [y, u, *wanted, made["part"], unused, *wanted],
                [given, given, given],
                retain_graph=True,
                create_graph=create_graph,
                allow_unused=True,
            )
        yield "grad()", [names, [r if r is None else [r, r.requires_grad] for r in results]]
        yield "what ran", [*ran, engine(torch).is_checkpoint_valid()]
        ran.clear()
    yield "unused", error_of(torch.autograd.grad, y, [*wanted, unused], given, retain_graph=True)
    edge = torch.autograd.graph.get_gradient_edge(u)
    wanted += [y, made["part"]]
    y.backward(given, inputs=[*wanted, edge])
    yield "gradients", [tensor.grad for tensor in [*wanted, u]]
    yield "what ran then, and the next time", [ran, error_of(y.backward, given)]


@scenario(
    points=5,
    idea="Passes of several threads share nothing, not even the current task.",
    page="learn/side_paths/threads",
    hidden=True,
)
def threads_have_their_own_tasks(torch, piece, draw):
    (x,) = leaves(draw, 1, 1)
    log, slopes = [], draw.integers(2, 9, 2)
    steps = [threads_of_python.Event() for _ in range(4)]

    def work(name, slope, before, inside, between, after):
        a = x * slope

        def hook(grad):
            inside.set()
            between.wait(2)
            engine(torch).queue_callback(lambda: log.append([name, "callback", slope]))

        a.register_hook(hook)
        before.wait(2)
        try:
            a.backward(torch.ones(1, dtype=torch.float64))
            log.append([name, "done"])
        except Exception as error:  # noqa: BLE001 (it is yielded below)
            log.append([name, type(error).__name__])
        after.set()

    begin, first_inside, second_inside, first_done = steps
    begin.set()
    threads = [
        threads_of_python.Thread(target=work, args=arguments)
        for arguments in [
            ("first", slopes[0], begin, first_inside, second_inside, first_done),
            ("second", slopes[1], first_inside, second_inside, first_done, begin),
        ]
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    yield "calls", log
    yield "x.grad", x.grad


@scenario(
    points=5,
    idea="Passes may be nested in any depth, and may fail; callbacks may run passes too.",
    page="learn/side_paths/re_entrancy",
    hidden=True,
)
def nested_passes(torch, piece, draw):
    (x,) = leaves(draw, 1, 1)
    log, depth = [], draw.integer(5, 8)
    factors = draw.integers(2, 9, depth)

    def descend(level):
        if level == depth:
            return
        with torch.enable_grad():
            y, z = x * factors[level], (x * 2).sum()

        def fail(grad):
            if level % 2:
                engine(torch).queue_callback(lambda: 1 // 0)
            engine(torch).queue_callback(lambda: log.append("of a pass that has failed"))
            if not level % 2:
                raise KeyError(level)

        def hook(grad):
            descend(level + 1)
            log.append([f"back at {level}", error_of(z.backward)])
            engine(torch).queue_callback(lambda: finish(level))

        z.register_hook(fail)

        y.register_hook(hook)
        y.backward(torch.ones(1, dtype=torch.float64))

    def finish(level):
        log.append([f"end of {level}", x.grad.item(), torch.is_grad_enabled()])
        engine(torch).queue_callback(lambda: log.append(f"after the end of {level}"))
        with torch.enable_grad():
            y = x * x
        y.register_hook(lambda grad: engine(torch).queue_callback(lambda: log.append("in grad()")))
        log.append(torch.autograd.grad(y, x, torch.ones(1, dtype=torch.float64)))

    descend(0)
    yield "calls", log
    yield "x.grad", x.grad


@scenario(
    points=4,
    cost=4,
    seconds=8,
    idea="There may be thousands of inputs, so do not go through all of them for each node.",
    page="learn/side_paths/inputs",
    hidden=True,
)
def grad_of_thousands_of_inputs(torch, piece, draw):
    yield from grad_of_many(torch, draw)


@scenario(points=3, idea="Only memory may limit how deep a graph is.", hidden=True)
def inputs_of_a_deep_graph(torch, piece, draw):
    yield from deep_inputs(torch, draw)


@scenario(
    points=5,
    idea="After the call, nothing may keep the graph alive.",
    page="learn/side_paths/memory",
    hidden=True,
)
def nothing_of_the_graph_outlives_the_call(torch, piece, draw):
    yield from what_is_alive(
        draw, lambda y, x: torch.autograd.grad(y, x, vector(draw), create_graph=True)
    )
    yield from what_is_alive(draw, lambda y, x: y.backward(vector(draw)))


EQUIVALENT = {
    "for (node, output_nr), gradient in zip(edges, gradients, strict=True):  ->  "
    "for (node, output_nr), gradient in zip(edges, gradients, strict=False):": "nodes "
    "return one gradient for each edge",
}

MISTAKES = {
    "buffer_not_emptied": "Your engine reads the gradients of a node from its buffer and leaves them "
    "there. Take them out, so that their memory can be freed during the pass.",
    "copies_leave_the_buffer": "Your engine runs each node on copies of its gradients, and leaves the "
    "gradients in the buffer. Take them out: no copy is needed.",
    "stored_after_the_hooks": "If a node runs, grad() stores its gradient before the tensor hooks are "
    "called.",
    "unpacked_in_another_mode": "Call unpack_arguments after grad mode is set: it may convert the "
    "gradients that the user gave, and this is recorded only with create_graph.",
    "two_edges_to_a_node_counted_once": "Your count_edges counts the next nodes of a node, each of "
    "them once. But x * x has two edges to the same node, and both count.",
    "recursion": "A function of yours calls itself for the next node. Python stops that after about "
    "1,000 calls, and graphs may be deeper.",
    "all_nodes_run": "With inputs=, your engine runs all nodes. It should run only those that lead "
    "to an input.",
    "sums_in_place": "Your hand_on adds in place to a gradient that it has not made. The same tensor "
    "may be on its way to another node, or belong to the user.",
    "none_not_counted": "Your hand_on skips an edge if its gradient is None. Then the node at its "
    "end waits for ever.",
    "quadratic_queue": "Your results are right, but each step takes longer the more nodes there are, as "
    "if all were sorted or looked through. A heap needs only a few steps, and a dict one.",
    "grad_accumulates_too": "In grad(), your engine runs the nodes whose gradients are only to be "
    "read. The nodes of leaves then change .grad.",
    "one_task_for_all_threads": "Your current task is the same for all threads, so a callback may end up "
    "in the pass of another thread.",
    "current_is_forgotten": "After a pass inside another one, your current.task is None. It should be "
    "the task of the outer pass again.",
    "current_stays_after_an_exception": "After an exception, current.task is still the task of the "
    "pass that failed. Put it back in a finally block.",
    "lost_callback": "A callback that another callback has queued is lost.",
    "callbacks_after_an_exception": "Your engine calls the callbacks even if the pass has failed.",
    "grad_mode_is_left_alone": "Your engine does not set grad mode to create_graph.",
    "inner_input_not_retained": "backward(inputs=...) should also accumulate into tensors that are no "
    "leaves: call retain_grad() for them.",
    "unused_inputs_never_raise": "An input that nothing arrives at should be an error, unless "
    "allow_unreachable is set.",
    "callback_at_once": "Your queue_callback calls the callback at once. It should be called at the "
    "end of the pass.",
}
# </hidden>
