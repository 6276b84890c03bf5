"""Translate the loop of the engine from Python into typed Cython.

The loop is there in Python, in ``exercises/plain_loop.py``. Read it first. It counts dependencies,
keeps the ready nodes in a heap, and adds gradients in buffers, as in assignments 7 and 8. You write
the same loop again, so that the C compiler sees numbers and fields where Python sees objects.

This file is Python with types, which Cython calls its *pure Python mode*. Four forms are enough:

    k: cython.Py_ssize_t = 0      a local variable that is a C integer
    node: Node                    a local variable that is a node or None; its fields are read
                                  directly. To read a field of a None is an AttributeError
    @cython.cclass                a class whose attributes are fields of a C structure
    @cython.cfunc                 a function that only compiled code calls, as fast as in C

A variable that has no type works, too, but stays an object of Python; only the fields of a node can
be read in no other way than through a variable of type `Node`. A loop
``for k in range(n)`` becomes a loop of C if both `k` and `n` have C types. An attribute that is
declared as `list` or `dict` is used without looking up its methods.

Of a `Node` you need these fields:

    node.num_edges      how many edges it has
    node.num_outputs    how many outputs it has, so how many gradients it gets
    node.sequence_nr    larger for nodes recorded later. The nodes of leaves (AccumulateGrad) have
                        the largest number that a cython.ulong can hold

and the functions `edge_function(node, k)` and `edge_input_nr(node, k)` below, instead of
``node.next_functions``.

``python -m exercises check 12`` translates your file with Cython, compiles it, and runs the tests.
You need Cython 3.3 and a C compiler. Your answers may import `heapq`, `math` and the like, but
nothing of the library, and they may use no pointers: there is no need for them.
"""

import cython
from cython.cimports.minitorch.autograd.node import Node

from exercises import plain_loop


@cython.cfunc
@cython.inline
def edge_function(node: Node, k: cython.uint) -> Node:
    """Return the node at the end of edge `k`, or None where no gradient is wanted."""
    number: cython.uint = 0
    return node.next_function(k, cython.address(number))


@cython.cfunc
@cython.inline
def edge_input_nr(node: Node, k: cython.uint) -> cython.uint:
    """Return the number of the output that edge `k` points at."""
    number: cython.uint = 0
    node.next_function(k, cython.address(number))
    return number


@cython.final
@cython.cclass
class State:
    """What a backward pass knows about one node; see `plain_loop.State`.

    The fields can be read from Python, too, so that code without types works: slowly, by name.
    """

    node = cython.declare(Node, visibility="public")
    priority = cython.declare(cython.ulong, visibility="public")
    dependencies = cython.declare(cython.Py_ssize_t, visibility="public")
    gradients = cython.declare(list, visibility="public")


@cython.final
@cython.cclass
class ReadyQueue:
    """The states of the nodes that may run, as a binary heap; see `plain_loop.ReadyQueue`."""

    entries: list

    def __init__(self):
        self.entries = []

    @cython.cfunc
    def push(self, state: State) -> cython.void:
        """Add a state to `self.entries`."""
        # <answer ReadyQueue.push>
        # hint: Copy the lines of `plain_loop`, and give each local variable a type at the top.
        # hint: `entries[above].priority` is an attribute of some object: the compiler does not know
        #   what a list holds. Assign the entry to a variable of type State first.
        # hint: Declare `parent: State`, and then write `parent = entries[above]`.
        entries: list = self.entries
        place: cython.Py_ssize_t = len(entries)
        above: cython.Py_ssize_t
        parent: State
        entries.append(state)
        while place > 0:
            above = (place - 1) // 2
            parent = entries[above]
            if parent.priority >= state.priority:
                break
            entries[place] = parent
            place = above
        entries[place] = state
        # <wrong untyped_queue>
        #| entries, place = self.entries, len(self.entries)
        #| entries.append(state)
        #| while place > 0:
        #|     above = (place - 1) // 2
        #|     if entries[above].priority >= state.priority:
        #|         break
        #|     entries[place] = entries[above]
        #|     place = above
        #| entries[place] = state
        # <wrong quadratic_queue>
        #| self.entries.append(state)
        # <wrong signed_priority>
        #| entries: list = self.entries
        #| place: cython.Py_ssize_t = len(entries)
        #| above: cython.Py_ssize_t
        #| parent: State
        #| entries.append(state)
        #| while place > 0:
        #|     above = (place - 1) // 2
        #|     parent = entries[above]
        #|     upper: cython.long = parent.priority
        #|     own: cython.long = state.priority
        #|     if upper >= own:
        #|         break
        #|     entries[place] = parent
        #|     place = above
        #| entries[place] = state
        # </answer>

    @cython.cfunc
    def pop(self) -> State:
        """Take the state with the largest priority out of `self.entries`, and return it."""
        # <answer ReadyQueue.pop>
        # hint: Three states are compared: the last one, and the two below the free place. Each
        #   needs a variable of type State.
        # hint: Keep the number of entries in a variable of type Py_ssize_t.
        # hint: Is there a second state below the free place? Look before you read it.
        entries: list = self.entries
        last: State = entries.pop()
        size: cython.Py_ssize_t = len(entries)
        if size == 0:
            return last
        top: State = entries[0]
        child: State
        other: State
        place: cython.Py_ssize_t = 0
        below: cython.Py_ssize_t = 1
        while below < size:
            child = entries[below]
            if below + 1 < size:
                other = entries[below + 1]
                if other.priority > child.priority:
                    child = other
                    below += 1
            if last.priority >= child.priority:
                break
            entries[place] = child
            place = below
            below = 2 * below + 1
        entries[place] = last
        return top
        # <wrong untyped_queue>
        #| entries = self.entries
        #| last = entries.pop()
        #| if not entries:
        #|     return last
        #| top, place, below = entries[0], 0, 1
        #| while below < len(entries):
        #|     if below + 1 < len(entries):
        #|         if entries[below + 1].priority > entries[below].priority:
        #|             below += 1
        #|     if last.priority >= entries[below].priority:
        #|         break
        #|     entries[place] = entries[below]
        #|     place, below = below, 2 * below + 1
        #| entries[place] = last
        #| return top
        # <wrong second_child_unchecked>
        #| entries: list = self.entries
        #| last: State = entries.pop()
        #| size: cython.Py_ssize_t = len(entries)
        #| if size == 0:
        #|     return last
        #| top: State = entries[0]
        #| child: State
        #| other: State
        #| place: cython.Py_ssize_t = 0
        #| below: cython.Py_ssize_t = 1
        #| while below < size:
        #|     child = entries[below]
        #|     other = entries[below + 1]
        #|     if other.priority > child.priority:
        #|         child = other
        #|         below += 1
        #|     if last.priority >= child.priority:
        #|         break
        #|     entries[place] = child
        #|     place = below
        #|     below = 2 * below + 1
        #| entries[place] = last
        #| return top
        # <wrong quadratic_queue>
        #| entries: list = self.entries
        #| best: cython.Py_ssize_t = 0
        #| k: cython.Py_ssize_t
        #| first: State = entries[0]
        #| state: State
        #| for k in range(1, len(entries)):
        #|     state = entries[k]
        #|     if state.priority > first.priority:
        #|         first = state
        #|         best = k
        #| entries.pop(best)
        #| return first
        # </answer>


@cython.final
@cython.cclass
class GraphTask:
    """One backward pass; see `plain_loop.GraphTask`."""

    states: dict  # Node -> State
    ready: ReadyQueue
    around: object
    needed: set  # the nodes that this pass visits; None: all

    def __init__(self, around):
        self.states = {}
        self.ready = ReadyQueue()
        self.around = around
        self.needed = around.needed

    @cython.cfunc
    def state_of(self, node: Node) -> State:
        """Return the state of a node; the first call for a node makes it."""
        # <answer GraphTask.state_of>
        # hint: `State()` makes a state whose numbers are 0 and whose objects are None.
        # hint: The fields of a cclass can be set directly; no `__init__` is needed.
        # hint: Read `node.sequence_nr`. The method `_sequence_nr` would make an object of Python.
        state: State = self.states.get(node)
        if state is None:
            state = State()
            state.node = node
            state.priority = node.sequence_nr
            self.states[node] = state
        return state
        # <wrong states_are_kept>
        #| global kept
        #| state: State = None
        #| try:
        #|     state = kept.get(node)
        #| except NameError:
        #|     kept = {}
        #| if state is None:
        #|     state = State()
        #|     state.node = node
        #|     state.priority = node.sequence_nr
        #|     kept[node] = state
        #| self.states[node] = state
        #| return state
        # </answer>

    @cython.cfunc
    def compute_dependencies(self, roots: list) -> cython.void:
        """Count the edges into every node that can be reached, and one for each root."""
        # <answer GraphTask.compute_dependencies>
        # hint: An inner function is an object of Python and is slow to call. Write its lines twice,
        #   or make a cfunc of them, among the helpers.
        # hint: Walk over the edges with `for k in range(node.num_edges)`, and give `k` a type.
        # hint: Declare `node: Node`, `function: Node` and `state: State` at the top.
        to_see: list = []
        node: Node
        function: Node
        state: State
        k: cython.uint
        for node in roots:
            state = self.state_of(node)
            state.dependencies += 1
            if state.dependencies == 1:
                to_see.append(state)
        while to_see:
            state = to_see.pop()
            node = state.node
            for k in range(node.num_edges):
                function = edge_function(node, k)
                if function is not None:
                    state = self.state_of(function)
                    state.dependencies += 1
                    if state.dependencies == 1:
                        to_see.append(state)
        # <wrong seen_in_a_list>
        #| seen: list = []
        #| to_see: list = list(roots)
        #| node: Node
        #| function: Node
        #| state: State
        #| k: cython.uint
        #| for node in roots:
        #|     state = self.state_of(node)
        #|     state.dependencies += 1
        #| while to_see:
        #|     node = to_see.pop()
        #|     if node in seen:
        #|         continue
        #|     seen.append(node)
        #|     for k in range(node.num_edges):
        #|         function = edge_function(node, k)
        #|         if function is not None:
        #|             state = self.state_of(function)
        #|             state.dependencies += 1
        #|             to_see.append(function)
        # <wrong edges_are_kept>
        #| global kept_edges
        #| try:
        #|     kept_edges
        #| except NameError:
        #|     kept_edges = {}
        #| to_see: list = []
        #| below: list
        #| node: Node
        #| function: Node
        #| state: State
        #| k: cython.uint
        #| for node in roots:
        #|     state = self.state_of(node)
        #|     state.dependencies += 1
        #|     if state.dependencies == 1:
        #|         to_see.append(state)
        #| while to_see:
        #|     state = to_see.pop()
        #|     node = state.node
        #|     below = kept_edges.get(node)
        #|     if below is None:
        #|         below = [edge_function(node, k) for k in range(node.num_edges)]
        #|         kept_edges[node] = below
        #|     for function in below:
        #|         if function is not None:
        #|             state = self.state_of(function)
        #|             state.dependencies += 1
        #|             if state.dependencies == 1:
        #|                 to_see.append(state)
        # <wrong recursion>
        #| node: Node
        #| function: Node
        #| state: State
        #| k: cython.uint
        #| for node in roots:
        #|     state = self.state_of(node)
        #|     state.dependencies += 1
        #|     if state.dependencies == 1:
        #|         for k in range(node.num_edges):
        #|             function = edge_function(node, k)
        #|             if function is not None:
        #|                 self.compute_dependencies([function])
        # <wrong roots_once>
        #| to_see: list = []
        #| node: Node
        #| function: Node
        #| state: State
        #| k: cython.uint
        #| for node in set(roots):
        #|     state = self.state_of(node)
        #|     state.dependencies += 1
        #|     to_see.append(state)
        #| while to_see:
        #|     state = to_see.pop()
        #|     node = state.node
        #|     for k in range(node.num_edges):
        #|         function = edge_function(node, k)
        #|         if function is not None:
        #|             state = self.state_of(function)
        #|             state.dependencies += 1
        #|             if state.dependencies == 1:
        #|                 to_see.append(state)
        # </answer>

    @cython.cfunc
    def follow_edge(self, function: Node, input_nr: cython.Py_ssize_t, gradient) -> cython.void:
        """Pass a gradient, or None, along one edge.

        If it was the last edge into `function`, push the state of `function` to the ready queue.
        """
        # <answer GraphTask.follow_edge>
        # hint: The gradients are tensors, which are objects of Python. Give types to the rest.
        # hint: An edge has been followed even if the gradient along it is None.
        # hint: `[None] * function.num_outputs` makes the buffer of a node.
        state: State = self.state_of(function)
        if gradient is not None:
            if state.gradients is None:
                state.gradients = [None] * function.num_outputs
            present = state.gradients[input_nr]
            state.gradients[input_nr] = gradient if present is None else present + gradient
        state.dependencies -= 1
        if state.dependencies == 0:
            self.ready.push(state)
        # <wrong adds_in_place>
        #| state: State = self.state_of(function)
        #| if gradient is not None:
        #|     if state.gradients is None:
        #|         state.gradients = [None] * function.num_outputs
        #|     if state.gradients[input_nr] is None:
        #|         state.gradients[input_nr] = gradient
        #|     else:
        #|         state.gradients[input_nr] += gradient
        #| state.dependencies -= 1
        #| if state.dependencies == 0:
        #|     self.ready.push(state)
        # <wrong none_not_counted>
        #| state: State = self.state_of(function)
        #| if gradient is None:
        #|     return
        #| if state.gradients is None:
        #|     state.gradients = [None] * function.num_outputs
        #| present = state.gradients[input_nr]
        #| state.gradients[input_nr] = gradient if present is None else present + gradient
        #| state.dependencies -= 1
        #| if state.dependencies == 0:
        #|     self.ready.push(state)
        # </answer>

    @cython.cfunc
    def hand_on(self, node: Node, results: list) -> cython.void:
        """Pass the gradients that a node has returned along its edges."""
        # <answer GraphTask.hand_on>
        # hint: Use `edge_function` and `edge_input_nr`, with an edge's number that has a type.
        # hint: A node that is not in `self.needed` is not visited, unless that is None.
        function: Node
        k: cython.uint
        for k in range(node.num_edges):
            function = edge_function(node, k)
            if function is not None and (self.needed is None or function in self.needed):
                self.follow_edge(function, edge_input_nr(node, k), results[k])
        # </answer>

    def run(self):
        """Run the nodes that are ready until there are none."""
        # <answer GraphTask.run>
        # hint: `self.around.evaluate(node, gradients)` runs the hooks and the formula of a node. It
        #   returns a list of gradients, or None if the pass ends at this node.
        # hint: Take the gradients out of the state before the node runs. Otherwise all gradients of
        #   the graph are kept until the pass ends.
        state: State
        gradients: list
        results: list
        while self.ready.entries:
            state = self.ready.pop()
            gradients = state.gradients
            state.gradients = None
            results = self.around.evaluate(state.node, gradients)
            if results is not None:
                self.hand_on(state.node, results)
        # <wrong gradients_are_kept>
        #| state: State
        #| results: list
        #| while self.ready.entries:
        #|     state = self.ready.pop()
        #|     results = self.around.evaluate(state.node, state.gradients)
        #|     if results is not None:
        #|         self.hand_on(state.node, results)
        # </answer>

    def start(self, roots):
        """Count the dependencies and follow the edges to the roots."""
        self.compute_dependencies([node for node, _, _ in roots])
        for node, input_nr, gradient in roots:
            self.follow_edge(node, input_nr, gradient)


class Engine(plain_loop.Engine):
    """An engine that runs your loop: ``Variable._execution_engine = Engine()``."""

    task = GraphTask


def count_dependencies(roots):
    """Return the numbers of edges into the nodes below some nodes, as a dict.

    Each root counts as one more edge.
    """
    task: GraphTask = GraphTask(plain_loop.Nothing())
    task.compute_dependencies(roots)
    state: State
    counts: dict = {}
    for state in task.states.values():
        counts[state.node] = state.dependencies
    return counts


def sort_nodes(nodes, size: cython.Py_ssize_t):
    """Return the sequence numbers of some nodes in the order in which the queue returns them.

    As soon as there are more than `size` nodes in the queue, one is taken out for each that comes.
    """
    task: GraphTask = GraphTask(plain_loop.Nothing())
    node: Node
    state: State
    k: cython.Py_ssize_t = 0
    numbers: list = []
    for node in nodes:
        task.ready.push(task.state_of(node))
        if k >= size:
            state = task.ready.pop()
            numbers.append(state.priority)
        k += 1
    while task.ready.entries:
        state = task.ready.pop()
        numbers.append(state.priority)
    return numbers


def loop_only(root, around):
    """Run the loop below a node without the formulas.

    `around` is a `plain_loop.Nothing`, and the gradients are numbers or None.
    """
    task: GraphTask = GraphTask(around)
    task.start([(root, 0, 1)])
    task.run()


# <tests>
import gc
import operator
import resource
import threading

from exercises import plain_loop
from exercises.engines import grow, install_engine, leaves, retire_engine, watch
from exercises.plugs import remove_attribute
from exercises.scenario import scenario

ABOUT = {
    "number": 12,
    "title": "The loop in typed Cython",
    "part": "Speed",
    "goal": "Add types to the loop of the engine, until Cython makes it several times as fast.",
    "reading": [
        "learn/backward/06_ready_queue",
        "learn/backward/05_dependencies",
        "learn/backward/03_into_the_core",
    ],
    "difficulty": 4,
    "importance": 3,
    "hours": 5,
    "language": "cython",
}


def install(piece):
    return install_engine(piece)


def retire():
    """Remove the compiled engine, and the loop in Python."""
    for name in (
        "State",
        "ReadyQueue",
        "GraphTask",
        "count_dependencies",
        "sort_nodes",
        "loop_only",
    ):
        vars(plain_loop).pop(name, None)
    remove_attribute(plain_loop.Engine, "task")
    retire_engine()  # and collects what has been removed


def baseline():
    """Return the loop in Python, with which the processor time is compared."""
    return plain_loop


def vector(torch, draw, n=2):
    return torch.tensor(draw.floats(n), dtype=torch.float64)


def root_of(torch, tensor):
    return torch.autograd.graph.get_gradient_edge(tensor).node


def graph_of_many_edges(torch, draw):
    """Return the nodes of a drawn graph, each with its number of edges.

    It is quick to build, which belongs to the measured time: a round needs a new graph, since no
    graph is walked over often.
    """
    width = draw.integer(55, 65)
    tensors, edges = leaves(draw, width, 0), {}
    for _ in range(draw.integer(90, 110)):
        place = draw.integer(0, len(tensors) - width)
        y = torch.stack([tensors[-draw.integer(1, 5)], *tensors[place : place + width]])
        edges[y.grad_fn] = width + 1
        tensors.append(y.sum(0))
        edges[tensors[-1].grad_fn] = 1
    return edges


def checksum(numbers):
    """Return a number that depends on all of `numbers` and on their order."""
    return sum(map(operator.mul, numbers, range(1, len(numbers) + 1))) % 999_983


@scenario(points=2, idea="Begin with a single chain: all parts must agree on when a node is ready.")
def a_chain_multiplies_its_slopes(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    y = x
    for _ in range(draw.integer(2, 5)):
        y = y * draw.integer(2, 9)
    y.backward(vector(torch, draw))
    yield "x.grad", x.grad


@scenario(points=4, idea="A node has to wait for the gradients of all edges that lead to it.")
def a_node_waits_for_all_its_edges(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    a = x * draw.integer(2, 9)
    loss = a * draw.integer(2, 9) + a * a * w + a
    ran = watch(loss, a=a)
    loss.backward(vector(torch, draw))
    yield "gradients", [x.grad, w.grad]
    yield "how often a ran", ran.count("a")


@scenario(points=4, idea="An edge has been followed even if the gradient along it is None.")
def a_gradient_that_is_none_counts(torch, piece, draw):
    class First(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return a + b

        @staticmethod
        def backward(ctx, grad):
            return grad, None

    (x,) = leaves(draw, 1, 2)
    a = x * draw.integer(2, 9)
    b = a * draw.integer(2, 9)
    First.apply(a, b).backward(vector(torch, draw))
    yield "x.grad", x.grad


@scenario(points=4, idea="The node that was recorded last runs first; `priority` is its number.")
def the_newest_ready_node_runs_first(torch, piece, draw):
    pool = leaves(draw, 3, 2)
    grown = grow(draw, pool, draw.integer(25, 35))
    loss = sum(grown.values())
    ran = watch(loss, **grown)
    loss.sum().backward()
    yield "the order", [name for name in ran if name in grown]
    yield "gradients", [x.grad for x in pool]
    a, b = leaves(draw, 2, 2)
    made = {}
    for k in range(8):  # two chains, whose nodes are recorded in turn
        if draw.integer(0, 1):
            a = made[f"a{k}"] = a * 2
        else:
            b = made[f"b{k}"] = b * 2
    ran = watch(a + b, **made)
    (a + b).sum().backward()
    yield "the order of two chains", [name for name in ran if name in made]


@scenario(points=4, idea="The number of a leaf's node is the largest that a cython.ulong can hold.")
def leaves_run_as_soon_as_they_are_complete(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    a = x * draw.integer(2, 9)
    b = a * w
    ran = watch(b, x=x, w=w, a=a, b=b)
    b.backward(vector(torch, draw))
    yield "the order", ran
    yield "gradients", [x.grad, w.grad]


@scenario(points=3, idea="Do not write into a gradient: another node may hold the same tensor.")
def a_sum_leaves_its_terms_alone(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    a, b = x * 1, w * 1
    seen = []
    b.register_hook(lambda grad: seen.append(grad.clone()))
    ((a + b) + a * draw.integer(2, 9)).backward(vector(torch, draw))
    yield "gradients", [x.grad, w.grad]
    yield "at b", seen


@scenario(points=2, idea="Some nodes have several outputs, and a buffer with a place for each.")
def nodes_with_several_outputs(torch, piece, draw):
    (x,) = leaves(draw, 1, 4)
    parts = (x * draw.integer(2, 9)).unbind()
    (parts[0] * parts[2] + parts[3] * draw.integer(2, 9)).backward()
    yield "x.grad", x.grad


def most_memory():
    """Return the largest size that this process has had, in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@scenario(points=10, idea="A gradient is not needed any more when its node has run.")
def gradients_are_freed_on_the_way(torch, piece, draw):
    (x,) = leaves(draw, 1, 1)
    y, slope = x.expand(100_000), draw.integer(2, 9)
    for k in range(200):
        y = y * (slope if k == 0 else 1)
    filling, before = [], most_memory()
    while most_memory() < before + 4_000:  # all that was in use before is in use again
        filling.append(torch.ones(100_000, dtype=torch.float64))
    before = most_memory()
    y.sum().backward()
    growth = most_memory() - before
    yield "times 80 MB", growth // 80_000
    yield "x.grad", x.grad


@scenario(
    points=12, cost=0.6, baseline=True, idea="Counting should take at most 0.6 of Python's time."
)
def counting_is_fast(torch, piece, draw):
    gc.disable()  # it would take longer than the counting
    for _ in range(220):
        nodes, sums = list(graph_of_many_edges(torch, draw)), []
        for _ in range(5):
            counts = piece.count_dependencies([draw.choice(nodes[-30:]) for _ in range(3)])
            sums.append(checksum([counts.get(node, 0) for node in nodes]))
        yield "edges into the nodes", sums


@scenario(
    points=12, cost=0.7, baseline=True, idea="The queue should take at most 0.7 of Python's time."
)
def the_queue_is_fast(torch, piece, draw):
    (x,) = leaves(draw, 1, 1)
    pool = [x * 2 for _ in range(draw.integer(5_000, 5_100))]
    first = root_of(torch, pool[0])._sequence_nr()
    tensors = [*pool, *leaves(draw, draw.integer(5, 15), 1)]
    nodes = draw.shuffled([root_of(torch, tensor) for tensor in tensors])
    for k in range(24):
        order = piece.sort_nodes(nodes[k:], draw.integer(2_000, 2_500))
    yield "the first", [number - first for number in order[:20]]
    yield "steps down", [len(order), sum(a > b for a, b in zip(order, order[1:], strict=False))]


# </tests>


# <hidden>
@scenario(
    points=3,
    cost=2.5,
    baseline=True,
    idea="An entry of a heap moves a few steps, however many entries there are.",
    hidden=True,
)
def a_long_queue_takes_few_steps(torch, piece, draw):
    (x,) = leaves(draw, 1, 1)
    tensors = [x * 2 for _ in range(draw.integer(30_000, 30_100))]
    nodes = draw.shuffled([root_of(torch, tensor) for tensor in tensors])
    order = piece.sort_nodes(nodes, draw.integer(12_000, 15_000))
    yield "steps down", [len(order), sum(a > b for a, b in zip(order, order[1:], strict=False))]


@scenario(
    points=10,
    cost=0.65,
    baseline=True,
    idea="The loop should take at most 0.65 of Python's time.",
    hidden=True,
)
def the_loop_is_fast(torch, piece, draw):
    gc.disable()  # it would take longer than the loop
    for _ in range(200):
        edges = graph_of_many_edges(torch, draw)
        for _ in range(2):
            around = plain_loop.Nothing(edges)
            piece.loop_only(draw.choice(list(edges)[-30:]), around)
            yield "numbers", [len(around.numbers), checksum(around.numbers), around.at_leaves]


@scenario(points=4, idea="Run a root that is given twice once, with both gradients.", hidden=True)
def a_root_may_be_given_twice(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    y = x * draw.integer(2, 9)
    z = y * w
    torch.autograd.backward([x, y, z, y, x], [vector(torch, draw) for _ in range(5)])
    yield "gradients", [x.grad, w.grad]


@scenario(points=2, idea="With `inputs=`, skip edges to nodes that are not needed.", hidden=True)
def only_what_leads_to_the_inputs_runs(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    a = x * draw.integer(2, 9)
    b = w * draw.integer(2, 9)
    loss = (a * b + a).sum()
    ran = watch(loss, a=a, b=b)
    yield "gradients", list(torch.autograd.grad(loss, [a, x], retain_graph=True))
    yield "a and b ran", [ran.count("a"), ran.count("b")]
    loss.backward(inputs=[b])
    yield "b.grad", b.grad
    yield "x.grad", x.grad


@scenario(points=2, idea="The results can be differentiated again.", hidden=True)
def second_derivatives(torch, piece, draw):
    x, w = leaves(draw, 2, 3)
    y = (x * x * w + (x * w).exp() * draw.integer(2, 5)).sum()
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (first * first).sum().backward()
    yield "first", first.detach()
    yield "gradients", [x.grad, w.grad]


@scenario(points=10, idea="Only memory may limit how deep a graph is, not the stack.", hidden=True)
def a_very_deep_graph(torch, piece, draw):
    (x,) = leaves(draw, 1, 1)
    y = x * draw.integer(2, 9)
    for _ in range(draw.integer(8_000, 8_100)):
        y = y * 1
    counts, errors, root = [], [], root_of(torch, y)

    def count():
        try:
            counts.append(sum(piece.count_dependencies([root]).values()))
        except Exception as error:  # noqa: BLE001 (it is raised below)
            errors.append(error)

    threading.stack_size(256 << 10)  # bytes; enough for a loop
    thread = threading.Thread(target=count)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    yield "edges", counts
    y.backward(vector(torch, draw, 1))
    yield "x.grad", x.grad


@scenario(
    points=10,
    idea="After the call, nothing may keep the graph or its gradients.",
    page="learn/side_paths/memory",
    hidden=True,
)
def nothing_is_left_after_many_passes(torch, piece, draw):
    freed = []

    class Mark:
        def __init__(self, number):
            self.number = number

        def __del__(self):
            freed.append(self.number)

        def look(self, grad):
            """Do nothing; the node holds this method, and so the mark."""

    x, w = leaves(draw, 2, 2)
    for number in draw.integers(1, 99, 3):
        y = (x * w * number).sum()
        y.register_hook(Mark(number).look)
        y.backward()
        del y
        gc.collect()
        yield "freed", list(freed)
    passes = draw.integer(300, 400)
    loss = (x * w + x).sum()
    loss.backward(retain_graph=True)
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(passes):
        loss.backward(retain_graph=True)
    gc.collect()
    yield "objects left by each pass", (len(gc.get_objects()) - before) // passes
    yield "gradients", [x.grad, w.grad]


@scenario(points=2, idea="A pass may begin inside another one.", hidden=True)
def a_pass_inside_another(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    slope = draw.integer(2, 9)

    class Nested(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 2

        @staticmethod
        def backward(ctx, grad):
            with torch.enable_grad():
                (w * slope).sum().backward()
            return grad * 2

    (Nested.apply(x * 3) + x).sum().backward()
    yield "gradients", [x.grad, w.grad]


_TIES = "states with the same number may run in any order"
EQUIVALENT = {
    "if other.priority > child.priority:  ->  if other.priority >= child.priority:": _TIES,
    "if parent.priority >= state.priority:  ->  if parent.priority > state.priority:": _TIES,
    "if last.priority >= child.priority:  ->  if last.priority > child.priority:": _TIES,
    "below: cython.Py_ssize_t = 1  ->  below: cython.Py_ssize_t = 0": "the first step then moves "
    "the top onto itself",
}

MISTAKES = {
    "untyped_queue": "The order is right, but your ReadyQueue is no faster than Python: it reads "
    "`entries[above].priority` by its name and makes an object of the number. Assign the entry to a "
    "variable of type State first.",
    "quadratic_queue": "The order is right, but your ReadyQueue looks at all its entries whenever "
    "it returns one. A heap needs only a few steps.",
    "signed_priority": "The nodes of leaves have the largest number that a cython.ulong can hold. "
    "In a cython.long it is -1, so they run last instead of first.",
    "second_child_unchecked": "Your ReadyQueue.pop reads the second state below the free place "
    "without looking whether there is one.",
    "states_are_kept": "Your states outlive the pass, and with them the whole graph. Keep them in "
    "`self.states` only.",
    "edges_are_kept": "Your compute_dependencies keeps the edges of each node for the next pass, and "
    "with them the whole graph. Read them anew in each pass.",
    "seen_in_a_list": "The numbers are right, but your compute_dependencies searches a list for each "
    "node, which takes the longer the more nodes there are. The first edge that leads to a node says "
    "that it is new.",
    "recursion": "Your compute_dependencies calls itself for the next node. Compiled code has no "
    "limit for that: a deep graph overflows the stack, and the process dies.",
    "roots_once": "A node that is listed twice in the roots gets two gradients from there, but your "
    "compute_dependencies counts one.",
    "adds_in_place": "Your follow_edge adds into the gradient that came first. Another node may "
    "hold the same tensor, and its gradient changes, too.",
    "none_not_counted": "Your follow_edge or hand_on stops early if the gradient is None. Then the node at "
    "the end of the edge waits for ever.",
    "gradients_are_kept": "Your run leaves the gradients in the states, so all gradients of the "
    "graph are kept until the pass ends. Set `state.gradients` to None.",
}
# </hidden>
