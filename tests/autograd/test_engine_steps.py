"""The engine's steps one at a time, as an engine written in Python calls them."""

import pytest

import minitorch as torch
from minitorch.autograd.engine_steps import (
    apply_node,
    call_function,
    call_tensor_pre_hooks,
    post_hooks,
    pre_hooks,
    release_variables,
    unpack_arguments,
)
from minitorch.autograd.events import Observer


def product():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor(3.0, requires_grad=True)
    return x, w, x * w


def test_call_function_sums_each_gradient_to_the_shape_it_belongs_to():
    _, _, y = product()
    with torch.no_grad():
        dx, dw = call_function(y.grad_fn, [torch.ones(2)], True)
    assert dx.tolist() == [3.0, 3.0]
    assert dw.tolist() == 3.0


def test_call_function_releases_unless_the_graph_is_kept():
    _, _, y = product()
    with torch.no_grad():
        call_function(y.grad_fn, [torch.ones(2)], True)
        call_function(y.grad_fn, [torch.ones(2)], False)
        with pytest.raises(RuntimeError, match="a second time"):
            call_function(y.grad_fn, [torch.ones(2)], False)


def test_call_function_records_in_grad_mode():
    _, _, y = product()
    dx, dw = call_function(y.grad_fn, [torch.ones(2)], True)
    assert dx.requires_grad and dw.requires_grad


def test_apply_node_calls_no_hooks_and_keeps_the_saved_tensors():
    _, _, y = product()
    y.grad_fn.register_hook(lambda *gradients: pytest.fail("called"))
    with torch.no_grad():
        for _ in range(2):
            dx, dw = apply_node(y.grad_fn, [torch.ones(2)])
            assert (dx.tolist(), dw.tolist()) == ([3.0, 3.0], 3.0)
        release_variables(y.grad_fn)
        with pytest.raises(RuntimeError, match="a second time"):
            apply_node(y.grad_fn, [torch.ones(2)])


def test_hooks_of_a_node_are_listed_in_order():
    _, _, y = product()
    assert pre_hooks(y.grad_fn) == post_hooks(y.grad_fn) == []
    hooks = [lambda *gradients: None for _ in range(4)]
    handles = [y.grad_fn.register_prehook(hook) for hook in hooks[:2]]
    handles += [y.grad_fn.register_hook(hook) for hook in hooks[2:]]
    assert pre_hooks(y.grad_fn) == hooks[:2]
    assert post_hooks(y.grad_fn) == hooks[2:]
    handles[0].remove()
    assert pre_hooks(y.grad_fn) == hooks[1:2]


def test_tensor_hooks_change_the_gradients_that_come_back():
    _, _, y = product()
    y.register_hook(lambda grad: None if grad is None else grad * 2)
    with torch.no_grad():
        (grad,) = call_tensor_pre_hooks(y.grad_fn, [torch.ones(2)])
    assert grad.tolist() == [2.0, 2.0]
    assert call_tensor_pre_hooks(y.grad_fn, [None]) == [None]


@pytest.mark.parametrize("mode", [True, False])
@pytest.mark.parametrize("step", [call_function, call_tensor_pre_hooks])
@pytest.mark.parametrize(
    "gradients, error", [([], ValueError), ([None, None], ValueError), ([3], TypeError)]
)
def test_what_is_no_gradient_is_refused(step, mode, gradients, error):
    _, _, y = product()
    y.register_hook(lambda grad: None)
    more = (True,) if step is call_function else ()
    with torch.set_grad_enabled(mode), pytest.raises(error):
        step(y.grad_fn, gradients, *more)


def test_roots_and_ends_are_nodes_and_output_numbers():
    x, _, y = product()
    edge = torch.autograd.graph.get_gradient_edge(x)
    roots, ends = unpack_arguments((y,), (torch.ones(2),), (edge,), False)
    ((node, output_nr, gradient),) = roots
    assert (node, output_nr, gradient.tolist()) == (y.grad_fn, 0, [1.0, 1.0])
    assert ends == [(edge.node, 0, edge)]


def test_a_root_gradient_gets_the_dtype_of_its_root():
    _, _, y = product()
    roots, _ = unpack_arguments((y,), (torch.ones(2, dtype=torch.float64),), (), True)
    assert roots[0][2].dtype is torch.float32


class TestTrace:
    @pytest.fixture
    def events(self):
        events = []

        class Functions(Observer):
            def entered(self, function, node):
                events.append((function, node))

        with Functions():
            yield events

    def test_a_node_is_evaluated_called_applied_and_its_results_validated(self, events):
        x = torch.tensor(3.0, requires_grad=True)
        y = x * 2
        y.backward()
        about = [function for function, node in events if node is y.grad_fn]
        assert about == [
            "compute_dependencies",
            "add_gradient",
            "evaluate_function",
            "call_function",
            "apply",
            "validate_outputs",
            "forget",
        ]

    def test_accumulated_gradients_are_reported(self, events):
        x = torch.tensor(3.0, requires_grad=True)
        (x * 2).backward()
        assert "accumulate_in_buffer" not in [function for function, _ in events]
        (x * x).backward()
        assert "accumulate_in_buffer" in [function for function, _ in events]

    def test_an_exception_of_the_observer_ends_the_backward(self):
        class Stop(Observer):
            def entered(self, function, node):
                raise KeyboardInterrupt

        x = torch.tensor(3.0, requires_grad=True)
        y = x * 2
        with Stop() as observer:
            assert observer.is_watching
            with pytest.raises(KeyboardInterrupt):
                y.backward()
        assert not observer.is_watching
        assert torch.is_grad_enabled()
        y.backward()
        assert x.grad.tolist() == 2.0
