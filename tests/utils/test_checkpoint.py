"""torch.utils.checkpoint against PyTorch's: values, gradients and arguments."""

import contextlib
import logging

import pytest

from tests.both import compare, like_pytorch
from tests.utils.checkpoints import KINDS, checkpoints_of, gradients, network, numbers, over_kinds


@pytest.fixture(autouse=True)
def _no_records():
    """PyTorch keeps its log of operators in records that pytest's handlers cannot format.

    They are put on loggers that do not propagate, as this one is left by its first use.
    """
    logging.getLogger("LoggingTensor").propagate = True


# ---- values and gradients


@over_kinds
def test_gradients_are_those_without_a_checkpoint(torch, reentrant):
    x = numbers(torch, 3, 4)
    y = checkpoints_of(torch).checkpoint(
        lambda t: (t.sin() * t).exp().cumsum(0), x, use_reentrant=reentrant
    )
    y.square().sum().backward()
    return y, x.grad, y.grad_fn is not None


@over_kinds
def test_a_network_with_dropout_gets_the_same_numbers_twice(torch, reentrant):
    model = network(torch)
    x = numbers(torch, 5, 4)
    torch.manual_seed(7)
    out = checkpoints_of(torch).checkpoint(model, x, use_reentrant=reentrant)
    after_forward = torch.rand(2)
    out.sum().backward()
    return out, x.grad, gradients(model), after_forward, torch.rand(2)


@over_kinds
def test_without_preserving_the_state_other_numbers_are_drawn(torch, reentrant):
    x = numbers(torch, 6)
    seen = []

    def function(t):
        noise = torch.rand(6)
        seen.append(noise)
        return t * noise * t

    torch.manual_seed(1)
    out = checkpoints_of(torch).checkpoint(
        function, x, use_reentrant=reentrant, preserve_rng_state=False
    )
    out.sum().backward()
    return seen, x.grad, torch.rand(2)


@over_kinds
def test_several_inputs_and_outputs_some_of_which_are_no_tensors(torch, reentrant):
    a, b = numbers(torch, 3), numbers(torch, 3, grad=False)

    def function(a, factor, b, nothing):
        return a * b * factor, "text", a + b, b * 2

    first, text, second, third = checkpoints_of(torch).checkpoint(
        function, a, 3, b, None, use_reentrant=reentrant
    )
    (first.sum() + (second * third).sum()).backward()
    return first, text, second, third, a.grad, b.grad


@over_kinds
def test_only_some_outputs_are_used(torch, reentrant):
    x = numbers(torch, 3)
    first, _ = checkpoints_of(torch).checkpoint(
        lambda t: (t.exp(), t.sin() * t), x, use_reentrant=reentrant
    )
    first.sum().backward()
    return x.grad


@over_kinds
def test_nested_checkpoints(torch, reentrant):
    checkpoint = checkpoints_of(torch).checkpoint
    x = numbers(torch, 4)
    order = []

    def inner(t, name):
        order.append(name)
        return (t * t).sin()

    def outer(t):
        order.append("outer")
        u = checkpoint(inner, t.exp(), "first", use_reentrant=reentrant)
        v = checkpoint(inner, u * 2, "second", use_reentrant=reentrant)
        return v.cos() * u

    checkpoint(lambda t: checkpoint(outer, t, use_reentrant=reentrant), x,
               use_reentrant=reentrant).sum().backward()  # fmt: skip
    return x.grad, order


@pytest.mark.parametrize("outer", KINDS)
def test_one_kind_inside_of_the_other(outer):
    def program(torch):
        checkpoint = checkpoints_of(torch).checkpoint
        x = numbers(torch, 4)

        def function(t):
            return checkpoint(lambda u: (u * u).sin(), t.exp(), use_reentrant=not outer).cos()

        checkpoint(function, x, use_reentrant=outer).sum().backward()
        return x.grad

    compare(program)


@over_kinds
def test_several_backwards_with_retain_graph(torch, reentrant):
    x = numbers(torch, 3)
    runs = []

    def function(t):
        runs.append(len(runs))
        return t.sin().exp()

    y = checkpoints_of(torch).checkpoint(function, x, use_reentrant=reentrant).sum()
    y.backward(retain_graph=True)
    first = x.grad.clone()
    y.backward(retain_graph=True)
    y.backward()
    return first, x.grad, runs


@over_kinds
def test_a_second_backward_without_retain_graph_is_an_error(torch, reentrant):
    x = numbers(torch, 3)
    y = checkpoints_of(torch).checkpoint(lambda t: t.sin() * t, x, use_reentrant=reentrant).sum()
    y.backward()
    y.backward()


@over_kinds
def test_an_argument_written_to_after_the_call_is_an_error(torch, reentrant):
    x = numbers(torch, 3)
    y = x * 1
    z = checkpoints_of(torch).checkpoint(lambda t: t.sin(), y, use_reentrant=reentrant)
    y.add_(1)
    z.sum().backward()


@over_kinds
def test_an_error_in_the_recomputation_reaches_the_caller_and_leaves_everything_usable(
    torch, reentrant
):
    x = numbers(torch, 3)
    fail = []

    def function(t):
        y = t.sin()
        if fail:
            raise KeyError("in the recomputation")
        return y * t

    y = checkpoints_of(torch).checkpoint(function, x, use_reentrant=reentrant).sum()
    fail.append(1)
    message = None
    try:
        y.backward(retain_graph=True)
    except KeyError as error:
        message = str(error)
    fail.clear()
    y.backward()
    (x * x).sum().backward()
    return message, x.grad, torch.is_grad_enabled()


@over_kinds
def test_without_grad_the_function_is_only_called(torch, reentrant):
    with torch.no_grad():
        return checkpoints_of(torch).checkpoint(
            lambda t: (t * 2, torch.is_grad_enabled()), numbers(torch, 3), use_reentrant=reentrant
        )


@over_kinds
def test_no_argument_requires_grad(torch, reentrant):
    weight = numbers(torch, 3)
    y = checkpoints_of(torch).checkpoint(
        lambda t: t * weight, numbers(torch, 3, grad=False), use_reentrant=reentrant
    )
    if y.requires_grad:
        y.sum().backward()
    return y, weight.grad


@over_kinds
def test_gradients_of_the_gradients(torch, reentrant):
    x = numbers(torch, 3)
    y = checkpoints_of(torch).checkpoint(lambda t: t.sin() * t, x, use_reentrant=reentrant)
    (grad,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    grad.square().sum().backward()
    return grad, x.grad


@over_kinds
def test_backward_with_inputs(torch, reentrant):
    x, w = numbers(torch, 3), numbers(torch, 3)
    y = checkpoints_of(torch).checkpoint(lambda t: t.sin() * w, x, use_reentrant=reentrant)
    y.sum().backward(inputs=[w])
    return x.grad, w.grad


@over_kinds
def test_an_output_that_does_not_require_grad(torch, reentrant):
    x = numbers(torch, 3)
    y = checkpoints_of(torch).checkpoint(lambda t: t.detach() * 2, x, use_reentrant=reentrant)
    y.sum().backward()


# ---- arguments


@pytest.mark.parametrize("reentrant", (True, False, None, 0, 1))
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"foo": 1},
        {"foo": 1, "bar": 2},
        {"factor": 3},
        {"debug": True},
        {"debug": False},
        {"preserve_rng_state": False},
        {"determinism_check": "none"},
        {"determinism_check": "other"},
        {"context_fn": lambda: 1},
        {"context_fn": lambda: (None, None)},
        {"context_fn": lambda: (1, 2, 3)},
        {"context_fn": contextlib.nullcontext, "debug": True},
        {"early_stop": False},
    ],
    ids=str,
)
def test_arguments_are_accepted_and_refused_as_pytorch_does(reentrant, arguments):
    def program(torch):
        def function(t, factor=1):
            return t.sin() * factor

        x = numbers(torch, 3)
        y = checkpoints_of(torch).checkpoint(function, x, use_reentrant=reentrant, **arguments)
        y.sum().backward()
        return y, x.grad

    compare(program)


@like_pytorch
def test_use_reentrant_that_is_not_given_is_true_with_a_warning(torch):
    x = numbers(torch, 3)
    return type(checkpoints_of(torch).checkpoint(torch.sin, x).grad_fn).__name__


@like_pytorch
def test_contexts_are_entered_in_the_forward_pass_and_in_each_recomputation(torch):
    events = []

    @contextlib.contextmanager
    def noting(name):
        events.append(name)
        try:
            yield
        finally:
            events.append("end of " + name)

    class Noting:
        def __enter__(self):
            events.append("enter")

        def __exit__(self, kind, *error):
            events.append(("exit", kind is None))

    x = numbers(torch, 3)
    y = checkpoints_of(torch).checkpoint(
        lambda t: t.sin().exp() * 2,
        x,
        use_reentrant=False,
        context_fn=lambda: (noting("forward"), Noting()),
    )
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    with torch.no_grad():
        checkpoints_of(torch).checkpoint(
            torch.sin, x, use_reentrant=False, context_fn=lambda: (noting("a"), noting("b"))
        )
    return events


@like_pytorch
def test_a_context_that_suppresses_an_error_of_the_forward_pass(torch):
    def fail(t):
        raise KeyError("no")

    checkpoints_of(torch).checkpoint(
        fail,
        numbers(torch, 3),
        use_reentrant=False,
        context_fn=lambda: (contextlib.suppress(KeyError), contextlib.nullcontext()),
    )


@like_pytorch
def test_an_error_of_the_forward_pass_leaves_no_hooks_behind(torch):
    def fail(t):
        t.sin()
        raise KeyError("no")

    x = numbers(torch, 3)
    with contextlib.suppress(KeyError):
        checkpoints_of(torch).checkpoint(fail, x, use_reentrant=False)
    y = x * x
    return y.grad_fn._saved_self is not None, torch.rand is not None
