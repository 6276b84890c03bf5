"""Write what happens in one node: its hooks, its formula, and the freeing of its saved tensors.

When a node runs, the engine goes through these steps:

1. The *pre-hooks* get the gradients of the node's outputs, and may replace them.
2. The formula computes the gradients of the node's inputs.
3. The *post-hooks* get both, and may replace those of the inputs.
4. The tensors that the node has saved for its formula are freed, unless the graph is kept
   (``retain_graph=True``). So memory shrinks node by node while the pass is running.

If a hook or the formula raises an exception, the pass ends there, and the node keeps its tensors:
the user may remove the hook and try again.

You write three parts:

1. `call_pre_hooks` calls the hooks that `node.register_prehook` has registered;
2. `call_post_hooks` calls those that `node.register_hook` has registered;
3. `evaluate` runs a node.

You may use these functions of minitorch:

    pre_hooks(node), post_hooks(node)  the lists of hooks, in the order of their registration
    apply_node(node, gradients)        computes the formula: a list with one gradient for each edge
    release_variables(node)            frees the saved tensors

The engine below is given. `Variable._execution_engine = Engine()` makes all of minitorch run on it.
"""

import minitorch as torch
from minitorch.autograd.engine_steps import (
    apply_node,
    call_tensor_pre_hooks,
    post_hooks,
    pre_hooks,
    release_variables,
    unpack_arguments,
)

# ---- yours to write


def call_pre_hooks(node, gradients):
    """Call ``hook(gradients)`` for each pre-hook of a node.

    A hook returns None, or a tuple that replaces the gradients for the next hook and for the
    formula. Pass what is not None to `check_result`.

    Parameters
    ----------
    gradients : tuple of (Tensor or None)
        One for each output of the node.

    Returns
    -------
    tuple of (Tensor or None)
        The gradients after the last hook.
    """
    # <answer call_pre_hooks>
    # hint: Each hook sees what the hook before it has returned.
    # hint: Most hooks only look, and return None. Then the gradients stay as they are.
    # hint: For each hook: call it; if the result is not None, check it and let it be the gradients.
    for hook in pre_hooks(node):
        result = hook(gradients)
        if result is not None:
            check_result(result, gradients, hook)
            gradients = result
    return gradients
    # <wrong pre_hooks_see_the_first_gradients>
    #| replaced = gradients
    #| for hook in pre_hooks(node):
    #|     result = hook(gradients)
    #|     if result is not None:
    #|         check_result(result, gradients, hook)
    #|         replaced = result
    #| return replaced
    # <wrong none_skips_the_hooks>
    #|- for hook in pre_hooks(node):
    #|-     result = hook(gradients)
    #|+ for hook in pre_hooks(node):
    #|+     if any(gradient is None for gradient in gradients):
    #|+         break
    #|+     result = hook(gradients)
    # <wrong newest_hook_first>
    #|- for hook in pre_hooks(node):
    #|+ for hook in reversed(pre_hooks(node)):
    # <wrong results_are_not_checked>
    #| for hook in pre_hooks(node):
    #|     gradients = hook(gradients) or gradients
    #| return gradients
    # </answer>


def call_post_hooks(node, grad_inputs, grad_outputs):
    """Call ``hook(grad_inputs, grad_outputs)`` for each post-hook of a node.

    A hook returns None, or a tuple that replaces `grad_inputs`. Pass what is not None to
    `check_result`.

    Parameters
    ----------
    grad_inputs : tuple of (Tensor or None)
        What the formula has computed, one for each edge.
    grad_outputs : tuple of (Tensor or None)
        What the formula was applied to.

    Returns
    -------
    tuple of (Tensor or None)
        `grad_inputs` after the last hook.
    """
    # <answer call_post_hooks>
    # hint: This is `call_pre_hooks` with one more argument, which never changes.
    for hook in post_hooks(node):
        result = hook(grad_inputs, grad_outputs)
        if result is not None:
            check_result(result, grad_inputs, hook)
            grad_inputs = result
    return grad_inputs
    # <wrong newest_hook_first>
    #|- for hook in post_hooks(node):
    #|+ for hook in reversed(post_hooks(node)):
    # <wrong results_are_not_checked>
    #| for hook in post_hooks(node):
    #|     grad_inputs = hook(grad_inputs, grad_outputs) or grad_inputs
    #| return grad_inputs
    # <wrong post_hooks_only_look>
    #| for hook in post_hooks(node):
    #|     hook(grad_inputs, grad_outputs)
    #| return grad_inputs
    # </answer>


def evaluate(node, gradients, keep_graph):
    """Run a node.

    The formula and `apply_node` work with lists, but hooks get tuples.

    Parameters
    ----------
    gradients : list of (Tensor or None)
        One for each output of the node.
    keep_graph : bool
        Whether the node keeps its saved tensors.

    Returns
    -------
    sequence of (Tensor or None)
        One for each edge of the node.
    """
    # <answer evaluate>
    # hint: Hooks get tuples.
    # hint: The post-hooks see the gradients that the formula was applied to, which the pre-hooks
    #   may have replaced.
    # hint: Free at the end: a post-hook may still look at the saved tensors, and after an exception
    #   nothing is freed.
    grad_outputs = call_pre_hooks(node, tuple(gradients))
    grad_inputs = tuple(apply_node(node, grad_outputs))
    grad_inputs = call_post_hooks(node, grad_inputs, grad_outputs)
    if not keep_graph:
        release_variables(node)
    return grad_inputs
    # <wrong freed_before_the_post_hooks>
    #| grad_outputs = call_pre_hooks(node, tuple(gradients))
    #| grad_inputs = tuple(apply_node(node, grad_outputs))
    #| if not keep_graph:
    #|     release_variables(node)
    #| return call_post_hooks(node, grad_inputs, grad_outputs)
    # <wrong never_freed>
    #| grad_outputs = call_pre_hooks(node, tuple(gradients))
    #| grad_inputs = tuple(apply_node(node, grad_outputs))
    #| return call_post_hooks(node, grad_inputs, grad_outputs)
    # <wrong always_freed>
    #| grad_outputs = call_pre_hooks(node, tuple(gradients))
    #| grad_inputs = tuple(apply_node(node, grad_outputs))
    #| grad_inputs = call_post_hooks(node, grad_inputs, grad_outputs)
    #| release_variables(node)
    #| return grad_inputs
    # <wrong freed_after_an_exception>
    #| try:
    #|     grad_outputs = call_pre_hooks(node, tuple(gradients))
    #|     grad_inputs = tuple(apply_node(node, grad_outputs))
    #|     return call_post_hooks(node, grad_inputs, grad_outputs)
    #| finally:
    #|     if not keep_graph:
    #|         release_variables(node)
    # <wrong post_hooks_see_what_came_in>
    #| gradients = tuple(gradients)
    #| grad_inputs = tuple(apply_node(node, call_pre_hooks(node, gradients)))
    #| grad_inputs = call_post_hooks(node, grad_inputs, gradients)
    #| if not keep_graph:
    #|     release_variables(node)
    #| return grad_inputs
    # <wrong hooks_get_lists>
    #| grad_outputs = call_pre_hooks(node, gradients)
    #| grad_inputs = call_post_hooks(node, apply_node(node, grad_outputs), grad_outputs)
    #| if not keep_graph:
    #|     release_variables(node)
    #| return grad_inputs
    # <wrong hooks_called_twice>
    #| call_pre_hooks(node, tuple(gradients))
    #| grad_outputs = call_pre_hooks(node, tuple(gradients))
    #| grad_inputs = tuple(apply_node(node, grad_outputs))
    #| call_post_hooks(node, grad_inputs, grad_outputs)
    #| grad_inputs = call_post_hooks(node, grad_inputs, grad_outputs)
    #| if not keep_graph:
    #|     release_variables(node)
    #| return grad_inputs
    # </answer>


# ---- given


def check_result(result, gradients, hook):
    """Raise an exception if what a hook has returned cannot replace the gradients."""
    if not isinstance(result, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(result).__name__}'")
    if len(result) != len(gradients):
        raise RuntimeError(
            f"hook '{hook.__name__}' has returned an incorrect number of values (got "
            f"{len(result)}, but expected {len(gradients)})"
        )


def newest_first(roots):
    """Return all nodes below the roots; each comes after every node with an edge to it."""
    found, stack = {}, list(roots)
    while stack:
        node = stack.pop()
        if node is not None and node not in found:
            found[node] = node._sequence_nr() if node.next_functions else -1
            stack += [function for function, _ in node.next_functions]
    return sorted(found, key=found.get, reverse=True)


class Engine:
    """An engine for `backward()` and `grad()`; ``backward(inputs=...)`` is left out."""

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
            captured, arrived = [None] * len(ends), {}
            for node, output_nr, gradient in roots:
                self.add((node, output_nr), gradient, arrived)
            for node in newest_first([root[0] for root in roots]):
                gradients = [arrived.pop((node, k), None) for k in range(len(node._input_metadata))]
                gradients = call_tensor_pre_hooks(node, gradients)
                for index, (target, output_nr, _) in enumerate(ends):
                    if target is node:
                        captured[index] = gradients[output_nr]
                if node.next_functions or not ends:
                    results = evaluate(node, gradients, keep_graph)
                    for edge, gradient in zip(node.next_functions, results, strict=True):
                        self.add(edge, gradient, arrived)
        return () if accumulate_grad else tuple(captured)

    def add(self, edge, gradient, arrived):
        if edge[0] is not None and gradient is not None:
            arrived[edge] = gradient if edge not in arrived else arrived[edge] + gradient


# <tests>
from exercises.engines import first_of, install_engine, leaves, retire_engine, vector
from exercises.scenario import error_of, scenario

ABOUT = {
    "number": 10,
    "title": "Hooks and freeing",
    "part": "The engine",
    "goal": "Run one node: call its hooks around the formula, and free what it has saved.",
    "reading": [
        "learn/backward/07_evaluate",
        "learn/side_paths/hooks",
        "learn/side_paths/memory",
    ],
    "difficulty": 2,
    "importance": 4,
    "hours": 3,
}


def install(piece):
    return install_engine(piece)


def retire():
    """Remove the compiled engine and what it does in one node."""
    retire_engine("call_function")


def scaled(factor, log=None):
    """Return a pre-hook that multiplies the gradients and logs what it sees."""

    def hook(gradients):
        if log is not None:
            log.append([factor, type(gradients).__name__, list(gradients)])
        return tuple(None if g is None else g * factor for g in gradients)

    return hook


@scenario(points=2, idea="Without hooks, the results are those of the formula.")
def without_hooks_the_formula_counts(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    (x * w * draw.integer(2, 9)).backward(vector(draw))
    yield "gradients", [x.grad, w.grad]


@scenario(
    points=2,
    idea="What a pre-hook returns replaces the gradients.",
    page="learn/side_paths/hooks",
)
def a_pre_hook_replaces_the_gradients(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    y = x * draw.integer(2, 9)
    y.grad_fn.register_prehook(scaled(draw.integer(2, 9)))
    y.backward(vector(draw))
    yield "x.grad", x.grad


@scenario(
    points=10,
    idea="Each pre-hook sees what the one registered before it has returned.",
    page="learn/side_paths/hooks",
)
def pre_hooks_form_a_chain(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    y, log = x * x, []
    for factor in draw.shuffled([2, 3, 5]):
        y.grad_fn.register_prehook(scaled(factor, log))
    y.backward(vector(draw))
    yield "what the hooks saw", list(log)
    yield "x.grad", x.grad
    (w,) = leaves(draw, 1, 3, 2)
    rows = w.unbind(0)
    a, b, _ = order = draw.shuffled(range(3))
    node = rows[0].grad_fn
    node.register_prehook(scaled(draw.integer(2, 9), log))
    node.register_prehook(lambda gs: tuple(None if k == a else g for k, g in enumerate(gs)))
    torch.autograd.backward([rows[a], rows[b]], [vector(draw), vector(draw)])
    yield "two of three rows, and one taken out", [order, log, w.grad]


@scenario(
    points=10,
    idea="Each post-hook sees what the one registered before it has returned.",
    page="learn/side_paths/hooks",
)
def post_hooks_form_a_chain(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    y, log = x * w, []
    y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: None)
    for factor in draw.shuffled([2, 3, 5]):
        hook = scaled(factor, log)
        y.grad_fn.register_hook(lambda grad_inputs, grad_outputs, hook=hook: hook(grad_inputs))
    y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: (grad_inputs[1], None))
    y.backward(vector(draw))
    yield "what the hooks saw", log
    yield "gradients", [x.grad, w.grad]


@scenario(
    points=10,
    idea="A post-hook sees what the formula was applied to, after all pre-hooks.",
    page="learn/side_paths/hooks",
)
def a_post_hook_sees_the_replaced_gradients(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    y, seen = x * draw.integer(2, 9), []
    y.grad_fn.register_prehook(scaled(draw.integer(2, 9)))
    y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: seen.append(grad_outputs))
    y.backward(vector(draw))
    yield "seen", [[type(gradients).__name__, gradients] for gradients in seen]
    yield "x.grad", x.grad


@scenario(
    points=6,
    idea="A hook that returns None has only looked.",
    page="learn/side_paths/hooks",
)
def none_replaces_nothing(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    y, seen = x * draw.integer(2, 9), []
    y.grad_fn.register_prehook(scaled(draw.integer(2, 9)))
    y.grad_fn.register_prehook(lambda grad_outputs: seen.append(grad_outputs))
    y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: (grad_inputs[0] * 2, None))
    y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: seen.append(grad_inputs))
    y.backward(vector(draw))
    yield "seen", seen
    yield "x.grad", x.grad


@scenario(
    points=4, idea="Each hook is called once, also at a leaf's node and if no gradient arrives."
)
def each_hook_is_called_once(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    y, z, log = x * x * draw.integer(2, 9), x * 2, []
    sink = torch.autograd.graph.get_gradient_edge(x).node
    for name, node in draw.shuffled([("y", y.grad_fn), ("z", z.grad_fn), ("x", sink)]):
        node.register_prehook(lambda gradients, name=name: log.append(f"before {name}"))
        node.register_hook(lambda inputs, outputs, name=name: log.append(f"after {name}"))
    first_of()(y, z).backward(vector(draw))
    yield "calls", log
    yield "x.grad", x.grad


@scenario(points=10, idea="A hook returns None or a tuple of the same length; check it.")
def a_wrong_result_is_an_error(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    number = draw.integer(0, 99)
    for result in [(), (None, None, None), [None], number - number, f"{number}"]:
        y = x * 2
        handle = y.grad_fn.register_prehook(lambda gradients, result=result: result)
        yield "before", error_of(y.backward, vector(draw))
        handle.remove()
        y.grad_fn.register_hook(lambda inputs, outputs, result=result: result)
        yield "after", error_of(y.backward, vector(draw))
    yield "number and x.grad", [number, x.grad]


@scenario(
    points=8,
    idea="After a backward pass the saved tensors are gone.",
    page="learn/side_paths/memory",
)
def a_graph_serves_once(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    y = x * x * draw.integer(2, 9)
    y.backward(vector(draw))
    yield "the second time", error_of(y.backward, vector(draw))
    yield "x.grad", x.grad


@scenario(
    points=8,
    idea="With retain_graph, nothing is freed.",
    page="learn/side_paths/memory",
)
def a_retained_graph_serves_again(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    y = x * x * draw.integer(2, 9)
    for _ in range(3):
        y.backward(vector(draw), retain_graph=True)
        yield "x.grad", x.grad
    y.backward(vector(draw))
    yield "x.grad at last", x.grad


@scenario(
    points=10,
    idea="A node frees its tensors when it has run: after its post-hooks, before the next node.",
    page="learn/side_paths/memory",
)
def tensors_are_freed_after_the_post_hooks(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    a = x * draw.integer(2, 9)
    y, seen = a * a, []
    node = y.grad_fn

    def look(*gradients):
        try:
            seen.append(node._saved_self)
        except RuntimeError as error:
            seen.append(str(error)[:30])

    node.register_prehook(look)
    node.register_hook(look)
    a.grad_fn.register_prehook(look)
    y.backward(vector(draw))
    yield "seen before, after, and by the next node", seen


@scenario(
    points=10,
    idea="After an exception the node keeps its tensors, so that the pass can be repeated.",
    page="learn/side_paths/hooks",
)
def an_exception_frees_nothing(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    message = f"from the hook {draw.integer(100, 999)}"

    def hook(*gradients):
        raise KeyError(message)

    y = x * x
    for register in draw.shuffled([y.grad_fn.register_prehook, y.grad_fn.register_hook]):
        handle = register(hook)
        yield "the error", error_of(y.backward, vector(draw))
        handle.remove()
    y.backward(vector(draw))
    yield "x.grad", x.grad

    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            ctx.save_for_backward(a)
            return a * a

        @staticmethod
        def backward(ctx, grad):
            (a,) = ctx.saved_tensors
            if calls.pop():
                raise KeyError(message)
            return grad * a * 2

    calls, y = [False, True], Fails.apply(x)
    yield "an error in the formula", error_of(y.backward, vector(draw))
    yield "the second time", [error_of(y.backward, vector(draw)), x.grad]


# </tests>


# <hidden>
from exercises.engines import reference  # noqa: F401 (the check compares with it)


@scenario(
    points=6,
    idea="Hooks of all kinds work together.",
    page="learn/side_paths/hooks",
    hidden=True,
)
def drawn_hooks(torch, piece, draw):
    (w,), (m,) = leaves(draw, 1, 2), leaves(draw, 1, 2, 2)
    y, log, nodes = m.unbind(0)[draw.integer(0, 1)], [], []
    for _ in range(4):
        nodes.append(y.grad_fn)
        y = y * w if draw.integer(0, 1) else w * y
    unused = w * draw.integer(2, 9)
    nodes += [y.grad_fn, unused.grad_fn, torch.autograd.graph.get_gradient_edge(m).node]
    for node in nodes:
        for k in range(draw.integer(2, 4)):
            hook = scaled(draw.integer(2, 9), log)
            if k % 2:
                node.register_prehook(hook)
            else:

                def both(grad_inputs, grad_outputs, hook=hook):
                    log.append(list(grad_outputs))
                    return hook(grad_inputs)

                node.register_hook(both)
    first_of()(y, unused).backward(vector(draw))
    yield "what the hooks saw", log
    yield "gradients", [m.grad, w.grad]


@scenario(
    points=4,
    idea="A hook may remove hooks while the list is gone through.",
    page="learn/side_paths/hooks",
    hidden=True,
)
def a_hook_may_remove_itself(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    y, log = x * draw.integer(2, 9), []
    handles = {}

    def hook(*gradients, name):
        log.append(name)
        if name in handles:
            handles.pop(name).remove()

    for name in draw.shuffled("abcd"):
        handle = y.grad_fn.register_prehook(lambda *gradients, name=name: hook(name=name))
        if name in "ac":
            handles[name] = handle
    for _ in range(2):
        y.backward(vector(draw), retain_graph=True)
        log.append("again")
    yield "calls", log
    yield "x.grad", x.grad


MISTAKES = {
    "pre_hooks_see_the_first_gradients": "Your pre-hooks all get the gradients that arrived. Each "
    "should get what the hook before it has returned.",
    "none_skips_the_hooks": "Your pre-hooks are not called if one of the gradients is None. A hook "
    "also has to see what has arrived at the other outputs.",
    "newest_hook_first": "Your hooks run from the newest to the oldest. They should run in the order "
    "in which they were registered.",
    "results_are_not_checked": "You do not pass what hooks return to check_result, so a wrong result "
    "leads to a strange error later, or to none.",
    "post_hooks_only_look": "Your call_post_hooks ignores what the hooks return.",
    "freed_before_the_post_hooks": "You free the saved tensors before the post-hooks are called, which "
    "may still want to look at them.",
    "never_freed": "You never free the saved tensors, so the memory of a graph is kept until the "
    "graph itself goes.",
    "always_freed": "You free the saved tensors although the graph is to be kept.",
    "freed_after_an_exception": "You free the saved tensors even after an exception. Then the pass "
    "cannot be repeated.",
    "post_hooks_see_what_came_in": "Your post-hooks see the gradients from before the pre-hooks. "
    "They should see what the formula was applied to.",
    "hooks_get_lists": "Your hooks get lists. They should get tuples, which they cannot change.",
    "hooks_called_twice": "You call the hooks of a node twice.",
}
# </hidden>
