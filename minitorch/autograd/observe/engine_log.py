"""The log of the engine: each node that is about to run, at level DEBUG of ``torch.autograd.graph``."""

import contextlib
import logging

from minitorch.autograd.current_task import _current_autograd_node
from minitorch.autograd.observe.drawing import _reachable
from minitorch.core.dtype_abbrs import abbreviated

__all__ = ["is_wanted", "log_nodes"]

_log = logging.getLogger("torch.autograd.graph")


def is_wanted():
    """Whether somebody reads what is logged."""
    return _log.isEnabledFor(logging.DEBUG)


@contextlib.contextmanager
def log_nodes(roots):
    """Inside, every node that the nodes `roots` lead to writes a line before it runs."""
    handles = [node.register_prehook(_write) for node in _reachable(roots)]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _write(grad_outputs):
    shown = ",".join(map(_shown, grad_outputs))
    # a text: a record that held the node would keep the graph
    _log.debug(f"Executing: {_current_autograd_node()} with grad_outputs: [{shown}]")


def _shown(gradient):
    return "None" if gradient is None else abbreviated(gradient)
