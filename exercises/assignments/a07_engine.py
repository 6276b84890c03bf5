"""Write the core of the engine: the order in which a backward pass runs the nodes.

`loss.backward()` walks the graph of `loss` from the newest node to the leaves. A node may run when
the gradients along *all* edges that lead to it have arrived. Of the nodes that may run, the newest
runs first. You write the three parts that implement this rule:

1. `compute_dependencies` counts the edges that lead to each node;
2. `ReadyQueue` holds the nodes that may run, the newest on top;
3. `hand_on` passes the gradients of a node that has run along its edges.

The rest is given: the checks of the arguments, the work inside one node (its hooks and its
formula), the buffers in which gradients are added, and `inputs=`. Read it, since it calls your
code.

A node is an object of the real graph. You need two of its attributes:

    node.next_functions     pairs (function, output number), the targets of its gradients in order.
                            A function is None where no gradient is wanted, and the same function
                            may appear more than once
    node._sequence_nr()     a number that is larger for nodes recorded later; the nodes of leaves
                            (AccumulateGrad) all have the same number, the largest possible one.
                            Of nodes with the same number, the one that was pushed first runs first.
                            (The library's heap has no counter, so it may choose another of them.)

Nodes can be keys of a dictionary. `Variable._execution_engine = Engine()` then makes all of
minitorch run on your engine.
"""

import heapq
import itertools

import minitorch as torch
from minitorch.autograd.engine_steps import (
    call_function,
    call_tensor_pre_hooks,
    unpack_arguments,
)

# ---- yours to write


def compute_dependencies(roots):
    """Count the edges into every node that can be reached from `roots`.

    Parameters
    ----------
    roots : list of Node
        The nodes where the backward pass starts. A node counts one edge for each time it is listed.

    Returns
    -------
    dict of Node to int
        The number of edges into every node that can be reached.
    """
    # <answer compute_dependencies>
    # hint: Keep a stack of nodes whose edges have not been looked at, and put each node on it once.
    # hint: Looking at a node once does not mean counting it once: add one for every edge that leads
    #   to it.
    # hint: A graph may be 5,000 nodes deep, so a function that calls itself will not do.
    dependencies = {}
    stack = []
    for root in roots:
        if root not in dependencies:
            dependencies[root] = 0
            stack.append(root)
        dependencies[root] += 1
    while stack:
        node = stack.pop()
        for function, _ in node.next_functions:
            if function is None:
                continue
            if function not in dependencies:
                dependencies[function] = 0
                stack.append(function)
            dependencies[function] += 1
    return dependencies
    # <wrong root_counted_once>
    #| dependencies = dict.fromkeys(roots, 1)
    #| stack = list(dependencies)
    #| while stack:
    #|     node = stack.pop()
    #|     for function, _ in node.next_functions:
    #|         if function is not None:
    #|             if function not in dependencies:
    #|                 dependencies[function] = 0
    #|                 stack.append(function)
    #|             dependencies[function] += 1
    #| return dependencies
    # <wrong roots_not_counted>
    #| dependencies = dict.fromkeys(roots, 0)
    #| stack = list(dependencies)
    #| while stack:
    #|     node = stack.pop()
    #|     for function, _ in node.next_functions:
    #|         if function is not None:
    #|             if function not in dependencies:
    #|                 dependencies[function] = 0
    #|                 stack.append(function)
    #|             dependencies[function] += 1
    #| return dependencies
    # <wrong recursion>
    #| dependencies = {}
    #| def visit(node):
    #|     dependencies[node] = dependencies.get(node, 0) + 1
    #|     if dependencies[node] == 1:
    #|         for function, _ in node.next_functions:
    #|             if function is not None:
    #|                 visit(function)
    #| for root in roots:
    #|     visit(root)
    #| return dependencies
    # <wrong walk_without_visited_set>
    #| dependencies = {}
    #| stack = list(roots)
    #| while stack:
    #|     node = stack.pop()
    #|     dependencies[node] = dependencies.get(node, 0) + 1
    #|     stack += [function for function, _ in node.next_functions if function is not None]
    #| return dependencies
    # <wrong two_edges_to_a_node_counted_once>
    #| dependencies = {}
    #| stack = []
    #| for root in roots:
    #|     if root not in dependencies:
    #|         dependencies[root] = 0
    #|         stack.append(root)
    #|     dependencies[root] += 1
    #| while stack:
    #|     node = stack.pop()
    #|     for function in {function for function, _ in node.next_functions}:
    #|         if function is not None:
    #|             if function not in dependencies:
    #|                 dependencies[function] = 0
    #|                 stack.append(function)
    #|             dependencies[function] += 1
    #| return dependencies
    # <wrong a_root_listed_twice_is_walked_twice>
    #| dependencies = {}
    #| stack = list(roots)
    #| for root in roots:
    #|     dependencies[root] = dependencies.get(root, 0) + 1
    #| while stack:
    #|     node = stack.pop()
    #|     for function, _ in node.next_functions:
    #|         if function is not None:
    #|             if function not in dependencies:
    #|                 dependencies[function] = 0
    #|                 stack.append(function)
    #|             dependencies[function] += 1
    #| return dependencies
    # <wrong counts_nodes_not_edges>
    #| dependencies = dict.fromkeys(roots, 1)
    #| stack = list(dependencies)
    #| while stack:
    #|     node = stack.pop()
    #|     for function, _ in node.next_functions:
    #|         if function is not None and function not in dependencies:
    #|             dependencies[function] = 1
    #|             stack.append(function)
    #| return dependencies
    # </answer>


class ReadyQueue:
    """The nodes whose gradients have all arrived."""

    def __init__(self):
        self.entries = []
        self.pushed = itertools.count()

    def __len__(self):
        return len(self.entries)

    def push(self, node):
        """Add a node to `self.entries`."""
        # <answer ReadyQueue.push>
        # hint: `heapq` keeps the smallest entry on top, and what you want there is the largest
        #   number.
        # hint: The nodes of all leaves have the same number, and nodes cannot be compared: put something between
        #   the two that always differs. `next(self.pushed)` does.
        heapq.heappush(self.entries, (-node._sequence_nr(), next(self.pushed), node))
        # <wrong last_in_first_out>
        #| self.entries.append(node)
        # <wrong first_in_first_out>
        #| heapq.heappush(self.entries, (next(self.pushed), node))
        # <wrong oldest_first>
        #| heapq.heappush(self.entries, (node._sequence_nr(), next(self.pushed), node))
        # <wrong heap_without_second_key>
        #| heapq.heappush(self.entries, (-node._sequence_nr(), node))
        # <wrong quadratic_queue>
        #| self.entries.append((-node._sequence_nr(), next(self.pushed), node))
        # </answer>

    def pop(self):
        """Take the node with the largest sequence number out of `self.entries` and return it.

        If several have that number, take the one that was pushed first.
        """
        # <answer ReadyQueue.pop>
        # hint: Return the node alone, not the entry it was wrapped in.
        return heapq.heappop(self.entries)[-1]
        # <wrong entry_for_node>
        #| return heapq.heappop(self.entries)
        # <wrong last_in_first_out>
        #| return self.entries.pop()
        # <wrong quadratic_queue>
        #| best = min(self.entries, key=lambda entry: entry[:2])
        #| self.entries.remove(best)
        #| return best[-1]
        # </answer>


def hand_on(edges, gradients, task):
    """Pass each gradient along its edge, and push the nodes that have become ready.

    Parameters
    ----------
    edges : sequence of (Node or None, int)
        The `next_functions` of a node, or the roots at the start of the backward pass.
    gradients : sequence of (Tensor or None)
        One for each edge. None stands for zeros: nothing is added, but the edge has been followed
        all the same.
    task : GraphTask
        `task.wants(function)` returns whether this backward pass visits a node; if not, skip the
        edge. `task.add_gradient(function, output_nr, gradient)` adds to the node's buffer.
        `task.dependencies` begins as the result of your `compute_dependencies`: keep in it how many
        edges are still to be followed into each node. `task.ready` is your `ReadyQueue`.
    """
    # <answer hand_on>
    # hint: One edge less is to be followed into the node. When may this node run?
    # hint: An edge has been followed even if the gradient along it is None.
    # hint: Two edges may lead to the same node. Each of them carries a gradient, and each counts.
    for (function, output_nr), gradient in zip(edges, gradients, strict=True):
        if function is None or not task.wants(function):
            continue
        if gradient is not None:
            task.add_gradient(function, output_nr, gradient)
        task.dependencies[function] -= 1
        if task.dependencies[function] == 0:
            task.ready.push(function)
    # <wrong none_not_counted>
    #| for (function, output_nr), gradient in zip(edges, gradients, strict=True):
    #|     if function is None or gradient is None or not task.wants(function):
    #|         continue
    #|     task.add_gradient(function, output_nr, gradient)
    #|     task.dependencies[function] -= 1
    #|     if task.dependencies[function] == 0:
    #|         task.ready.push(function)
    # <wrong one_edge_for_each_function>
    #|- for (function, output_nr), gradient in zip(edges, gradients, strict=True):
    #|+ by_function = {edge[0]: (edge, gradient) for edge, gradient in zip(edges, gradients)}
    #|+ for (function, output_nr), gradient in by_function.values():
    # </answer>


# ---- given


class GraphTask:
    """One call of `run_backward`."""

    def __init__(self, roots, ends, accumulate_grad):
        self.dependencies = compute_dependencies([node for node, _, _ in roots])
        self.ready = ReadyQueue()
        self.buffers = {}  # node -> the gradients that have arrived, one for each of its outputs
        self.accumulate_grad = accumulate_grad
        self.targets = {node for node, _, _ in ends}
        self.needed = nodes_leading_to(self.targets, self.dependencies) if ends else None

    def wants(self, node):
        """Return True if this pass visits a node; with `inputs=`, only if it leads to an input."""
        return self.needed is None or node in self.needed

    def runs(self, node):
        """Return True if a node is applied; grad() only reads the gradients of its last nodes."""
        if self.needed is None or (self.accumulate_grad and node in self.targets):
            return True
        return any(function in self.needed for function, _ in node.next_functions)

    def add_gradient(self, node, output_nr, gradient):
        """Add a gradient to the buffer of one output of a node."""
        buffer = self.buffers.setdefault(node, [None] * len(node._input_metadata))
        old = buffer[output_nr]
        buffer[output_nr] = gradient if old is None else old + gradient

    def take_gradients(self, node):
        """Return the gradients accumulated for a node that is about to run."""
        return self.buffers.pop(node, [None] * len(node._input_metadata))


def nodes_leading_to(targets, nodes):
    """Return the set of `nodes` from which one of `targets` can be reached."""
    came_from = {}
    for node in nodes:
        for function, _ in node.next_functions:
            came_from.setdefault(function, []).append(node)
    needed, stack = set(), [node for node in targets if node in nodes]
    while stack:
        node = stack.pop()
        if node not in needed:
            needed.add(node)
            stack.extend(came_from.get(node, ()))
    return needed


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
        with torch.set_grad_enabled(create_graph):
            roots, ends = unpack_arguments(tensors, grad_tensors, inputs, accumulate_grad)
            if accumulate_grad:
                for _, _, tensor in ends:
                    if isinstance(tensor, torch.Tensor) and not tensor.is_leaf:
                        tensor.retain_grad()
            captured = [None] * len(ends)
            task = GraphTask(roots, ends, accumulate_grad)
            hand_on([root[:2] for root in roots], [root[2] for root in roots], task)
            while len(task.ready):
                node = task.ready.pop()
                gradients = call_tensor_pre_hooks(node, task.take_gradients(node))
                for index, (target, output_nr, _) in enumerate(ends):
                    if target is node:
                        captured[index] = gradients[output_nr]
                if task.runs(node):
                    results = call_function(node, gradients, keep_graph)
                    hand_on(node.next_functions, results, task)
        if accumulate_grad:
            return ()
        for index, gradient in enumerate(captured):
            if gradient is None and not allow_unreachable:
                raise RuntimeError(
                    f"The differentiated Tensor at index {index} appears to not have been used in "
                    "the graph. Set allow_unused=True if this is the desired behavior."
                )
        return tuple(captured)


# <tests>
import threading

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

ABOUT = {
    "number": 7,
    "title": "Dependencies and the ready queue",
    "part": "The engine",
    "goal": "Count the edges into each node, queue the nodes that may run, and pass gradients on.",
    "reading": [
        "learn/backward/05_dependencies",
        "learn/backward/06_ready_queue",
        "learn/backward/07_evaluate",
    ],
    "difficulty": 3,
    "importance": 5,
    "hours": 3,
}


def install(piece):
    return install_engine(piece)


def retire():
    """Remove the compiled engine."""
    retire_engine()


@scenario(
    points=3, idea="Begin with a single chain: all three parts must agree on when a node is ready."
)
def a_chain_multiplies_its_slopes(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    y = vector(draw) * x  # of its two edges, the first leads nowhere
    for _ in range(draw.integer(2, 5)):
        y = y * draw.integer(2, 9)
    y.backward(vector(draw))
    yield "x.grad", x.grad


@scenario(points=3, idea="A node has to wait for the gradients of all edges that lead to it.")
def a_diamond_adds_up_both_paths(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    a = vector(draw) * x
    loss = (a * draw.integer(2, 9) + a * draw.integer(2, 9)).sum()
    ran = watch(loss, a=a)
    loss.backward()
    yield "x.grad", x.grad
    yield "how often a ran", ran.count("a")


@scenario(
    points=5, idea="The two edges of a * a lead to the same node. Count both and follow both."
)
def both_edges_of_a_square_count(torch, piece, draw):
    x, z = leaves(draw, 2, 2)
    a = x * draw.integer(2, 9)
    b = a * a
    ran = watch(b, a=a)
    b.backward(vector(draw))
    (z * draw.integer(2, 9) + z * z).backward(vector(draw))
    yield "the gradient below the node a", x.grad
    yield "the gradient of the leaf z", z.grad
    yield "how often a ran", ran.count("a")


@scenario(points=3, idea="A leaf runs as soon as it is complete, but not before its last gradient.")
def a_leaf_waits_for_its_last_gradient(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    a = x * draw.integer(2, 9)
    b = a * x
    ran = watch(b, x=x, a=a, b=b)
    b.backward(vector(draw))
    yield "the order", ran
    yield "x.grad", x.grad


@scenario(
    points=5,
    idea="An edge has been followed even if the gradient along it is None.",
    page="learn/backward/07_evaluate",
)
def a_gradient_of_none_counts(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    y = w * draw.integer(2, 9)
    loss = first_of()(x, y) * draw.integer(2, 9) + y * draw.integer(2, 9)
    loss.backward(vector(draw))
    yield "x.grad", x.grad
    yield "w.grad", w.grad
    a = w * draw.integer(2, 9)
    loss = first_of()(x, a * draw.integer(2, 9))
    ran = watch(loss, a=a, w=w)
    loss.backward(vector(draw))
    yield "nodes that get nothing but None run too", [name for name in ran if len(name) == 1]


@scenario(
    points=4,
    idea="The node recorded last runs first, not the one that became ready last.",
    page="learn/backward/06_ready_queue",
)
def of_two_ready_nodes_the_newer_runs_first(torch, piece, draw):
    x, y = leaves(draw, 2, 1)
    a, b = x, y
    made = {}
    for k in range(5):
        for name in draw.shuffled("ab"):
            if name == "a":
                a = made[f"a{k}"] = a * 2
            else:
                b = made[f"b{k}"] = b * 2
    loss = a + b
    ran = watch(loss, **made)
    loss.backward(vector(draw, 1))
    yield "the order", [name for name in ran if name in made]


@scenario(
    points=3,
    idea="The order of the edges of a node does not matter; the age of the nodes does.",
    page="learn/backward/06_ready_queue",
)
def the_age_of_a_node_counts_and_not_its_edge(torch, piece, draw):
    (x,) = leaves(draw, 1, 1)
    made = {f"t{k}": x * (k + 2) for k in range(7)}
    loss = torch.stack([made[name] for name in draw.shuffled(made)]).sum()
    ran = watch(loss, **made)
    loss.backward()
    yield "the order", [name for name in ran if name in made]
    yield "x", x


@scenario(
    points=3,
    idea="Leaves have the largest number of all, so a complete leaf runs at once; of several "
    "leaves, the one that was pushed first.",
    page="learn/backward/06_ready_queue",
)
def a_complete_leaf_gets_its_gradient_at_once(torch, piece, draw):
    weights = dict(zip("uvw", leaves(draw, 3, 1), strict=True))
    (x,) = leaves(draw, 1, 1)
    y, made = x, {}
    for k, name in enumerate(draw.shuffled("uuvw")):
        y = made[f"t{k}"] = y * weights[name]
    ran = watch(y, x=x, **weights, **made)
    y.backward(vector(draw, 1))
    yield "the order", ran
    yield "u.grad", weights["u"].grad


@scenario(
    points=7, idea="Use a stack of your own: a graph may be deeper than Python's limit of calls."
)
def a_deep_graph_needs_no_deep_stack(torch, piece, draw):
    yield from a_deep_graph(draw)


@scenario(
    points=10,
    cost=4,
    seconds=8,
    idea="The queue may hold thousands of nodes, so looking through all of it each time is too slow.",
    page="learn/backward/06_ready_queue",
)
def thousands_of_nodes_may_be_ready(torch, piece, draw):
    yield from a_wide_graph(draw)


@scenario(points=5, idea="Count one edge more for each time that a node is listed in the roots.")
def the_same_root_twice_counts_twice(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    b = x * draw.integer(2, 9)
    roots = draw.shuffled([x, x, b, b])
    ran = watch(b, b=b)
    torch.autograd.backward(roots, [vector(draw) for _ in roots])
    yield "x.grad", x.grad
    yield "how often b ran", ran.count("b")
    (w,) = leaves(draw, 1, 2)
    c = w * draw.integer(2, 9)
    torch.autograd.backward([c, c], [vector(draw), vector(draw)])
    yield "w.grad", w.grad


@scenario(points=3, idea="A root waits too, if edges of other roots lead to it.")
def a_root_may_lie_below_another(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    a = x * draw.integer(2, 9)
    b = a * draw.integer(2, 9)
    ran = watch(b, a=a)
    torch.autograd.backward(draw.shuffled([a, b]), [vector(draw), vector(draw)])
    yield "x.grad", x.grad
    yield "how often a ran", ran.count("a")


@scenario(
    points=3,
    idea="The output number is the gradient's place in the buffer of its node.",
    page="learn/backward/09_sum",
)
def outputs_of_one_node_keep_their_gradients_apart(torch, piece, draw):
    (x,) = leaves(draw, 1, 4)
    parts = x.unbind(0)
    loss = 0
    for k in draw.shuffled(range(4))[:3]:
        loss = loss + parts[k] * draw.integer(2, 9)
    loss.backward()
    yield "x.grad", x.grad


@scenario(
    points=5,
    idea="Check task.wants before you follow an edge, and skip an unwanted one.",
    page="learn/side_paths/inputs",
)
def only_nodes_that_lead_to_an_input_run(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    a, b = x * draw.integer(2, 9), w * draw.integer(2, 9)
    c = a * b
    y = c + b
    names = draw.shuffled("xwab")[:2]
    made = {"x": x, "w": w, "a": a, "b": b, "c": c, "y": y}
    ran = watch(y, **made)
    for name, tensor in made.items():
        tensor.register_hook(lambda grad, name=name: ran.append(f"tensor hook of {name}"))
    torch.autograd.backward(y, vector(draw), inputs=[made[name] for name in names])
    yield "the inputs", names
    yield "the order", ran
    yield "gradients", [made[name].grad for name in ["x", "w", *names]]
    y = w * x + w
    yield "grad()", torch.autograd.grad(y, [w, x], vector(draw))
    y = x * w
    yield "grad() of the second factor", torch.autograd.grad(y, [w], vector(draw))


@scenario(
    points=3, idea="No state may remain from one call to the next: keep all of it in the task."
)
def a_failed_call_leaves_nothing_behind(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    a = x * draw.integer(2, 9)
    y = a * draw.integer(2, 9) + a * a
    message = f"from the hook {draw.integer(100, 999)}"

    def hook(grad):
        raise KeyError(message)

    handle = a.register_hook(hook)
    grad = vector(draw)
    yield "the error", error_of(y.backward, grad, retain_graph=True)
    yield "x.grad", x.grad
    handle.remove()
    y.backward(grad, retain_graph=True)
    yield "x.grad after another call", x.grad
    y.backward(grad)
    yield "x.grad after a third", x.grad


# </tests>


# <hidden>
from exercises.engines import reference  # noqa: F401 (the check compares with it)


def rows(draw):
    """Return a leaf with two rows, and the rows, which are two outputs of one node."""
    (matrix,) = leaves(draw, 1, 2, 2)
    return matrix, matrix.unbind(0)


@scenario(
    points=5, idea="In any graph, the newest node of those that are ready runs first.", hidden=True
)
def a_drawn_graph(torch, piece, draw):
    inputs = leaves(draw, 3, 2)
    for _ in range(3):
        matrix, parts = rows(draw)
        made = grow(draw, [*inputs, *parts], 14)
        y = sum(list(made.values())[-3:]) + parts[1] * inputs[0] + inputs[0] * inputs[0]
        ran = watch(y, x=inputs[0], y=inputs[1], z=inputs[2], **made)
        y.backward(vector(draw))
        yield "the order", ran
        yield "the gradients", [leaf.grad for leaf in [*inputs, matrix]]


@scenario(points=5, idea="Edges that lead to no input are skipped, in any graph.", hidden=True)
def inputs_of_a_drawn_graph(torch, piece, draw):
    inputs = leaves(draw, 3, 2)
    matrix, parts = rows(draw)
    made = grow(draw, [*inputs, *parts], 14)
    y = sum(list(made.values())[-3:]) + parts[1] * inputs[0] + inputs[0] * inputs[0]
    below = set(nodes_below(y))
    wanted = [
        t
        for t in [*inputs, *made.values()]
        if torch.autograd.graph.get_gradient_edge(t).node in below
    ]
    wanted = [*draw.shuffled(wanted)[:3], parts[1]]
    ran = watch(y, x=inputs[0], y=inputs[1], z=inputs[2], **made)
    for name, tensor in [*zip("xyz", inputs, strict=True), *made.items()]:
        tensor.register_hook(lambda grad, name=name: ran.append(f"tensor hook of {name}"))
    yield "grad()", torch.autograd.grad(y, wanted, vector(draw), retain_graph=True)
    yield "what ran", ran
    y.backward(vector(draw), inputs=wanted)
    yield "the order", ran
    yield "gradients", [t.grad for t in wanted]


@scenario(
    points=5, idea="Each time that a node is listed in the roots is an edge to it.", hidden=True
)
def drawn_roots(torch, piece, draw):
    inputs = leaves(draw, 2, 2)
    made = grow(draw, inputs, 8)
    roots = [*inputs, *inputs, *list(made.values())[-3:], list(made.values())[-1]]
    roots = draw.shuffled(roots)
    ran = watch(*roots, x=inputs[0], y=inputs[1], **made)
    torch.autograd.backward(roots, [vector(draw) for _ in roots])
    yield "the order", ran
    yield "the gradients", [leaf.grad for leaf in inputs]


@scenario(points=3, idea="Look at the edges of each node once.", hidden=True, seconds=3)
def doublings_apply_each_node_once(torch, piece, draw):
    (x,) = leaves(draw, 1, 1)
    y, n = x, draw.integer(14, 40)
    for _ in range(n):
        y = y + y
    ran = watch(y)
    y.backward(vector(draw, 1))
    yield "x.grad", x.grad
    yield "how many nodes ran", len(ran)


@scenario(points=5, idea="A node also runs if all that arrives at it is None.", hidden=True)
def nodes_that_get_nothing_run_too(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    first = first_of()
    a = w * draw.integer(2, 9)
    b = a * draw.integer(2, 9)
    y = first(x, b) * draw.integer(2, 9) + first(x, a)
    ran = watch(y, w=w, a=a, b=b)
    y.backward(vector(draw), retain_graph=True)
    yield "what ran", [name for name in ran if len(name) == 1]
    yield "gradients", [x.grad, w.grad]
    (y + a * draw.integer(2, 9)).backward(vector(draw))
    yield "gradients with another path", [x.grad, w.grad]


@scenario(
    points=2,
    idea="The backward pass may itself be recorded.",
    page="learn/side_paths/create_graph",
    hidden=True,
)
def a_recorded_pass_can_be_differentiated(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    a = x * x
    (dx,) = torch.autograd.grad((a * a * draw.integer(2, 9)).sum(), x, create_graph=True)
    (ddx,) = torch.autograd.grad(dx.sum(), x)
    yield "first and second derivative", [dx, ddx]


@scenario(
    points=2,
    idea="A hook may start a backward pass while another one is running.",
    page="learn/side_paths/re_entrancy",
    hidden=True,
)
def a_backward_may_run_inside_another(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    shared = w * draw.integer(2, 9)
    a, inner = x * draw.integer(2, 9), []

    def hook(grad):
        with torch.enable_grad():
            y = (shared * grad).sum() + (shared * shared).sum()
        inner.append(torch.autograd.grad(y, w, retain_graph=True)[0])

    a.register_hook(hook)
    (a * shared + shared).backward(vector(draw))
    yield "inside", inner
    yield "outside", [x.grad, w.grad]


@scenario(points=3, idea="Only memory may limit how deep a graph is.", hidden=True)
def a_deep_graph_with_branches(torch, piece, draw):
    x, w = leaves(draw, 2, 1)
    y = x
    for k in range(draw.integer(1500, 1600)):
        y = y * 0.5 + (y - w if k % 3 == 0 else w)
    y.backward(vector(draw, 1))
    yield "gradients", [x.grad, w.grad]


@scenario(points=2, idea="Passes of several threads must not share state.", hidden=True)
def threads_may_share_a_leaf(torch, piece, draw):
    (x,) = leaves(draw, 1, 1)
    errors, slopes = [], draw.integers(1, 9, 4)

    def work(k):
        try:
            for _ in range(10):
                ((x * k) + (x * 2)).backward(torch.ones(1, dtype=torch.float64))
        except Exception as error:  # noqa: BLE001 (it is yielded below)
            errors.append(repr(error))

    threads = [threading.Thread(target=work, args=(k,)) for k in slopes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    yield "errors", errors
    yield "x.grad", x.grad


@scenario(
    points=3,
    idea="After the call, nothing may keep the graph alive.",
    page="learn/side_paths/memory",
    hidden=True,
)
def nothing_of_the_graph_outlives_the_call(torch, piece, draw):
    import gc

    (x,) = leaves(draw, 1, 2)
    freed = []

    class Mark:
        def __init__(self, number):
            self.number = number

        def __del__(self):
            freed.append(self.number)

        def look(self, grad):
            """Do nothing; the node holds this method, and so the mark."""

    for number in draw.integers(1, 99, 3):
        y = (x * x * number).sum()
        y.register_hook(Mark(number).look)
        y.backward()
        del y
        gc.collect()
        yield "freed", list(freed)
    yield "x.grad", x.grad


EQUIVALENT = {
    "for (function, output_nr), gradient in zip(edges, gradients, strict=True):  ->  "
    "for (function, output_nr), gradient in zip(edges, gradients, strict=False):": "the given code "
    "passes lists of the same length",
}

MISTAKES = {
    "counts_nodes_not_edges": "A leaf that can be reached on two paths gets only the first "
    "gradient: your compute_dependencies counts a node once, however many edges lead to it. (Other "
    "nodes hide the mistake: they enter the queue too early, but newer nodes still run before them. "
    "The nodes of leaves run at once.)",
    "one_edge_for_each_function": "x * x has two edges to the same function. Your hand_on follows "
    "one of them, so half of the gradient is missing and the function is never ready.",
    "last_in_first_out": "All sums are right, but the order is not: your ReadyQueue returns the node "
    "that was pushed last, which is not always the node that was recorded last.",
    "first_in_first_out": "All sums are right, but the order is not: your ReadyQueue returns the "
    "node that was pushed first. It should return the node that was recorded last.",
    "oldest_first": "Your ReadyQueue returns the node with the smallest number, the oldest one. Put "
    "a minus sign before the number.",
    "none_not_counted": "If a gradient is None, your hand_on does not count the edge, or does not "
    "push the node at its end. So that node waits for ever.",
    "roots_not_counted": "Your compute_dependencies does not count the roots themselves. Each is listed "
    "once or more, and hand_on takes one off for each time.",
    "entry_for_node": "Your ReadyQueue.pop returns what you have put into the heap, such as a tuple, "
    "and not the node in it.",
    "root_counted_once": "Your compute_dependencies has to count one edge for each time that a node is "
    "listed in the roots, and add these to the edges from other nodes.",
    "two_edges_to_a_node_counted_once": "Your compute_dependencies counts the next nodes of a node, "
    "each of them once. But x * x has two edges to the same node, and both count.",
    "a_root_listed_twice_is_walked_twice": "Your compute_dependencies follows the edges of a root "
    "once for each time that it is listed. A node runs once, so its edges count once.",
    "recursion": "Your compute_dependencies calls itself for the next node. Python stops that after "
    "about 1,000 calls, and graphs may be deeper.",
    "heap_without_second_key": "heapq compares the nodes themselves if their numbers are the same, "
    "as those of all leaves are. Nodes cannot be compared; put something that always differs "
    "between the number and the node.",
    "walk_without_visited_set": "Your compute_dependencies looks at the edges of a node once for "
    "every path that leads to it. So it counts them too often, and takes very long.",
    "quadratic_queue": "Your results are right, but your ReadyQueue goes through all its "
    "entries for each node. A heap needs only a few steps.",
}
# </hidden>
