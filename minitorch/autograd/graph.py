"""The graph's interface in Python, and the call of the engine."""

import functools
import sys
import threading
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple  # noqa: F401 (PyTorch's module has the name too)

import minitorch.autograd.engine_steps  # noqa: F401 (nodes get their __call__ there)
import minitorch.autograd.graph_api.gc_tracking  # noqa: F401 (registers how nodes visit hooks)
import minitorch.autograd.graph_api.version_counter  # noqa: F401 (adds a name to grad_mode)
from minitorch.autograd.anomaly import record_origin
from minitorch.autograd.current_task import _current_graph_task_id, _will_engine_execute_node
from minitorch.autograd.events import report_failure
from minitorch.autograd.gradient_edge import GradientEdge
from minitorch.autograd.graph_api.abstract_node import Node
from minitorch.autograd.graph_api.legacy_variable import Variable
from minitorch.autograd.graph_api.saved_tensor_contexts import (
    allow_mutation_on_saved_tensors,
    disable_saved_tensors_hooks,
    save_on_cpu,
    saved_tensors_hooks,
)
from minitorch.autograd.inplace import _increment_version
from minitorch.autograd.variable import TensorBase, _gradient_edge
from minitorch.core.handles import RemovableHandle
from minitorch.core.lazy import lazy_attributes

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "draw",  # noqa: F822 (made on first access, below)
    "get_gradient_edge",
    "increment_version",
    "record_origin",
    "region_activation_memory_budget",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
    "set_override_stale_capture_stream",
    "set_warn_on_accumulate_grad_stream_mismatch",
]

# imported on first use, since few programs draw graphs
__getattr__ = lazy_attributes(__name__, names={"draw": "minitorch.autograd.observe.drawing"})


def get_gradient_edge(tensor):
    """Return the edge along which the gradient of `tensor` flows.

    Parameters
    ----------
    tensor : Tensor
        A tensor that requires grad.

    Returns
    -------
    GradientEdge
        The node and the number of the output of this node that the tensor is.

    Raises
    ------
    RuntimeError
        If it does not require grad.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(1, requires_grad=True)
    >>> torch.autograd.graph.get_gradient_edge(x * 2).node.name()
    'MulBackward0'
    """
    if not tensor.requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require gradients"
        )
    node, output_nr = _gradient_edge(tensor)
    return GradientEdge(node, output_nr)


def _get_grad_fn_or_grad_acc(t):
    """Return the node that the gradient of `t` goes to."""
    if isinstance(t, GradientEdge):
        return t.node
    node = get_gradient_edge(t).node if t.requires_grad else None
    assert node is not None, "Expected gradient function to be set"
    return node


def increment_version(tensor):
    """Increment the version of a tensor, after a write in place that autograd did not see.

    Parameters
    ----------
    tensor : Tensor or iterable of Tensor

    Raises
    ------
    RuntimeError
        If it is neither a tensor nor an iterable of tensors.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2)
    >>> torch.autograd.graph.increment_version(x)
    >>> x._version
    1
    """
    tensors = (tensor,) if isinstance(tensor, TensorBase) else tensor
    if not isinstance(tensors, Iterable):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for one in tensors:
        if not isinstance(one, TensorBase):
            raise RuntimeError(
                "increment_version expects each element of the iterable to be a tensor"
            )
        _increment_version(one)


def region_activation_memory_budget(budget):
    """Raise RuntimeError: this is for compiled programs, and minitorch has no compiler.

    Parameters
    ----------
    budget : float
        From 0 to 1.

    Raises
    ------
    RuntimeError
        Always, after the checks of `budget`.

    Examples
    --------
    >>> import minitorch as torch
    >>> try:
    ...     torch.autograd.graph.region_activation_memory_budget(0.5)
    ... except RuntimeError as error:
    ...     print(type(error).__name__)
    RuntimeError
    """
    name = "torch.autograd.graph.region_activation_memory_budget"
    if isinstance(budget, bool) or not isinstance(budget, (int, float)):
        raise TypeError(f"{name}: expects a float, got {type(budget).__name__}")
    if not 0.0 <= budget <= 1.0:
        raise ValueError(f"{name}: must be in [0, 1], got {budget}")
    raise RuntimeError(
        f"{name} can only be used inside a torch.compile region; it has no effect in eager mode."
    )


def _check_bool(enabled):
    if not isinstance(enabled, bool):
        raise RuntimeError(f"enabled must be a bool, but got {type(enabled).__name__}")


def set_override_stale_capture_stream(enabled):
    """Has no effect: there are no streams here.

    Parameters
    ----------
    enabled : bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.autograd.graph.set_override_stale_capture_stream(True)
    """
    _check_bool(enabled)


def set_warn_on_accumulate_grad_stream_mismatch(enabled):
    """Has no effect: there are no streams here.

    Parameters
    ----------
    enabled : bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(False)
    """
    _check_bool(enabled)


class _MultiHandle(RemovableHandle):
    """A handle that removes several hooks at once."""

    def __init__(self, handles):
        self.handles = handles

    def remove(self):
        for handle in self.handles:
            handle.remove()

    def __getstate__(self):
        return self.handles

    def __setstate__(self, state):
        self.handles = state


def register_multi_grad_hook(tensors, fn, *, mode="all"):
    """Call `fn` once in each backward pass that computes the gradient of at least one of `tensors`.

    Parameters
    ----------
    tensors : sequence of Tensor
        Tensors that require grad.
    fn : callable
        With ``mode="all"``, it is called after the last of the gradients, with a list of all of
        them; None where none was computed. With ``mode="any"``, it is called with the first
        gradient.
    mode : {"all", "any"}

    Returns
    -------
    RemovableHandle

    Raises
    ------
    ValueError
        If `mode` is something else.

    Examples
    --------
    >>> import minitorch as torch
    >>> a = torch.tensor(1.0, requires_grad=True)
    >>> b = torch.tensor(2.0, requires_grad=True)
    >>> handle = torch.autograd.graph.register_multi_grad_hook((a, b), print)
    >>> (a * b).backward()
    [tensor(2.), tensor(1.)]
    >>> handle.remove()
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of {('all', 'any')} but got {mode}")
    lock = threading.Lock()
    if mode == "any":
        return _first_grad_hook(tensors, fn, lock)
    # the keys are the numbers of backward passes
    counts = defaultdict(int)
    expected = {}
    nodes = list(map(_get_grad_fn_or_grad_acc, tensors))
    count_of_tensors = len(tensors)
    gradients = defaultdict(lambda: [None] * count_of_tensors)

    def arrived(index, gradient):
        task = _current_graph_task_id()
        assert task != -1, "expected this hook to be called inside a backward call"
        with lock:
            count = counts[task]
            counts[task] += 1
            if count == 0:
                expected[task] = sum(map(_will_engine_execute_node, nodes))
            gradients[task][index] = gradient
            complete = count == expected[task] - 1
        if complete:
            del counts[task], expected[task]
            fn(gradients.pop(task))

    return _MultiHandle(
        tuple(t.register_hook(functools.partial(arrived, k)) for k, t in enumerate(tensors))
    )


def _first_grad_hook(tensors, fn, lock):
    ran = defaultdict(bool)

    @functools.wraps(fn)
    def arrived(gradient):
        task = _current_graph_task_id()
        assert task != -1, "expected this hook to be called inside a backward call"
        with lock:
            previous, ran[task] = ran[task], True
        if not previous:
            fn(gradient)

    return _MultiHandle(tuple(t.register_hook(arrived) for t in tensors if t.requires_grad))


@functools.cache
def _engine_log():
    from minitorch.autograd.observe import engine_log as _engine_log

    return _engine_log


# docs: step 3
def _engine_run_backward(t_outputs, *args, **kwargs):
    """Call the engine that is installed: step 3."""
    try:
        # without the module logging there can be no log of the nodes
        if "logging" in sys.modules and _engine_log().is_wanted():
            with _engine_log().NodeLog(map(_get_grad_fn_or_grad_acc, t_outputs)):
                return Variable._execution_engine.run_backward(t_outputs, *args, **kwargs)
        return Variable._execution_engine.run_backward(t_outputs, *args, **kwargs)
    except BaseException:
        report_failure()
        raise


# docs: end
