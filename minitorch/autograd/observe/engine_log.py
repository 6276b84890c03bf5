"""The log of the engine: each node before it runs, at level DEBUG of ``torch.autograd.graph``."""

import contextlib
import logging

from minitorch.autograd.current_task import _current_autograd_node
from minitorch.autograd.observe.drawing import _reachable
from minitorch.core.dtype_abbrs import abbreviated

__all__ = ["is_wanted", "log_nodes"]

_log = logging.getLogger("torch.autograd.graph")


def is_wanted():
    """Return whether the logger is enabled for DEBUG."""
    return _log.isEnabledFor(logging.DEBUG)


@contextlib.contextmanager
def log_nodes(roots):
    """Log each node reachable from `roots` before it runs, inside the context."""
    handles = [node.register_prehook(_write) for node in _reachable(roots)]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _write(grad_outputs):
    shown = ",".join(map(_shown, grad_outputs))
    # formatted here: a log record that held the node would keep the graph alive
    _log.debug(f"Executing: {_current_autograd_node()} with grad_outputs: [{shown}]")


def _shown(gradient):
    return "None" if gradient is None else abbreviated(gradient)
