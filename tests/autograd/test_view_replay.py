"""What the history of a view is after its base was written to, by strides and by the operators that made it."""

import pytest

from tests.both import like_pytorch

VIEWS = {
    "view": lambda torch, y: y.view(-1),
    "t": lambda torch, y: y.t(),
    "slice": lambda torch, y: y[0:1],
    "chain": lambda torch, y: y.view(4)[1:].view(3),
    "select": lambda torch, y: y[0],
    "unsqueeze": lambda torch, y: y.unsqueeze(0),
    "transpose": lambda torch, y: y.transpose(0, 1),
    "as_strided": lambda torch, y: y.as_strided((2,), (1,), 1),
    "reshape": lambda torch, y: y.reshape(4),
    "diagonal": lambda torch, y: y.diagonal(),
    "unfold": lambda torch, y: y.unfold(0, 2, 1),
    "detach": lambda torch, y: y.detach(),
    "unbind": lambda torch, y: y.unbind()[0],
    "split": lambda torch, y: y.split(1)[0],
    "chunk": lambda torch, y: y.chunk(2)[1],
    "view_as_real": lambda torch, y: torch.view_as_real(y.to(torch.complex64)),
}


def names(t):
    """The nodes from that of `t` to the leaf, by their first edges."""
    node, found = t.grad_fn, []
    while node is not None:
        found.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    return found


def outcome(function):
    try:
        return function()
    except RuntimeError as error:
        return str(error)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("forced", [False, True])
def test_nodes_and_gradients(view, forced):
    @like_pytorch
    def test(torch):
        results = []
        for writes_to_base in (False, True):
            x = torch.arange(4.0).reshape(2, 2).requires_grad_()
            with torch.autograd._force_original_view_tracking(forced):
                y = x.clone()
                part = VIEWS[view](torch, y)

            def write(y=y, part=part, x=x, writes_to_base=writes_to_base):
                (y if writes_to_base else part).mul_(3)
                found = names(part)
                if part.requires_grad:
                    (part * part).sum().backward()
                return found, x.grad

            results.append(outcome(write))
        return results

    test()


def test_only_some_of_a_chain_of_views_are_made_in_the_mode():
    @like_pytorch
    def test(torch):
        results = []
        for first in (True, False):
            x = torch.ones(2, 2, requires_grad=True)
            y = x.clone()
            with torch.autograd._force_original_view_tracking(first):
                v = y.view(4)
            with torch.autograd._force_original_view_tracking(not first):
                w = v[1:]
            y.mul_(2)
            w.sum().backward()
            results.append((names(w), names(v), x.grad))
        return results

    test()


def test_as_a_context_a_call_and_a_decorator():
    @like_pytorch
    def test(torch):
        def part():
            out = torch.ones(2, 2, requires_grad=True).clone().view(-1)
            out.add_(1)
            return names(out)

        mode = torch.autograd._force_original_view_tracking
        results = []
        with mode(True):
            results.append((part(), torch.autograd.is_view_replay_enabled()))
            with mode(False):
                results.append((part(), torch.autograd.is_view_replay_enabled()))
            results.append((part(), torch.autograd.is_view_replay_enabled()))
        results.append((part(), torch.autograd.is_view_replay_enabled()))
        mode(True)
        results.append((part(), torch.autograd.is_view_replay_enabled()))
        mode(False)
        results.append((part(), torch.autograd.is_view_replay_enabled()))
        results.append((mode(True)(part)(), torch.autograd.is_view_replay_enabled()))
        return results

    test()


def test_second_gradients_through_a_replayed_view():
    @like_pytorch
    def test(torch):
        x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        with torch.autograd._force_original_view_tracking(True):
            y = x.clone()
            part = y.t()[0]
            part.mul_(x.select(0, 1))
            (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
        g.pow(2).sum().backward()
        return g, x.grad

    test()


def test_it_is_of_this_thread_alone():
    import threading

    import minitorch as torch

    seen = []
    with torch.autograd._force_original_view_tracking(True):
        thread = threading.Thread(
            target=lambda: seen.append(torch.autograd.is_view_replay_enabled())
        )
        thread.start()
        thread.join()
    assert seen == [False]


COMPLEX = {
    "of real": lambda torch, y: torch.view_as_complex(y),
    "part": lambda torch, y: torch.view_as_complex(y)[1:],
    "of a part": lambda torch, y: torch.view_as_complex(y[1:])[1],
    "real again": lambda torch, y: torch.view_as_real(torch.view_as_complex(y)),
    "imag": lambda torch, y: torch.view_as_complex(y)[1:].imag,
    "conj": lambda torch, y: torch.view_as_complex(y)[1:].conj(),
    "imag of conj": lambda torch, y: torch.view_as_complex(y).conj().imag,
}


@pytest.mark.parametrize("view", COMPLEX)
@pytest.mark.parametrize("writes_to_base", [False, True])
@pytest.mark.parametrize("forced", [False, True])
def test_complex_views_of_a_real_base(view, writes_to_base, forced):
    @like_pytorch
    def test(torch):
        x = torch.arange(6.0).reshape(3, 2).requires_grad_()
        y = x.clone()
        with torch.autograd._force_original_view_tracking(forced):
            part = COMPLEX[view](torch, y)
        (y if writes_to_base else part).mul_(3)
        part.abs().pow(2).sum().backward(retain_graph=True)
        first = x.grad.clone()
        (second,) = torch.autograd.grad(y.pow(3).sum(), x, create_graph=True)
        return first, second, torch.autograd.grad(second.sum(), x)

    test()


@like_pytorch
def test_views_of_another_base_with_numbers_of_another_kind(torch):
    a = torch.arange(4.0) + 1j
    b = torch.arange(8.0).view(4, 2)
    views = [torch.view_as_real(a), a.real, a[1:].imag, torch.view_as_complex(b)[1:]]
    return [v._view_func(v._base * 2) for v in views]


@pytest.mark.parametrize("write", ["exp_", "tanh_", "sigmoid_"])
@pytest.mark.parametrize("view", ["real", "part of imag"])
def test_second_gradients_through_a_result_in_the_parts_of_complex_numbers(view, write):
    @like_pytorch
    def test(torch):
        x = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.cdouble, requires_grad=True)
        y = x.clone()
        part = y.real if view == "real" else y.imag[1:]
        getattr(part, write)()
        (first,) = torch.autograd.grad((y * y).abs().sum(), x, create_graph=True)
        return first, torch.autograd.grad(first.abs().sum(), x)

    test()


@pytest.mark.parametrize("part", [slice(None), slice(1, 2)])
def test_second_gradients_through_a_result_in_a_complex_view(part):
    @like_pytorch
    def test(torch):
        x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.double, requires_grad=True)
        y = x.clone()
        torch.view_as_complex(y)[part].tanh_()
        (first,) = torch.autograd.grad(y.pow(2).sum(), x, create_graph=True)
        return first, torch.autograd.grad(first.abs().sum(), x)

    test()
