"""The engine's loop in plain Python, which assignment 12 translates into typed Cython.

The loop is right, and slow: every attribute is looked up by its name, every number is an object,
and `next_functions` makes new tuples whenever it is read. What is around the loop (`Around`,
`Engine`) stays in Python in both versions.
"""

import minitorch as torch
from minitorch.autograd.engine_steps import call_function, call_tensor_pre_hooks, unpack_arguments

# ---- the loop


class State:
    """What a backward pass knows about one node.

    Attributes
    ----------
    node : Node
    priority : int
        The node's sequence number. Of the nodes that may run, the one with the largest number runs
        first.
    dependencies : int
        The number of edges into the node that have not been followed yet.
    gradients : list or None
        For each output of the node the sum of the gradients that have arrived, or None.
    """

    def __init__(self, node):
        self.node = node
        self.priority = node._sequence_nr()
        self.dependencies = 0
        self.gradients = None


class ReadyQueue:
    """The states of the nodes that may run, as a binary heap.

    The state at place k has a priority at least as large as those at places 2 k + 1 and 2 k + 2. So
    the largest priority is at place 0.
    """

    def __init__(self):
        self.entries = []

    def push(self, state):
        """Add a state."""
        entries, place = self.entries, len(self.entries)
        entries.append(state)
        while place > 0:
            above = (place - 1) // 2
            if entries[above].priority >= state.priority:
                break
            entries[place] = entries[above]
            place = above
        entries[place] = state

    def pop(self):
        """Take out the state with the largest priority, and return it."""
        entries = self.entries
        last = entries.pop()
        if not entries:
            return last
        top, place, below = entries[0], 0, 1
        while below < len(entries):
            if below + 1 < len(entries):
                if entries[below + 1].priority > entries[below].priority:
                    below += 1
            if last.priority >= entries[below].priority:
                break
            entries[place] = entries[below]
            place, below = below, 2 * below + 1
        entries[place] = last
        return top


class GraphTask:
    """One backward pass."""

    def __init__(self, around):
        self.states = {}  # node -> State
        self.ready = ReadyQueue()
        self.around = around
        self.needed = around.needed

    def state_of(self, node):
        """Return the state of a node; the first call for a node makes it."""
        state = self.states.get(node)
        if state is None:
            state = self.states[node] = State(node)
        return state

    def compute_dependencies(self, roots):
        """Count the edges into every node that can be reached, and one more for each root."""
        to_see = []

        def count(node):
            state = self.state_of(node)
            state.dependencies += 1
            if state.dependencies == 1:
                to_see.append(state)

        for root in roots:
            count(root)
        while to_see:
            for function, _ in to_see.pop().node.next_functions:
                if function is not None:
                    count(function)

    def follow_edge(self, function, input_nr, gradient):
        """Pass a gradient along one edge, and push the node at its end if that was the last one."""
        state = self.state_of(function)
        if gradient is not None:
            if state.gradients is None:
                state.gradients = [None] * len(function._input_metadata)
            present = state.gradients[input_nr]
            state.gradients[input_nr] = gradient if present is None else present + gradient
        state.dependencies -= 1
        if state.dependencies == 0:
            self.ready.push(state)

    def hand_on(self, node, results):
        """Pass the gradients that a node has returned along its edges."""
        for (function, input_nr), gradient in zip(node.next_functions, results, strict=True):
            if function is not None and (self.needed is None or function in self.needed):
                self.follow_edge(function, input_nr, gradient)

    def run(self):
        """Run the nodes that are ready until there are none."""
        while self.ready.entries:
            state = self.ready.pop()
            gradients, state.gradients = state.gradients, None
            results = self.around.evaluate(state.node, gradients)
            if results is not None:
                self.hand_on(state.node, results)

    def start(self, roots):
        """Count the dependencies and follow the edges to the roots."""
        self.compute_dependencies([node for node, _, _ in roots])
        for node, input_nr, gradient in roots:
            self.follow_edge(node, input_nr, gradient)


# ---- around the loop


class Around:
    """What a pass has to do besides the loop: hooks, formulas, and the gradients of ``inputs=``."""

    def __init__(self, roots, ends, keep_graph, accumulate_grad):
        self.ends, self.keep_graph = ends, keep_graph
        self.captured = [None] * len(ends)
        self.targets = {node for node, _, _ in ends}
        self.accumulate_grad = accumulate_grad
        self.needed = _leading_to(self.targets, [node for node, _, _ in roots]) if ends else None

    def evaluate(self, node, gradients):
        """Return the gradients for the edges of a node, or None if the pass ends at this node."""
        if gradients is None:
            gradients = [None] * len(node._input_metadata)
        gradients = call_tensor_pre_hooks(node, gradients)
        if self.needed is not None:
            for index, (target, output_nr, _) in enumerate(self.ends):
                if target is node:
                    self.captured[index] = gradients[output_nr]
            if not (self.accumulate_grad and node in self.targets) and not any(
                function in self.needed for function, _ in node.next_functions
            ):
                return None
        return call_function(node, gradients, self.keep_graph)


def _leading_to(targets, roots):
    """Return the set of the nodes from which one of the targets can be reached."""
    came_from, stack = {root: [] for root in roots}, list(roots)
    while stack:
        node = stack.pop()
        for function, _ in node.next_functions:
            if function is not None:
                if function not in came_from:
                    came_from[function] = []
                    stack.append(function)
                came_from[function].append(node)
    found, stack = set(), [node for node in targets if node in came_from]
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            stack += came_from[node]
    return found


class Engine:
    """An engine that replaces the compiled one: ``Variable._execution_engine = Engine()``."""

    task = GraphTask  # the loop it runs

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
            around = Around(roots, ends, keep_graph, accumulate_grad)
            task = self.task(around)
            task.start(roots)
            roots = None
            task.run()
        if accumulate_grad:
            return ()
        for index, gradient in enumerate(around.captured):
            if gradient is None and not allow_unreachable:
                raise RuntimeError(
                    f"The differentiated Tensor at index {index} appears to not have been used in "
                    "the graph. Set allow_unused=True if this is the desired behavior."
                )
        return tuple(around.captured)


# ---- parts of the loop, to be measured


class Nothing:
    """The surroundings of a loop without formulas: each node passes a number along its edges.

    Parameters
    ----------
    edges : dict, optional
        How many edges each node has; leaves are left out.

    Attributes
    ----------
    numbers : list
        What the nodes have passed on, in the order in which they ran. It depends on all gradients
        that arrived.
    at_leaves : int
        The sum of what arrived at the leaves.
    """

    needed = None

    def __init__(self, edges=None):
        self.edges = edges or {}
        self.numbers = []
        self.at_leaves = 0

    def evaluate(self, node, gradients):
        """Return the same number for each edge of a node, but None for one of several."""
        arrived = gradients[0] if gradients else 0
        edges = self.edges.get(node)
        if edges is None:
            self.at_leaves += arrived
            return []
        number = arrived % 999_983 + 1
        self.numbers.append(number)
        results = [number] * edges
        if edges > 1:
            results[number % edges] = None
        return results


def count_dependencies(roots):
    """Return the numbers of edges into the nodes below some nodes, as a dict.

    Each root counts as one more edge.
    """
    task = GraphTask(Nothing())
    task.compute_dependencies(roots)
    return {state.node: state.dependencies for state in task.states.values()}


def sort_nodes(nodes, size):
    """Return the sequence numbers of some nodes in the order in which the queue returns them.

    As soon as there are more than `size` nodes in the queue, one is taken out for each that comes.
    """
    task, numbers = GraphTask(Nothing()), []
    for k, node in enumerate(nodes):
        task.ready.push(task.state_of(node))
        if k >= size:
            numbers.append(task.ready.pop().priority)
    while task.ready.entries:
        numbers.append(task.ready.pop().priority)
    return numbers


def loop_only(root, around):
    """Run the loop below a node without the formulas.

    `around` is a `Nothing`, and the gradients are numbers or None.
    """
    task = GraphTask(around)
    task.start([(root, 0, 1)])
    task.run()
