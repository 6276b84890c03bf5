"""Write the heart of the engine: what runs when, in a backward pass.

`loss.backward()` walks the graph of `loss` from the newest node to the leaves. A node may run when
the gradients along *all* edges that lead to it have arrived, and among those that may, the newest
runs first. You write the three pieces that see to it:

1. `compute_dependencies`: how many edges lead to each node;
2. `ReadyQueue`: the nodes that may run, the newest on top;
3. `hand_on`: a node has run, its gradients travel along its edges.

The rest is there: the checks of the arguments, what happens inside one node (its hooks, its
formula), the places where gradients are added up, and `inputs=`. Read it, for it calls what you
write.

A node is an object of the real graph. You need of it

    node.next_functions     pairs (function, output number): where its gradients go, in order. A
                            function is None where no gradient is wanted, and the same function may
                            stand there more than once
    node._sequence_nr()     larger for what was made later; the sinks of leaves (AccumulateGrad)
                            have the largest number there is, all of them the same

and nodes can be keys of a dictionary. `Variable._execution_engine = Engine()` then makes all of
minitorch run on what you wrote.
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
        Where the backward starts. A node that stands there counts one edge for each time it does.

    Returns
    -------
    dict of Node to int
        Every node that can be reached, with the number of edges into it.
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
    """The nodes all of whose gradients are there."""

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
    """Let each gradient travel along its edge, and find out which nodes have become ready.

    Parameters
    ----------
    edges : sequence of (Node or None, int)
        A node's `next_functions`; for the start of the backward, the roots.
    gradients : sequence of (Tensor or None)
        One for each edge. None is a gradient of zeros: nothing has to be added.
    task : GraphTask
        `task.wants(function)` says whether this backward is going there at all; if not, leave the
        edge alone. `task.add_gradient(function, output_nr, gradient)` adds up. `task.dependencies`
        is what your `compute_dependencies` has returned, and `task.ready` is your `ReadyQueue`.
    """
    # <answer hand_on>
    # hint: An edge has been followed even if the gradient along it is None.
    # hint: Two edges may lead to the same node. Each of them brings a gradient, each of them
    #   counts.
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
        """Return True if this backward visits a node; with `inputs=`, only if it leads to one."""
        return self.needed is None or node in self.needed

    def runs(self, node):
        """Tell whether a node is applied; grad() only looks at the gradient of a node where the way ends."""
        if self.needed is None or (self.accumulate_grad and node in self.targets):
            return True
        return any(function in self.needed for function, _ in node.next_functions)

    def add_gradient(self, node, output_nr, gradient):
        """Add to what has arrived at one output of a node."""
        buffer = self.buffers.setdefault(node, [None] * len(node._input_metadata))
        old = buffer[output_nr]
        buffer[output_nr] = gradient if old is None else old + gradient

    def take_gradients(self, node):
        """Return the gradients accumulated for a node that is about to run."""
        return self.buffers.pop(node, [None] * len(node._input_metadata))


def nodes_leading_to(targets, nodes):
    """Those of `nodes` from which one of `targets` can be reached."""
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
    """Takes the place of the compiled engine: ``Variable._execution_engine = Engine()``."""

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
    """Let minitorch run on the engine of a solution."""
    variable = torch.autograd.Variable
    previous = variable._execution_engine
    variable._execution_engine = module.Engine()
    try:
        yield
    finally:
        variable._execution_engine = previous


# what a behaviour is worth, and what to think about when it fails
POINTS = [
    (
        "Begin with a single chain: count, queue and hand_on must agree when a node is ready.",
        {
            "a_chain_multiplies_its_slopes": 4,
            "a_leaf_alone_is_a_graph": 2,
            "an_input_without_requires_grad_gets_nothing": 2,
            "a_broadcast_input_gets_the_sum": 1,
            "a_second_backward_adds_to_grad": 1,
        },
    ),
    (
        "A node has to wait for every edge that leads to it, from whichever node it comes.",
        {
            "a_diamond_adds_up_both_ways": 4,
            "a_way_and_its_short_cut_meet": 3,
            "a_leaf_waits_for_its_last_gradient": 10,
            "a_tensor_hook_sees_the_whole_gradient_once": 1,
            "a_retained_gradient_is_the_whole_one": 1,
        },
    ),
    (
        "The two edges of x * x lead to the same node. Count both, follow both.",
        {
            "both_edges_into_the_same_node_count": 6,
            "both_edges_into_the_same_leaf_count": 4,
            "forty_doublings_apply_forty_nodes": 6,
            "a_recorded_backward_of_meeting_gradients_can_be_differentiated": 1,
        },
    ),
    (
        "The output number says where in the buffer a gradient belongs; a gradient may be None.",
        {
            "outputs_of_one_node_keep_their_gradients_apart": 2,
            "an_output_nobody_used_brings_nothing": 2,
        },
    ),
    (
        "The node made last runs first, and not the one that became ready last.",
        {
            "a_chain_runs_backward": 2,
            "of_two_ready_nodes_the_newer_runs_first": 8,
            "the_age_of_a_node_counts_and_not_its_edge": 6,
            "a_complete_leaf_gets_its_gradient_at_once": 4,
        },
    ),
    (
        "No function may call itself for each node: Python's stack holds about a thousand calls.",
        {"a_deep_graph_needs_no_deep_stack": 2},
    ),
    (
        "Each appearance among the roots is one more edge into the node.",
        {
            "several_roots_run_together": 2,
            "a_root_may_lie_below_another": 2,
            "the_same_root_twice_counts_twice": 2,
            "a_root_of_any_shape_takes_a_vector": 1,
            "a_gradient_edge_is_a_root": 1,
        },
    ),
    (
        "Ask task.wants before you follow an edge, and leave an unwanted one alone.",
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
        "Nothing may be left over from one call to the next: keep all state in the task.",
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
        "This is done by what is given; it works once the rest does.",
        {
            "saved_tensors_go_as_soon_as_their_node_has_run": 1,
            "a_recorded_backward_can_be_differentiated": 1,
            "a_tensor_hook_replaces_the_gradient": 1,
            "hooks_of_a_node_surround_it": 1,
        },
    ),
]

# behaviour -> why nobody gets points for it
NOT_GRADED = {
    "a_tensor_outside_every_graph_is_refused": "done before anything of the student's runs",
    "wrong_arguments_are_refused": "done before anything of the student's runs",
    "grad_mode_inside_follows_create_graph": "done by what is given",
    "grad_mode_outside_is_restored": "done by what is given",
    "a_hook_of_a_leaf_comes_before_its_sink": "done by what is given",
}

# wrong answer -> how the tests tell it from others, and what to say
MISCONCEPTIONS = {
    "counts_nodes_not_edges": {
        "fails": {"a_leaf_waits_for_its_last_gradient"},
        "passes": {
            "both_edges_into_the_same_node_count",
            "a_chain_runs_backward",
            "of_two_ready_nodes_the_newer_runs_first",
        },
        "hint": "A leaf with two ways to it gets the first gradient alone: your "
        "compute_dependencies counts a node once however many edges lead to it. (Other nodes hide "
        "it: they are put into the queue too early, but whatever is newer still comes out before "
        "them. Sinks come out at once.)",
    },
    "one_edge_for_each_function": {
        "fails": {"both_edges_into_the_same_node_count", "both_edges_into_the_same_leaf_count"},
        "passes": {"a_leaf_waits_for_its_last_gradient", "of_two_ready_nodes_the_newer_runs_first"},
        "hint": "x * x has two edges to the same function. Your hand_on follows one of them, so "
        "half of the gradient is missing and the function waits for ever.",
    },
    "last_in_first_out": {
        "fails": {
            "of_two_ready_nodes_the_newer_runs_first",
            "the_age_of_a_node_counts_and_not_its_edge",
        },
        "passes": {"a_leaf_waits_for_its_last_gradient", "both_edges_into_the_same_node_count"},
        "hint": "All sums are right, the order is not: your ReadyQueue gives back what was put in "
        "last, and that is not always what was made last.",
    },
}
# </grading>
