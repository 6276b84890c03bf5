"""The engine keeps its promises, and PyTorch says that they are the right ones."""

import pytest

import minitorch
from minitorch.autograd.engine import Engine
from tests.autograd.engine_behaviour import BEHAVIOURS

pytestmark = pytest.mark.core


def test_the_engine_is_compiled():
    assert isinstance(minitorch.autograd.Variable._execution_engine, Engine)


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_the_engine(name):
    BEHAVIOURS[name](minitorch)


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_what_is_expected_is_what_pytorch_does(name):
    torch = pytest.importorskip(
        "torch", reason="needs the compat extra: pip install -e '.[compat]'"
    )
    BEHAVIOURS[name](torch)


class TestReplacedEngine:
    """Any object with `run_backward` can be the engine."""

    @pytest.fixture
    def calls(self, monkeypatch):
        calls = []

        class Recorder:
            def run_backward(self, *arguments, **keywords):
                calls.append((arguments, keywords))
                return ("returned",)

        monkeypatch.setattr(minitorch.autograd.Variable, "_execution_engine", Recorder())
        return calls

    def test_backward_and_grad_go_through_it(self, calls):
        x = minitorch.ones(2, requires_grad=True)
        y = (x * 2).sum()
        y.backward()
        assert minitorch.autograd.grad(y, [x]) == ("returned",)
        (first, first_keywords), (second, second_keywords) = calls
        assert first[0] == (y,) and first[2:] == (False, False, ())
        assert first_keywords == {"allow_unreachable": True, "accumulate_grad": True}
        assert second[0] == (y,) and second[4] == (x,)
        assert second_keywords == {"accumulate_grad": False}
        assert x.grad is None


class TestCallingANode:
    """``grad_fn(gradient)`` applies one node."""

    def test_one_result_for_each_edge(self):
        x = minitorch.tensor([1.0, 2.0], requires_grad=True)
        w = minitorch.tensor(3.0, requires_grad=True)
        y = x * w
        with minitorch.no_grad():
            dx, dw = y.grad_fn(minitorch.ones(2))
            assert not dx.requires_grad
        # the formula alone: summing to the shape of `w` is the engine's
        assert dx.tolist() == [3.0, 3.0]
        assert dw.tolist() == [1.0, 2.0]

    def test_a_single_result_comes_alone_and_is_recorded_in_grad_mode(self):
        x = minitorch.tensor([1.0, 2.0], requires_grad=True)
        result = (x * x).sum().grad_fn(minitorch.tensor(1.0, requires_grad=True))
        assert result.tolist() == [1.0, 1.0]
        assert result.requires_grad

    def test_none_gives_none(self):
        x = minitorch.tensor([1.0, 2.0], requires_grad=True)
        assert (x * x).grad_fn(None) == (None, None)

    def test_a_sink_adds_to_grad_and_returns_nothing(self):
        x = minitorch.tensor([1.0, 2.0], requires_grad=True)
        sink = (x * 2).grad_fn.next_functions[0][0]
        given = minitorch.ones(2)
        with minitorch.no_grad():
            assert sink(given) == ()
            assert sink(given) == ()
        assert x.grad.tolist() == [2.0, 2.0]
        assert given.tolist() == [1.0, 1.0]

    def test_hooks_are_not_called(self):
        x = minitorch.tensor([1.0, 2.0], requires_grad=True)
        y, called = x * 2, []
        y.grad_fn.register_hook(lambda *arguments: called.append(arguments))
        y.grad_fn(minitorch.ones(2))
        assert called == []

    @pytest.mark.parametrize(
        "arguments, keywords, text",
        [
            ((), {}, "expected 1 arguments, got 0 instead"),
            ((None, None), {}, "expected 1 arguments, got 2 instead"),
            ((3,), {}, "argument 0 is not a Variable"),
            ((None,), {"k": 3}, "keyword arguments are not supported"),
        ],
    )
    @pytest.mark.parametrize("package", ["minitorch", "torch"])
    def test_wrong_arguments(self, package, arguments, keywords, text):
        torch = pytest.importorskip(
            package, reason="needs the compat extra: pip install -e '.[compat]'"
        )
        node = (torch.ones(2, requires_grad=True) * 2).grad_fn
        with pytest.raises(TypeError) as caught:
            node(*arguments, **keywords)
        assert str(caught.value) == text

    def test_after_its_saved_tensors_were_freed(self):
        x = minitorch.tensor([1.0, 2.0], requires_grad=True)
        y = x * x
        y.backward(minitorch.ones(2))
        with pytest.raises(RuntimeError, match="a second time"):
            y.grad_fn(minitorch.ones(2))
