"""The interface of PyTorch's compiler; nothing is compiled."""

from minitorch._dynamo import config, eval_frame, exc, utils
from minitorch._dynamo._explain import explain
from minitorch._dynamo.eval_frame import OptimizedModule, is_dynamo_supported
from minitorch.compiler import (
    allow_in_graph,
    assume_constant_result,
    disable,
    is_compiling,
    list_backends,
    reset,
    substitute_in_graph,
)
from minitorch.core.lazy import lazy_attributes
from minitorch.nn.modules._compile_arguments import check_backend

__all__ = [
    "OptimizedModule",
    "allow_in_graph",
    "assume_constant_result",
    "config",
    "disable",
    "disallow_in_graph",
    "eval_frame",
    "exc",
    "explain",
    "graph_break",
    "is_compiling",
    "is_dynamo_supported",
    "list_backends",
    "mark_dynamic",
    "mark_static",
    "mark_static_address",
    "maybe_mark_dynamic",
    "optimize",
    "reset",
    "run",
    "substitute_in_graph",
    "utils",
]


def optimize(backend="inductor", **kwargs):
    """Return a decorator that leaves a function unchanged."""
    check_backend(backend)
    return lambda function: function


def run(fn=None):
    """Return the function unchanged, or a decorator that does so."""
    return (lambda function: function) if fn is None else fn


def disallow_in_graph(fn):
    """Return the function unchanged."""
    return fn


def graph_break(msg=""):
    """Break the compiled graph; no effect."""


def mark_dynamic(t, index, **kwargs):
    """Mark a size as dynamic; no effect."""


maybe_mark_dynamic = mark_static = mark_dynamic


def mark_static_address(t, guard=False):
    """Mark the address of a tensor as static; no effect."""


__getattr__ = lazy_attributes(__name__, "_trace_wrapped_higher_order_op")
