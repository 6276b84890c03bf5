"""What an engine promises, as functions over whatever engine is installed.

Each function of `BEHAVIOURS` is called with the package to use as `torch` and asserts one behaviour
of ``torch.autograd.Variable._execution_engine``. test_engine_behaviour.py calls them with minitorch
and its own engine, and with PyTorch, which says whether what they expect is right;
the assignments on the engine in ``exercises/assignments`` ask for the same behaviours.

All numbers are small integers, so that sums are exact in whichever order they are added up.
"""

import gc
import threading

BEHAVIOURS = {}


def behaviour(function):
    """Add a function to `BEHAVIOURS`."""
    BEHAVIOURS[function.__name__] = function
    return function


def leaf(torch, *values):
    return torch.tensor(list(values), requires_grad=True)


def number(torch, value):
    return torch.tensor(float(value), requires_grad=True)


def nodes_below(*roots):
    """Every node that can be reached, each once."""
    found, stack = [], [root.grad_fn for root in roots]
    while stack:
        node = stack.pop()
        if node is not None and node not in found:
            found.append(node)
            stack += [function for function, _ in node.next_functions]
    return found


def watch(*roots, **tensors):
    """A list to which every node below the roots adds its name as it runs.

    The name is the keyword under which the tensor that the node made was given, or the leaf whose
    sink it is.
    """
    ran = []

    def watch_node(node):
        made = [
            name
            for name, tensor in tensors.items()
            if tensor.grad_fn is node or getattr(node, "variable", None) is tensor
        ]
        name = made[0] if made else node.name()
        node.register_hook(lambda grad_inputs, grad_outputs: ran.append(name))

    for node in nodes_below(*roots):
        watch_node(node)
    return ran


def error_of(function, *arguments, **keywords):
    """The exception that a call raises."""
    try:
        function(*arguments, **keywords)
    except Exception as error:  # noqa: BLE001 (the caller compares type and text)
        return error
    raise AssertionError("nothing was raised")


# -- what a backward computes --------------------------------------------------------------------


@behaviour
def a_chain_multiplies_its_slopes(torch):
    x = leaf(torch, 1.0, 2.0)
    y = (x * 2) * 5
    y.backward(torch.ones(2))
    assert x.grad.tolist() == [10.0, 10.0]


@behaviour
def a_diamond_adds_up_both_ways(torch):
    x = leaf(torch, 1.0, 2.0)
    a = x * 2
    b, c = a * 3, a * 4
    loss = (b + c).sum()
    ran = watch(loss, a=a)
    loss.backward()
    assert x.grad.tolist() == [14.0, 14.0]
    assert ran.count("a") == 1


@behaviour
def a_way_and_its_short_cut_meet(torch):
    x = leaf(torch, 1.0)
    y = x * 1
    long = y
    for _ in range(5):
        long = long * 2
    loss = (long + y).sum()
    ran = watch(loss, y=y)
    loss.backward()
    assert x.grad.tolist() == [33.0]
    assert ran.count("y") == 1


@behaviour
def both_edges_into_the_same_node_count(torch):
    x = leaf(torch, 3.0)
    a = x * 1
    loss = (a * a).sum()
    loss.backward()
    assert x.grad.tolist() == [6.0]


@behaviour
def both_edges_into_the_same_leaf_count(torch):
    x = leaf(torch, 3.0)
    (x * x).sum().backward()
    assert x.grad.tolist() == [6.0]


@behaviour
def forty_doublings_apply_forty_nodes(torch):
    x = leaf(torch, 1.0)
    y = x
    for _ in range(40):
        y = y + y
    ran = watch(y)
    y.backward(torch.ones(1))
    assert x.grad.tolist() == [2.0**40]
    assert ran.count("AddBackward0") == 40
    assert len(ran) == 41


@behaviour
def outputs_of_one_node_keep_their_gradients_apart(torch):
    x = leaf(torch, 1.0, 2.0, 3.0)
    a, b, c = x.unbind(0)
    (a * 2 + c * 7 + b * 5).backward()
    assert x.grad.tolist() == [2.0, 5.0, 7.0]


@behaviour
def an_output_nobody_used_brings_nothing(torch):
    x = leaf(torch, 1.0, 2.0, 3.0)
    _, b, _ = x.unbind(0)
    (b * 2).backward()
    assert x.grad.tolist() == [0.0, 2.0, 0.0]


@behaviour
def an_input_without_requires_grad_gets_nothing(torch):
    x, w = leaf(torch, 2.0), torch.tensor([3.0])
    (x * w).sum().backward()
    assert x.grad.tolist() == [3.0]
    assert w.grad is None


@behaviour
def a_broadcast_input_gets_the_sum(torch):
    x, w = leaf(torch, 1.0, 2.0, 3.0), number(torch, 10)
    (x * w).sum().backward()
    assert x.grad.tolist() == [10.0, 10.0, 10.0]
    assert w.grad.tolist() == 6.0


@behaviour
def a_leaf_alone_is_a_graph(torch):
    x = number(torch, 3)
    x.backward()
    assert x.grad.tolist() == 1.0


@behaviour
def a_deep_graph_needs_no_deep_stack(torch):
    x = leaf(torch, 1.0)
    y = x
    for _ in range(5000):
        y = y + 1
    y.backward(torch.ones(1))
    assert x.grad.tolist() == [1.0]


@behaviour
def a_second_backward_adds_to_grad(torch):
    x = leaf(torch, 1.0)
    (x * 2).backward(torch.ones(1))
    (x * 3).backward(torch.ones(1))
    assert x.grad.tolist() == [5.0]


# -- the order -----------------------------------------------------------------------------------


@behaviour
def a_chain_runs_backward(torch):
    x = leaf(torch, 1.0)
    a = x * 2
    b = a * 3
    c = b * 4
    ran = watch(c, x=x, a=a, b=b, c=c)
    c.backward(torch.ones(1))
    assert ran == ["c", "b", "a", "x"]


@behaviour
def of_two_ready_nodes_the_newer_runs_first(torch):
    x, y = leaf(torch, 1.0), leaf(torch, 1.0)
    a1 = x * 2
    b1 = y * 2
    a2 = a1 * 2
    b2 = b1 * 2
    loss = a2 + b2
    ran = watch(loss, a1=a1, b1=b1, a2=a2, b2=b2, loss=loss)
    loss.backward(torch.ones(1))
    # b1 became ready after a2 did, and is older
    assert [name for name in ran if "Accumulate" not in name] == ["loss", "b2", "a2", "b1", "a1"]


@behaviour
def the_age_of_a_node_counts_and_not_its_edge(torch):
    x = leaf(torch, 1.0)
    new = []
    old = x * 2
    for _ in range(4):
        new.append(x * 2)
    loss = new[1] + old
    loss = new[3] + loss
    loss = loss + new[0]
    loss = new[2] + loss
    ran = watch(loss, old=old, **{f"new{k}": tensor for k, tensor in enumerate(new)})
    loss.backward(torch.ones(1))
    assert [name for name in ran if name[:3] in ("old", "new")] == [
        "new3",
        "new2",
        "new1",
        "new0",
        "old",
    ]


@behaviour
def a_complete_leaf_gets_its_gradient_at_once(torch):
    x, w = leaf(torch, 1.0), leaf(torch, 1.0)
    a = x * 2
    b = a * w
    loss = b * 3
    ran = watch(loss, x=x, w=w, a=a, b=b, loss=loss)
    loss.backward(torch.ones(1))
    assert ran == ["loss", "b", "w", "a", "x"]


@behaviour
def a_leaf_waits_for_its_last_gradient(torch):
    x = leaf(torch, 1.0)
    a = x * 2
    b = a * x
    ran = watch(b, x=x, a=a, b=b)
    b.backward(torch.ones(1))
    assert ran == ["b", "a", "x"]
    assert x.grad.tolist() == [4.0]


# -- roots ---------------------------------------------------------------------------------------


@behaviour
def several_roots_run_together(torch):
    x = leaf(torch, 1.0)
    a = x * 2
    b, c = a * 3, a * 5
    ran = watch(b, c, a=a)
    torch.autograd.backward([b, c], [torch.ones(1), torch.ones(1)])
    assert x.grad.tolist() == [16.0]
    assert ran.count("a") == 1


@behaviour
def a_root_may_lie_below_another(torch):
    x = leaf(torch, 1.0)
    a = x * 2
    b = a * 3
    ran = watch(b, a=a)
    torch.autograd.backward([a, b], [torch.ones(1), torch.ones(1)])
    assert x.grad.tolist() == [8.0]
    assert ran.count("a") == 1


@behaviour
def the_same_root_twice_counts_twice(torch):
    x = leaf(torch, 1.0)
    a = x * 2
    ran = watch(a, a=a)
    torch.autograd.backward([a, a], [torch.ones(1), torch.ones(1)])
    assert x.grad.tolist() == [4.0]
    assert ran.count("a") == 1


@behaviour
def a_root_of_any_shape_takes_a_vector(torch):
    x = leaf(torch, 1.0, 2.0)
    (x * x).backward(torch.tensor([3.0, 5.0]))
    assert x.grad.tolist() == [6.0, 20.0]


@behaviour
def a_gradient_edge_is_a_root(torch):
    x = leaf(torch, 1.0, 2.0)
    edge = torch.autograd.graph.get_gradient_edge(x * 4)
    torch.autograd.backward([edge], [torch.tensor([1.0, 2.0])])
    assert x.grad.tolist() == [4.0, 8.0]


# -- inputs= -------------------------------------------------------------------------------------


@behaviour
def grad_returns_and_does_not_accumulate(torch):
    x, w = leaf(torch, 2.0), leaf(torch, 3.0)
    y = (x * w).sum()
    dx, dw = torch.autograd.grad(y, [x, w])
    assert (dx.tolist(), dw.tolist()) == ([3.0], [2.0])
    assert x.grad is None and w.grad is None


@behaviour
def grad_of_an_inner_tensor(torch):
    x = leaf(torch, 2.0)
    a = x * 3
    y = (a * a).sum()
    (da,) = torch.autograd.grad(y, a)
    assert da.tolist() == [12.0]
    assert x.grad is None


@behaviour
def grad_of_a_tensor_and_of_what_it_was_made_from(torch):
    x = leaf(torch, 2.0)
    a = x * 3
    y = (a * a).sum()
    da, dx = torch.autograd.grad(y, [a, x])
    assert (da.tolist(), dx.tolist()) == ([12.0], [36.0])


@behaviour
def grad_of_a_root_is_what_was_given(torch):
    x = leaf(torch, 2.0)
    y = x * 3
    (dy,) = torch.autograd.grad(y, y, torch.tensor([7.0]))
    assert dy.tolist() == [7.0]


@behaviour
def one_output_of_a_node_is_an_input(torch):
    x = leaf(torch, 1.0, 2.0)
    a, b = x.unbind(0)
    da, db = torch.autograd.grad(a * 3 + b * 5, [a, b])
    assert (da.tolist(), db.tolist()) == (3.0, 5.0)


@behaviour
def an_unused_input_is_an_error_or_none(torch):
    x, w = leaf(torch, 2.0), leaf(torch, 3.0)
    y = (x * 3).sum()
    dx, dw = torch.autograd.grad(y, [x, w], retain_graph=True, allow_unused=True)
    assert dx.tolist() == [3.0] and dw is None
    error = error_of(torch.autograd.grad, y, [x, w])
    assert type(error) is RuntimeError
    assert "appears to not have been used in the graph" in str(error)


@behaviour
def backward_accumulates_into_inputs_alone(torch):
    x, w = leaf(torch, 2.0), leaf(torch, 3.0)
    (x * w).sum().backward(inputs=[x])
    assert x.grad.tolist() == [3.0]
    assert w.grad is None


@behaviour
def backward_accumulates_into_an_inner_input(torch):
    x = leaf(torch, 2.0)
    a = x * 3
    (a * a).sum().backward(inputs=[a])
    assert a.grad.tolist() == [12.0]
    assert x.grad is None


@behaviour
def only_nodes_that_lead_to_an_input_run(torch):
    x, w = leaf(torch, 1.0), leaf(torch, 1.0)
    a, b = x * 2, w * 2
    c, d = a * 3, b * 3
    y = c + d
    ran = watch(y, x=x, w=w, a=a, b=b, c=c, d=d, y=y)
    torch.autograd.backward(y, torch.ones(1), inputs=[x])
    assert ran == ["y", "c", "a", "x"]


@behaviour
def the_node_of_an_inner_input_runs_and_no_other(torch):
    x = leaf(torch, 1.0)
    a = x * 2
    y = a * 3
    ran = watch(y, a=a, y=y)
    y.backward(torch.ones(1), inputs=[a])
    assert ran == ["y", "a"]
    assert a.grad.tolist() == [3.0]
    assert x.grad is None


# -- keeping and recording the graph -------------------------------------------------------------


@behaviour
def a_graph_serves_once(torch):
    x = leaf(torch, 2.0)
    y = (x * x).sum()
    y.backward()
    error = error_of(y.backward)
    assert type(error) is RuntimeError
    assert str(error).startswith("Trying to backward through the graph a second time")
    assert x.grad.tolist() == [4.0]


@behaviour
def a_retained_graph_serves_again(torch):
    x = leaf(torch, 2.0)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.tolist() == [8.0]


@behaviour
def saved_tensors_go_as_soon_as_their_node_has_run(torch):
    x = leaf(torch, 2.0)
    a = x * 1
    y = (a * a).sum()
    node, seen = y.grad_fn.next_functions[0][0], []

    def look(grad):
        error = error_of(getattr, node, "_saved_self")
        seen.append(str(error)[:18])

    a.register_hook(look)
    y.backward()
    assert seen == ["Trying to backward"]


@behaviour
def a_recorded_backward_can_be_differentiated(torch):
    x = leaf(torch, 2.0)
    y = (x * x * x).sum()
    (dx,) = torch.autograd.grad(y, x, create_graph=True)
    assert dx.tolist() == [12.0]
    (ddx,) = torch.autograd.grad(dx.sum(), x)
    assert ddx.tolist() == [12.0]


@behaviour
def a_recorded_backward_of_meeting_gradients_can_be_differentiated(torch):
    x = leaf(torch, 2.0)
    a = x * x
    y = (a * a).sum()
    (dx,) = torch.autograd.grad(y, x, create_graph=True)
    assert dx.tolist() == [32.0]
    (ddx,) = torch.autograd.grad(dx.sum(), x)
    assert ddx.tolist() == [48.0]


@behaviour
def grad_mode_inside_follows_create_graph(torch):
    for create_graph in (False, True):
        x = leaf(torch, 2.0)
        a, seen = x * 3, []
        a.register_hook(lambda grad, seen=seen: seen.append(torch.is_grad_enabled()))
        torch.autograd.grad(a.sum(), x, create_graph=create_graph)
        assert seen == [create_graph]
        assert torch.is_grad_enabled()


@behaviour
def grad_mode_outside_is_restored(torch):
    x = leaf(torch, 2.0)
    y = (x * 3).sum()
    with torch.no_grad():
        torch.autograd.grad(y, x, create_graph=True, retain_graph=True)
        assert not torch.is_grad_enabled()
        y.backward()
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()
    assert x.grad.tolist() == [3.0]


# -- hooks ---------------------------------------------------------------------------------------


@behaviour
def a_tensor_hook_sees_the_whole_gradient_once(torch):
    x = leaf(torch, 1.0)
    a, seen = x * 2, []
    a.register_hook(lambda grad: seen.append(grad.tolist()))
    (a * 3 + a * 4).backward(torch.ones(1))
    assert seen == [[7.0]]


@behaviour
def a_tensor_hook_replaces_the_gradient(torch):
    x = leaf(torch, 1.0)
    a = x * 2
    a.register_hook(lambda grad: grad * 10)
    (a * 3).backward(torch.ones(1))
    assert x.grad.tolist() == [60.0]


@behaviour
def a_hook_of_a_leaf_comes_before_its_sink(torch):
    x = leaf(torch, 1.0)
    seen = []
    x.register_hook(lambda grad: seen.append((grad.tolist(), x.grad)))
    (x * 3).backward(torch.ones(1))
    assert seen == [([3.0], None)]


@behaviour
def hooks_of_a_node_surround_it(torch):
    x = leaf(torch, 1.0)
    y = x * 2
    y.grad_fn.register_prehook(lambda grad_outputs: (grad_outputs[0] * 10,))
    y.grad_fn.register_hook(
        lambda grad_inputs, grad_outputs: (grad_inputs[0] + grad_outputs[0], *grad_inputs[1:])
    )
    y.backward(torch.ones(1))
    assert x.grad.tolist() == [30.0]


@behaviour
def a_retained_gradient_is_the_whole_one(torch):
    x = leaf(torch, 1.0)
    a = x * 2
    a.retain_grad()
    (a * 3 + a * 4).backward(torch.ones(1))
    assert a.grad.tolist() == [7.0]
    assert x.grad.tolist() == [14.0]


@behaviour
def a_backward_may_run_inside_another(torch):
    x, w = leaf(torch, 1.0), leaf(torch, 5.0)
    shared = w * 2
    a, inner = x * 2, []

    def hook(grad):
        with torch.enable_grad():
            y = (shared * 7).sum()
        inner.append(torch.autograd.grad(y, w, retain_graph=True)[0].tolist())

    a.register_hook(hook)
    (a * shared).sum().backward()
    assert inner == [[14.0]]
    assert x.grad.tolist() == [20.0]
    assert w.grad.tolist() == [4.0]


# -- when something goes wrong -------------------------------------------------------------------


@behaviour
def an_error_in_a_hook_comes_out_and_leaves_all_usable(torch):
    x = leaf(torch, 1.0)
    a = x * 2
    y = (a * 3 + a * 4).sum()

    def hook(grad):
        raise KeyError("from the hook")

    handle = a.register_hook(hook)
    error = error_of(y.backward, retain_graph=True)
    assert type(error) is KeyError and error.args == ("from the hook",)
    assert torch.is_grad_enabled()
    assert x.grad is None
    handle.remove()
    y.backward()
    assert x.grad.tolist() == [14.0]


@behaviour
def a_tensor_outside_every_graph_is_refused(torch):
    error = error_of(torch.tensor([1.0]).backward, torch.ones(1))
    assert type(error) is RuntimeError
    assert str(error) == ("element 0 of tensors does not require grad and does not have a grad_fn")


@behaviour
def wrong_arguments_are_refused(torch):
    run = torch.autograd.Variable._execution_engine.run_backward
    x = leaf(torch, 1.0)
    y, one = x * 2, torch.ones(1)
    calls = {
        "tensors argument is expected to be a tuple, but got list": ([y], (one,)),
        "grad_tensors argument is expected to be a tuple, but got list": ((y,), [one]),
        "got 1 tensors and 0 gradients": ((y,), ()),
        "element 0 of tensors tuple is neither a Tensor nor a GradientEdge": ((3,), (one,)),
        "element 0 of gradients tuple is not a Tensor or None": ((y,), (3,)),
        "element 0 of gradients tuple is None, but the corresponding Tensor requires grad": (
            (y,),
            (None,),
        ),
        "inputs to run_backward must be a tuple": ((y,), (one,), [x]),
        "all inputs have to be Tensors or GradientEdges, but got int": ((y,), (one,), (3,)),
        "One of the differentiated Tensors does not require grad": ((y,), (one,), (one,)),
        "grad requires non-empty inputs.": ((y,), (one,), ()),
    }
    for text, (tensors, gradients, *inputs) in calls.items():
        error = error_of(run, tensors, gradients, True, False, *inputs)
        assert type(error) is RuntimeError
        assert str(error).endswith(text)
    assert x.grad is None


# -- memory and threads --------------------------------------------------------------------------


@behaviour
def nothing_of_the_graph_outlives_the_call(torch):
    x = leaf(torch, 1.0)
    freed = []

    class Mark:
        def __del__(self):
            freed.append(True)

    y = (x * 2).sum()
    y.grad_fn.metadata["mark"] = Mark()
    y.backward()
    del y
    gc.collect()
    assert freed == [True]


@behaviour
def threads_may_share_a_leaf(torch):
    x = leaf(torch, 0.0)
    errors = []

    def work():
        try:
            for _ in range(20):
                ((x * 1) + (x * 2)).backward(torch.ones(1))
        except Exception as error:  # noqa: BLE001 (the assertion below shows it)
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert x.grad.tolist() == [240.0]
