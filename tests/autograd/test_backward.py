"""backward() and grad(): arguments, accumulation, layouts, freeing, errors; PyTorch is the oracle."""

import pytest

from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


def leaf(torch, *values):
    return torch.tensor(values, requires_grad=True)


@like_pytorch
def test_scalar_root(torch):
    x = leaf(torch, 1.0, 2.0, 3.0)
    (x * x).sum().backward()
    return x.grad


@like_pytorch
def test_gradients_accumulate_over_calls(torch):
    x = leaf(torch, 1.0, 2.0)
    for _ in range(3):
        (x * x).sum().backward()
    return x.grad


@like_pytorch
def test_accumulation_is_in_place(torch):
    x = leaf(torch, 1.0, 2.0)
    (x * 2).sum().backward()
    first = x.grad
    (x * 2).sum().backward()
    return first, first is x.grad, first._version


@like_pytorch
def test_vector_jacobian_product(torch):
    x = leaf(torch, 1.0, 2.0, 3.0)
    (x * x).backward(torch.tensor([1.0, 0.5, 2.0]))
    return x.grad


@like_pytorch
def test_several_roots_with_and_without_gradient(torch):
    x = leaf(torch, 1.0, 2.0)
    a, b = (x * x).sum(), x * 3
    torch.autograd.backward([a, b], [None, torch.tensor([1.0, 2.0])])
    return x.grad


@like_pytorch
def test_same_root_twice(torch):
    x = leaf(torch, 1.0, 2.0)
    y = (x * x).sum()
    torch.autograd.backward([y, y])
    return x.grad


@like_pytorch
def test_a_root_that_is_a_leaf(torch):
    x = torch.tensor(2.0, requires_grad=True)
    x.backward()
    return x.grad


@like_pytorch
def test_gradient_edge_as_root(torch):
    x = leaf(torch, 1.0, 2.0)
    edge = torch.autograd.graph.get_gradient_edge((x * x).sum())
    torch.autograd.backward(edge)
    return x.grad


@like_pytorch
def test_gradient_edges_as_roots_and_inputs(torch):
    x = leaf(torch, 1.0, 2.0)
    y = x * x
    root = torch.autograd.graph.get_gradient_edge(y.sum())
    end = torch.autograd.graph.get_gradient_edge(y)
    return torch.autograd.grad(root, end)


@like_pytorch
def test_inputs_restricts_accumulation(torch):
    x, w = leaf(torch, 1.0, 2.0), leaf(torch, 3.0, 4.0)
    (x * w).sum().backward(inputs=[w])
    return x.grad, w.grad


@like_pytorch
def test_inputs_may_be_one_tensor(torch):
    x, w = leaf(torch, 1.0, 2.0), leaf(torch, 3.0, 4.0)
    (x * w).sum().backward(inputs=x)
    return x.grad, w.grad


@like_pytorch
def test_inputs_may_be_no_leaf(torch):
    x = leaf(torch, 1.0, 2.0)
    y = x * x
    (y * y).sum().backward(inputs=[y])
    return x.grad, y.grad


@like_pytorch
def test_inputs_leaf_and_its_descendant(torch):
    x = leaf(torch, 1.0, 2.0)
    y = x * x
    (y * y).sum().backward(inputs=[y, x])
    return x.grad, y.grad


@like_pytorch
def test_unreachable_input_of_backward_keeps_none(torch):
    x, w = leaf(torch, 1.0), leaf(torch, 2.0)
    (x * x).sum().backward(inputs=[w, x])
    return x.grad, w.grad


@like_pytorch
def test_grad_returns_and_does_not_accumulate(torch):
    x, w = leaf(torch, 1.0, 2.0), leaf(torch, 3.0, 4.0)
    result = torch.autograd.grad((x * w).sum(), [x, w])
    return result, x.grad, w.grad


@like_pytorch
def test_grad_of_an_intermediate(torch):
    x = leaf(torch, 1.0, 2.0)
    y = x * x
    return torch.autograd.grad((y * y).sum(), [y, x])


@like_pytorch
def test_grad_unused_allowed(torch):
    x, w = leaf(torch, 1.0), leaf(torch, 2.0)
    return torch.autograd.grad((x * x).sum(), [x, w], allow_unused=True)


@like_pytorch
def test_grad_unused_materialized(torch):
    x, w = leaf(torch, 1.0), leaf(torch, 2.0)
    return torch.autograd.grad((x * x).sum(), [x, w], materialize_grads=True)


@like_pytorch
def test_second_derivative(torch):
    x = leaf(torch, 1.0, 2.0)
    (first,) = torch.autograd.grad((x * x * x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
    (third,) = torch.autograd.grad(second.sum(), x)
    return first, second, third


@like_pytorch
def test_create_graph_accumulates_out_of_place(torch):
    x = leaf(torch, 1.0, 2.0)
    (x * x).sum().backward()
    first = x.grad
    (x * x).sum().backward(create_graph=True)
    return first, x.grad is first, x.grad.requires_grad


@like_pytorch
def test_retain_graph_allows_a_second_backward(torch):
    x = leaf(torch, 1.0, 2.0)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    return x.grad


@like_pytorch
def test_nodes_that_save_nothing_can_run_again(torch):
    x = leaf(torch, 1.0, 2.0)
    y = (x + x).sum()
    y.backward()
    y.backward()
    return x.grad


@like_pytorch
def test_the_given_gradient_stays_the_callers(torch):
    x = leaf(torch, 1.0, 2.0)
    g = torch.tensor([1.0, 1.0])
    y = x + 0
    y.backward(g)
    x.grad.add_(1)
    return g, x.grad


@like_pytorch
def test_two_leaves_do_not_share_a_gradient(torch):
    x, w = leaf(torch, 1.0, 2.0), leaf(torch, 1.0, 2.0)
    (x + w).sum().backward()
    x.grad.add_(1)
    return x.grad, w.grad


@like_pytorch
def test_first_gradient_follows_dense_strides(torch):
    x = torch.ones(3, 2).t().requires_grad_()
    (x * torch.ones(2, 3)).sum().backward()
    return x.grad


@like_pytorch
def test_first_gradient_of_a_gapped_leaf_is_row_major(torch):
    x = torch.ones(4, 6)[::2, ::3].detach().requires_grad_()
    (x * 2).sum().backward()
    return x.grad


@like_pytorch
def test_broadcast_operands_get_summed_gradients(torch):
    a = torch.ones(3, 1, requires_grad=True)
    b = torch.ones(4, requires_grad=True)
    c = torch.tensor(2.0, requires_grad=True)
    (a * b * c).sum().backward()
    return a.grad, b.grad, c.grad


@like_pytorch
def test_gradient_has_the_dtype_of_the_leaf(torch):
    a = torch.ones(2, dtype=torch.float64, requires_grad=True)
    b = torch.ones(2, requires_grad=True)
    (a * b).sum().backward()
    return a.grad, b.grad


@like_pytorch
def test_real_leaf_under_a_complex_operator(torch):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    z = a * torch.tensor([1 + 2j, 3 - 1j])
    (z * z.conj()).real.sum().backward()
    return a.grad


@like_pytorch
def test_diamonds(torch):
    y = x = torch.tensor(1.0, requires_grad=True)
    for _ in range(40):
        y = y + y
    y.backward()
    return x.grad


@like_pytorch
def test_retain_grad(torch):
    x = leaf(torch, 1.0, 2.0)
    y = x * 2
    y.retain_grad()
    (y * y).sum().backward()
    return y.grad, y.retains_grad, x.retains_grad


@like_pytorch
def test_grad_of_a_non_leaf_warns(torch):
    x = leaf(torch, 1.0)
    return (x * 2).grad


@like_pytorch
def test_tensor_hooks_replace_the_gradient(torch):
    x = leaf(torch, 1.0, 2.0)
    y = x * 3
    seen = []
    y.register_hook(lambda g: seen.append(g.tolist()))
    y.register_hook(lambda g: g * 2)
    x.register_hook(lambda g: g + 1)
    y.sum().backward()
    return seen, x.grad


@like_pytorch
def test_removed_hooks_are_not_called(torch):
    x = leaf(torch, 1.0)
    handle = x.register_hook(lambda g: g * 100)
    handle.remove()
    x.sum().backward()
    return x.grad


@like_pytorch
def test_node_hooks(torch):
    x = leaf(torch, 1.0, 2.0)
    y = x * 3
    seen = []
    y.grad_fn.register_prehook(lambda gs: (gs[0] * 2,))
    y.grad_fn.register_hook(lambda gi, go: seen.append((len(gi), go[0].tolist())))
    y.sum().backward()
    return seen, x.grad


@like_pytorch
def test_post_accumulate_grad_hook(torch):
    x = leaf(torch, 1.0, 2.0)
    seen = []
    x.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.tolist()))
    (x * 2).sum().backward()
    return seen


@like_pytorch
def test_queue_callback_runs_at_the_end(torch):
    engine = torch.autograd.Variable._execution_engine
    x = leaf(torch, 1.0)
    order = []

    def hook(grad):
        engine.queue_callback(lambda: order.append("callback"))
        order.append("hook")

    x.register_hook(hook)
    (x * 2).sum().backward()
    return order


@like_pytorch
def test_backward_inside_a_hook(torch):
    x, w = leaf(torch, 1.0, 2.0), leaf(torch, 3.0, 4.0)

    def hook(grad):
        with torch.enable_grad():
            (w * w).sum().backward()

    y = x * 2
    y.register_hook(hook)
    y.sum().backward()
    return x.grad, w.grad


@like_pytorch
def test_backward_inside_a_hook_over_the_same_graph(torch):
    x = leaf(torch, 1.0, 2.0)
    y = x * x
    z = (y * 3).sum()
    calls = []

    def hook(grad):
        if not calls:
            calls.append(1)
            z.backward(retain_graph=True)

    y.register_hook(hook)
    z.backward(retain_graph=True)
    return x.grad


ERRORS = {
    "no_grad_needed": lambda t: t.ones(1).backward(),
    "non_scalar": lambda t: (t.ones(3, requires_grad=True) * 2).backward(),
    "complex_scalar": lambda t: (t.ones(3, requires_grad=True).sum() * 1j).backward(),
    "integer_root": lambda t: t.autograd.backward(t.ones(3, dtype=t.int64)),
    "gradient_shape": lambda t: (t.ones(3, requires_grad=True) * 2).backward(t.ones(4)),
    "gradient_complex": lambda t: (t.ones(3, requires_grad=True) * 2).backward(t.ones(3) * 1j),
    "gradient_type": lambda t: (t.ones(3, requires_grad=True) * 2).backward("a"),
    "lengths": lambda t: t.autograd.backward([t.ones(1, requires_grad=True)] * 2, [t.ones(1)]),
    "empty_inputs": lambda t: t.ones(1, requires_grad=True).backward(inputs=[]),
    "both_names": lambda t: t.autograd.backward(
        t.ones(1, requires_grad=True), t.ones(1), grad_variables=t.ones(1)
    ),
    "deprecated_name": lambda t: t.autograd.backward(
        t.ones(1, requires_grad=True), grad_variables=t.ones(1)
    ),
    "unused": lambda t: t.autograd.grad(
        t.ones(1, requires_grad=True).sum(), t.ones(1, requires_grad=True)
    ),
    "input_without_grad": lambda t: t.autograd.grad(t.ones(1, requires_grad=True).sum(), t.ones(1)),
    "materialize_and_not_unused": lambda t: t.autograd.grad(
        t.ones(1, requires_grad=True).sum(),
        t.ones(1, requires_grad=True),
        allow_unused=False,
        materialize_grads=True,
    ),
    "requires_grad_of_integers": lambda t: t.ones(1, dtype=t.int64, requires_grad=True),
    "requires_grad_of_integers_later": lambda t: t.ones(1, dtype=t.int64).requires_grad_(),
    "requires_grad_set": lambda t: setattr(t.ones(1, dtype=t.int64), "requires_grad", True),
    "requires_grad_of_non_leaf": lambda t: setattr(
        t.ones(1, requires_grad=True) * 2, "requires_grad", False
    ),
    "requires_grad_number": lambda t: setattr(t.ones(1), "requires_grad", 1),
    "retain_grad": lambda t: t.ones(1).retain_grad(),
    "grad_of_wrong_type": lambda t: setattr(t.ones(1, requires_grad=True), "grad", "a"),
    "grad_of_wrong_shape": lambda t: setattr(t.ones(1, requires_grad=True), "grad", t.ones(2)),
    "grad_of_wrong_dtype": lambda t: setattr(
        t.ones(1, requires_grad=True), "grad", t.ones(1, dtype=t.float64)
    ),
    "data_of_wrong_type": lambda t: setattr(t.ones(1), "data", 3),
    "hook_without_grad": lambda t: t.ones(1).register_hook(print),
    "numpy_of_recorded": lambda t: t.ones(1, requires_grad=True).numpy(),
}


@pytest.mark.parametrize("name", ERRORS)
def test_bad_input_gets_pytorchs_error(name):
    compare(ERRORS[name])


@like_pytorch
def test_second_backward_raises(torch):
    x = leaf(torch, 1.0, 2.0)
    y = (x * x).sum()
    y.backward()
    y.backward()


@like_pytorch
def test_saved_attributes_are_freed_too(torch):
    x = leaf(torch, 1.0, 2.0)
    y = x * x
    y.sum().backward()
    return y.grad_fn._saved_self


def run_backward(*arguments, **keywords):
    def program(torch):
        x = torch.ones(3, requires_grad=True)
        y = x * 2
        names = {"x": x, "y": y, "g": torch.ones(3), "other": torch.ones(3, requires_grad=True)}

        def known(item):
            if isinstance(item, (tuple, list)):
                return type(item)(known(i) for i in item)
            return names.get(item, item) if isinstance(item, str) else item

        engine = torch.autograd.Variable._execution_engine
        return engine.run_backward(*known(arguments), **known_values(keywords))

    def known_values(values):
        return dict(values)

    return program


ENGINE_CALLS = {
    "tensors_list": run_backward(["y"], ("g",), False, False, ()),
    "grads_list": run_backward(("y",), ["g"], False, False, ()),
    "lengths": run_backward(("y",), (), False, False, ()),
    "not_a_tensor": run_backward((1,), ("g",), False, False, ()),
    "not_a_gradient": run_backward(("y",), (1,), False, False, ()),
    "none_gradient": run_backward(("y",), (None,), False, False, ()),
    "no_grad": run_backward(("g",), ("g",), False, False, ()),
    "inputs_list": run_backward(("y",), ("g",), False, False, ["x"]),
    "input_number": run_backward(("y",), ("g",), False, False, (1,)),
    "input_without_grad": run_backward(("y",), ("g",), False, False, ("g",)),
    "unreachable": run_backward(("y",), ("g",), False, False, ("other",)),
    "unreachable_allowed": run_backward(
        ("y",), ("g",), False, False, ("other",), allow_unreachable=True
    ),
    "grad": run_backward(("y",), ("g",), False, False, ("x",)),
    "unknown_keyword": run_backward(("y",), ("g",), False, False, ("x",), foo=1),
}


@pytest.mark.parametrize("name", ENGINE_CALLS)
def test_run_backward_checks_its_arguments(name):
    compare(ENGINE_CALLS[name])


def test_the_engine_can_be_replaced():
    import minitorch as torch

    variable = torch.autograd.Variable
    original = variable._execution_engine
    calls = []

    class Engine:
        def run_backward(self, tensors, *args, **kwargs):
            calls.append((len(tensors), args, kwargs))
            return original.run_backward(tensors, *args, **kwargs)

    variable._execution_engine = Engine()
    try:
        x = torch.ones(2, requires_grad=True)
        (x * 2).sum().backward()
        torch.autograd.grad((x * 2).sum(), x)
    finally:
        variable._execution_engine = original
    assert len(calls) == 2
    assert calls[0][2] == {"allow_unreachable": True, "accumulate_grad": True}
    assert x.grad.tolist() == [2.0, 2.0]


@like_pytorch
def test_a_sparse_gradient_with_gaps_is_copied_into_grad(torch):
    class Gapped(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            indices = torch.ones(1, 1, dtype=torch.long).expand(1, 3)
            values = torch.ones(1, 2).expand(3, 2)
            given.append(torch.sparse_coo_tensor(indices, values, (4, 2)))
            return given[0]

    given = []
    x = torch.ones(4, 2, requires_grad=True)
    Gapped.apply(x).sum().backward()
    same = x.grad._values().data_ptr() == given[0]._values().data_ptr()
    return same, x.grad._values().stride(), x.grad.to_dense()
