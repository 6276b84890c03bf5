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
                            (AccumulateGrad) all have the same number, the largest possible one

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
        # hint: All sinks have the same number, and nodes cannot be compared: put something between
        #   the two that always differs. `next(self.pushed)` does.
        heapq.heappush(self.entries, (-node._sequence_nr(), next(self.pushed), node))
        # <wrong last_in_first_out>
        #| self.entries.append(node)
        # </answer>

    def pop(self):
        """Take the node with the largest sequence number out of `self.entries` and return it."""
        # <answer ReadyQueue.pop>
        # hint: Return the node alone, not the entry it was wrapped in.
        return heapq.heappop(self.entries)[-1]
        # <wrong last_in_first_out>
        #| return self.entries.pop()
        # </answer>


def hand_on(edges, gradients, task):
    """Pass each gradient along its edge, and push the nodes that have become ready.

    Parameters
    ----------
    edges : sequence of (Node or None, int)
        The `next_functions` of a node, or the roots at the start of the backward pass.
    gradients : sequence of (Tensor or None)
        One for each edge. None is a gradient of zeros, which need not be added.
    task : GraphTask
        `task.wants(function)` returns whether this backward pass visits a node; if not, skip the
        edge. `task.add_gradient(function, output_nr, gradient)` adds to the node's buffer.
        `task.dependencies` is the result of your `compute_dependencies`, and `task.ready` is your
        `ReadyQueue`.
    """
    # <answer hand_on>
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
    # <wrong one_edge_for_each_function>
    #| by_function = {edge[0]: (edge, gradient) for edge, gradient in zip(edges, gradients)}
    #| for (function, output_nr), gradient in by_function.values():
    #|     if function is None or not task.wants(function):
    #|         continue
    #|     if gradient is not None:
    #|         task.add_gradient(function, output_nr, gradient)
    #|     task.dependencies[function] -= 1
    #|     if task.dependencies[function] == 0:
    #|         task.ready.push(function)
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


# <grading>
from contextlib import contextmanager  # noqa: E402

TITLE = "The engine: dependency counting and the ready queue"
BEHAVIOURS = "tests/autograd/engine_behaviour.py"


@contextmanager
def install(module):
    """Run minitorch on the engine of a solution inside a ``with`` block."""
    variable = torch.autograd.Variable
    previous = variable._execution_engine
    variable._execution_engine = module.Engine()
    try:
        yield
    finally:
        variable._execution_engine = previous


# the points for each behaviour, and the hint for a failure
POINTS = [
    (
        "Begin with a single chain: all three parts must agree on when a node is ready.",
        {
            "a_chain_multiplies_its_slopes": 4,
            "a_leaf_alone_is_a_graph": 2,
            "an_input_without_requires_grad_gets_nothing": 2,
            "a_broadcast_input_gets_the_sum": 1,
            "a_second_backward_adds_to_grad": 1,
        },
    ),
    (
        "A node has to wait for the gradients of all edges that lead to it.",
        {
            "a_diamond_adds_up_both_ways": 4,
            "a_way_and_its_short_cut_meet": 3,
            "a_leaf_waits_for_its_last_gradient": 10,
            "a_tensor_hook_sees_the_whole_gradient_once": 1,
            "a_retained_gradient_is_the_whole_one": 1,
        },
    ),
    (
        "The two edges of x * x lead to the same node. Count both and follow both.",
        {
            "both_edges_into_the_same_node_count": 6,
            "both_edges_into_the_same_leaf_count": 4,
            "forty_doublings_apply_forty_nodes": 6,
            "a_recorded_backward_of_meeting_gradients_can_be_differentiated": 1,
        },
    ),
    (
        "The output number is the gradient's position in the buffer; a gradient may be None.",
        {
            "outputs_of_one_node_keep_their_gradients_apart": 2,
            "an_output_nobody_used_brings_nothing": 2,
        },
    ),
    (
        "The node recorded last runs first, not the one that became ready last.",
        {
            "a_chain_runs_backward": 2,
            "of_two_ready_nodes_the_newer_runs_first": 8,
            "the_age_of_a_node_counts_and_not_its_edge": 6,
            "a_complete_leaf_gets_its_gradient_at_once": 4,
        },
    ),
    (
        "Do not use recursion: a graph may be deeper than Python's limit of about 1,000 calls.",
        {"a_deep_graph_needs_no_deep_stack": 2},
    ),
    (
        "Count one edge more for each time that a node is listed in the roots.",
        {
            "several_roots_run_together": 2,
            "a_root_may_lie_below_another": 2,
            "the_same_root_twice_counts_twice": 2,
            "a_root_of_any_shape_takes_a_vector": 1,
            "a_gradient_edge_is_a_root": 1,
        },
    ),
    (
        "Check task.wants before you follow an edge, and skip an unwanted one.",
        {
            "grad_returns_and_does_not_accumulate": 1,
            "grad_of_an_inner_tensor": 1,
            "grad_of_a_tensor_and_of_what_it_was_made_from": 1,
            "grad_of_a_root_is_what_was_given": 1,
            "one_output_of_a_node_is_an_input": 1,
            "an_unused_input_is_an_error_or_none": 1,
            "backward_accumulates_into_inputs_alone": 1,
            "backward_accumulates_into_an_inner_input": 1,
            "only_nodes_that_lead_to_an_input_run": 1,
            "the_node_of_an_inner_input_runs_and_no_other": 1,
        },
    ),
    (
        "No state may remain from one call to the next: keep all of it in the task.",
        {
            "a_graph_serves_once": 1,
            "a_retained_graph_serves_again": 1,
            "an_error_in_a_hook_comes_out_and_leaves_all_usable": 1,
            "a_backward_may_run_inside_another": 1,
            "nothing_of_the_graph_outlives_the_call": 1,
            "threads_may_share_a_leaf": 1,
        },
    ),
    (
        "The given code does this; it works once your part does.",
        {
            "saved_tensors_go_as_soon_as_their_node_has_run": 1,
            "a_recorded_backward_can_be_differentiated": 1,
            "a_tensor_hook_replaces_the_gradient": 1,
            "hooks_of_a_node_surround_it": 1,
        },
    ),
]

# behaviour -> why it earns no points
NOT_GRADED = {
    "a_tensor_outside_every_graph_is_refused": "raised before the student's code runs",
    "wrong_arguments_are_refused": "raised before the student's code runs",
    "grad_mode_inside_follows_create_graph": "done by the given code",
    "grad_mode_outside_is_restored": "done by the given code",
    "a_hook_of_a_leaf_comes_before_its_sink": "done by the given code",
}

# wrong answer -> the tests that distinguish it, and its hint
MISCONCEPTIONS = {
    "counts_nodes_not_edges": {
        "fails": {"a_leaf_waits_for_its_last_gradient"},
        "passes": {
            "both_edges_into_the_same_node_count",
            "a_chain_runs_backward",
            "of_two_ready_nodes_the_newer_runs_first",
        },
        "hint": "A leaf that can be reached on two paths gets only the first gradient: your "
        "compute_dependencies counts a node once, however many edges lead to it. (Other nodes hide "
        "the mistake: they enter the queue too early, but newer nodes still run before them. The "
        "nodes of leaves run at once.)",
    },
    "one_edge_for_each_function": {
        "fails": {"both_edges_into_the_same_node_count", "both_edges_into_the_same_leaf_count"},
        "passes": {"a_leaf_waits_for_its_last_gradient", "of_two_ready_nodes_the_newer_runs_first"},
        "hint": "x * x has two edges to the same function. Your hand_on follows one of them, so "
        "half of the gradient is missing and the function is never ready.",
    },
    "last_in_first_out": {
        "fails": {
            "of_two_ready_nodes_the_newer_runs_first",
            "the_age_of_a_node_counts_and_not_its_edge",
        },
        "passes": {"a_leaf_waits_for_its_last_gradient", "both_edges_into_the_same_node_count"},
        "hint": "All sums are right, but the order is not: your ReadyQueue returns the node that "
        "was pushed last, which is not always the node that was recorded last.",
    },
}
# </grading>
