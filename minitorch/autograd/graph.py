"""The graph's interface in Python, and the call of the engine."""

import functools
import sys
from collections import defaultdict  # noqa: F401 (PyTorch's module has these names too)
from collections.abc import Iterable  # noqa: F401
from typing import NamedTuple  # noqa: F401

import minitorch.autograd.engine_steps  # noqa: F401 (nodes get their __call__ there)
import minitorch.autograd.graph_api.gc_tracking  # noqa: F401 (registers how nodes visit hooks)
import minitorch.autograd.graph_api.version_counter  # noqa: F401 (adds a name to grad_mode)
from minitorch.autograd.anomaly import record_origin
from minitorch.autograd.events import report_failure
from minitorch.autograd.gradient_edge import GradientEdge
from minitorch.autograd.graph_api.abstract_node import Node
from minitorch.autograd.graph_api.legacy_variable import Variable
from minitorch.autograd.graph_api.multi_grad_hooks import (
    _MultiHandle,  # noqa: F401
    register_multi_grad_hook,
)
from minitorch.autograd.graph_api.saved_tensor_contexts import (
    allow_mutation_on_saved_tensors,
    disable_saved_tensors_hooks,
    save_on_cpu,
    saved_tensors_hooks,
)
from minitorch.autograd.graph_api.switches import (
    increment_version,
    region_activation_memory_budget,
    set_override_stale_capture_stream,
    set_warn_on_accumulate_grad_stream_mismatch,
)
from minitorch.autograd.variable import _gradient_edge
from minitorch.core.handles import RemovableHandle  # noqa: F401
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


@functools.cache
def _engine_log():
    from minitorch.autograd.observe import engine_log

    return engine_log


# docs: step 3
def _engine_run_backward(t_outputs, *args, **kwargs):
    """Call `run_backward` of the engine that is installed, with a log of the nodes if one is wanted."""
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
