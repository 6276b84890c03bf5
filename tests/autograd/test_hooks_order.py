"""Hooks: order, replacement, removal while they run, further outputs, errors, against PyTorch."""

import gc

import pytest

import minitorch
from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("which", [0, 1, 2])
def test_hooks_of_one_of_several_outputs(which, create_graph):
    def program(torch):
        x = torch.arange(6.0).requires_grad_()
        parts = (x * 1).split(2)
        log = []
        t = parts[which]
        t.register_hook(lambda g: (log.append(("first", g.clone())), g * 10)[1])
        t.retain_grad()
        t.register_hook(lambda g: (log.append(("second", g.clone())), g + 1)[1])
        t.grad_fn.register_prehook(
            lambda grads: (
                log.append(("pre", [g.clone() for g in grads])),
                tuple(g * 100 for g in grads),
            )[1]
        )
        parts[0].register_hook(lambda g: log.append(("of the first output", g.clone())))
        loss = sum((p * (k + 1)).sum() for k, p in enumerate(parts))
        loss.backward(create_graph=create_graph)
        return log, t.grad, x.grad

    compare(program)


@like_pytorch
def test_hooks_on_a_tensor_run_in_the_order_they_came(torch):
    x = torch.ones(2, requires_grad=True)
    log = []
    for t in (x * 2, x):
        handles = [
            t.register_hook(lambda g, k=k: (log.append((k, g.clone())), g + k)[1]) for k in range(4)
        ]
        handles[1].remove()
        t.register_hook(lambda g: log.append("last"))
        (t * 3).sum().backward()
    return log, x.grad


@like_pytorch
def test_a_hook_may_remove_itself_and_others_while_it_runs(torch):
    x = torch.ones(2, requires_grad=True)
    log = []
    y = x * 2
    handles = []
    node_handles = []
    handles.append(
        y.register_hook(lambda g: (log.append("a"), handles[0].remove(), handles[2].remove())[0])
    )
    handles.append(y.register_hook(lambda g: log.append("b")))
    handles.append(y.register_hook(lambda g: log.append("c")))
    node_handles.append(
        y.grad_fn.register_prehook(lambda g: (log.append("pre"), node_handles[0].remove())[0])
    )
    node_handles.append(
        y.grad_fn.register_hook(lambda i, o: (log.append("post"), node_handles[1].remove())[0])
    )
    node_handles.append(y.grad_fn.register_hook(lambda i, o: log.append("post 2")))
    for _ in range(2):
        y.sum().backward(retain_graph=True)
        log.append("-")
    return log, x.grad


@like_pytorch
def test_a_hook_that_adds_a_hook_while_it_runs(torch):
    x = torch.ones(2, requires_grad=True)
    log = []
    y = x * 2

    def add(g):
        log.append("add")
        y.register_hook(lambda g: log.append("added"))

    y.register_hook(add)
    for _ in range(2):
        y.sum().backward(retain_graph=True)
        log.append("-")
    return log


RESULTS = {
    "double": lambda torch, g: g.double(),
    "integer": lambda torch, g: g.long(),
    "longer": lambda torch, g: torch.cat([g, g]),
    "scalar": lambda torch, g: g.sum(),
    "same_count": lambda torch, g: g.view(1, -1),
    "number": lambda torch, g: 3,
    "false": lambda torch, g: False,
    "text": lambda torch, g: "text",
    "tuple": lambda torch, g: (g,),
    "fine": lambda torch, g: g * 2,
    "expanded": lambda torch, g: g[:1].expand(g.shape),
    "sparse": lambda torch, g: g.to_sparse(),
    "meta": lambda torch, g: g.to("meta"),
}


@pytest.mark.parametrize("place", ["tensor", "leaf", "pre", "post", "further"])
@pytest.mark.parametrize("result", RESULTS)
def test_what_a_hook_returns(result, place):
    def program(torch):
        x = torch.ones(4, requires_grad=True)
        a, b = (x * 1).split(2)
        y = b * 2

        def named(g):
            return RESULTS[result](torch, g)

        def pre(grads):
            r = named(grads[0])
            return r if result in ("tuple", "number", "text", "false") else (r,)

        def post(inputs, outputs):
            r = named(inputs[0])
            return r if result in ("tuple", "number", "text", "false") else (r, *inputs[1:])

        if place == "tensor":
            y.register_hook(named)
        elif place == "leaf":
            x.register_hook(named)
        elif place == "further":
            b.register_hook(named)
        elif place == "pre":
            y.grad_fn.register_prehook(pre)
        else:
            y.grad_fn.register_hook(post)
        (y + a).sum().backward()
        return x.grad.to_dense() if x.grad.is_sparse else x.grad

    compare(program)


@pytest.mark.parametrize("length", [0, 1, 2, 3, 4])
def test_how_many_values_a_hook_of_a_node_returns(length):
    def program(torch, place):
        x, w = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
        y = x * w

        def named(*given):
            return tuple(given[0][0] * (k + 2) for k in range(length))

        getattr(y.grad_fn, place)(named)
        y.sum().backward()
        return x.grad, w.grad

    compare(lambda torch: program(torch, "register_hook"))
    compare(lambda torch: program(torch, "register_prehook"))


@pytest.mark.parametrize("where", [0, 1, 2, 3, 4])
def test_a_post_hook_may_replace_each_gradient_by_another_or_by_none(where):
    def program(torch):
        x = [torch.ones(2, requires_grad=True) for _ in range(5)]
        y = torch.stack(x)
        log = []
        for value in (lambda g: g * 10, lambda g: None):
            y.grad_fn.register_hook(
                lambda i, o, value=value: (
                    log.append(len(i)),
                    (*i[:where], value(i[where]), *i[where + 1 :]),
                )[1]
            )
            y.sum().backward(retain_graph=True)
        return [t.grad for t in x], log

    compare(program)


@like_pytorch
def test_post_hooks_see_what_pre_hooks_made_and_what_the_one_before_returned(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    log = []
    y.grad_fn.register_prehook(lambda o: (o[0] * 3,))
    y.grad_fn.register_prehook(lambda o: (o[0] + 1,))
    y.grad_fn.register_hook(
        lambda i, o: (log.append((i[0].clone(), o[0].clone())), (i[0] * 5, *i[1:]))[1]
    )
    y.grad_fn.register_hook(lambda i, o: log.append((i[0].clone(), o[0].clone())))
    y.sum().backward()
    return log, x.grad


class NoGradient:
    @staticmethod
    def of(torch):
        class Nothing(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x.sum()

            @staticmethod
            def backward(ctx, g):
                return None

        return Nothing.apply


@pytest.mark.parametrize("place", ["tensor", "pre", "post"])
@pytest.mark.parametrize("replace", [True, False])
def test_hooks_where_there_is_no_gradient(place, replace):
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        log = []
        value = torch.ones(2) if replace else None

        def named(*given):
            log.append(given)
            return value if place == "tensor" or value is None else (value,) * len(given[0])

        if place == "tensor":
            y.register_hook(named)
        elif place == "pre":
            y.grad_fn.register_prehook(named)
        else:
            y.grad_fn.register_hook(named)
        y.retain_grad()
        NoGradient.of(torch)(y).backward()
        return log, x.grad, y.grad

    compare(program)


@pytest.mark.parametrize("layout", ["transposed", "expanded", "plain"])
@pytest.mark.parametrize("create_graph", [False, True])
def test_strides_and_memory_of_retained_gradients(layout, create_graph):
    def program(torch):
        x = torch.ones(2, 3, requires_grad=True)
        y = x * 2
        y.retain_grad()
        kept = []
        y.register_hook(lambda g: kept.append(g))
        factor = {
            "transposed": torch.arange(6.0).view(3, 2).t(),
            "expanded": None,
            "plain": torch.ones(2, 3),
        }[layout]
        z = y.sum() if factor is None else (y * factor).sum()
        z.backward(create_graph=create_graph, retain_graph=True)
        first = y.grad.clone(), y.grad.stride(), y.grad.data_ptr() == kept[0].data_ptr()
        before = y.grad
        z.backward(create_graph=create_graph)
        return (
            first,
            y.grad,
            y.grad.stride(),
            y.grad is before,
            y.grad.grad_fn and y.grad.grad_fn.name(),
        )

    compare(program)


@pytest.mark.parametrize("which", [0, 1, 2])
def test_retained_gradients_of_further_outputs(which):
    def program(torch):
        x = torch.arange(6.0).requires_grad_()
        parts = (x * 1).split(2)
        parts[which].retain_grad()
        parts[which].retain_grad()
        sum((p * (k + 1)).sum() for k, p in enumerate(parts)).backward()
        return parts[which].grad, parts[which].retains_grad

    compare(program)


@like_pytorch
def test_retain_grad_of_leaves_and_of_what_requires_none(torch):
    x = torch.ones(2, requires_grad=True)
    x.retain_grad()
    results = [x.retains_grad, x.grad]
    (x * 2).sum().backward()
    results.append(x.grad)
    with torch.no_grad():
        y = x * 2
    y.retain_grad()
    return results


def test_retained_gradients_of_a_tensor_that_is_gone():
    torch = minitorch
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.retain_grad()
    z = y.sum()
    del y
    gc.collect()
    z.backward()
    assert x.grad.tolist() == [2, 2]


@like_pytorch
def test_hooks_of_several_tensors_of_one_node(torch):
    x = torch.arange(6.0).requires_grad_()
    parts = (x * 1).split(2)
    log = []
    for k in (2, 0, 1):
        parts[k].register_hook(lambda g, k=k: (log.append((k, g.clone())), g + k)[1])
    parts[0].register_hook(lambda g: log.append((0, g.clone())))
    sum((p * (k + 1)).sum() for k, p in enumerate(parts)).backward()
    return log, x.grad


@like_pytorch
def test_hooks_registered_by_their_dictionary(torch):
    from collections import OrderedDict

    x = torch.arange(6.0).requires_grad_()
    parts = (x * 1).split(2)
    log = []
    parts[1]._backward_hooks = OrderedDict({0: lambda g: log.append(g.clone())})
    parts[1].grad_fn._register_hook_dict(parts[1])
    sum((p * (k + 1)).sum() for k, p in enumerate(parts)).backward()
    return log


@like_pytorch
def test_hooks_are_kept_at_the_tensor(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    before = x._backward_hooks, y._backward_hooks
    handles = [x.register_hook(lambda g: None), y.register_hook(lambda g: None)]
    during = len(x._backward_hooks), len(y._backward_hooks)
    handles[0].remove()
    return before, during, len(x._backward_hooks), len(y._backward_hooks)


@like_pytorch
def test_hooks_and_retained_gradients_stay_or_go_when_a_tensor_is_written_to(torch):
    x = torch.ones(4, requires_grad=True)
    log = []
    y = x * 2
    y.register_hook(lambda g: log.append(("before", g.clone())))
    y.retain_grad()
    y.mul_(3)
    y.register_hook(lambda g: log.append(("after", g.clone())))
    (y * 5).sum().backward()
    first = y.grad.clone(), y.retains_grad
    base = x * 1
    view = base[:2]
    base.retain_grad()
    view.retain_grad()
    base.register_hook(lambda g: log.append(("base before", g.clone())))
    view.register_hook(lambda g: log.append(("view before", g.clone())))
    view.mul_(7)
    base.register_hook(lambda g: log.append(("base after", g.clone())))
    view.register_hook(lambda g: log.append(("view after", g.clone())))
    (base * 2).sum().backward(retain_graph=True)
    (view * 2).sum().backward()
    return log, first, base.grad, view.grad
