"""The log of the engine: each node before it runs, at level DEBUG of ``torch.autograd.graph``."""

import logging

from minitorch.autograd.events import Observer, inputs_as_tensors
from minitorch.autograd.observe.drawing import _reachable
from minitorch.core.dtype_abbrs import abbreviated

__all__ = ["NodeLog", "is_wanted"]

_log = logging.getLogger("torch.autograd.graph")


def is_wanted():
    """Return whether the logger is enabled for DEBUG."""
    return _log.isEnabledFor(logging.DEBUG)


class NodeLog(Observer):
    """Logs each node reachable from `roots` before it runs, inside the context."""

    def __init__(self, roots):
        self._nodes = set(_reachable(roots))

    def applied(self, node, gradients):
        """Log a node with its gradients."""
        if node in self._nodes:
            shown = ",".join(map(_shown, inputs_as_tensors(node, gradients)))
            # formatted here: a log record that held the node would keep the graph alive
            _log.debug(f"Executing: {node} with grad_outputs: [{shown}]")


def _shown(gradient):
    return "None" if gradient is None else abbreviated(gradient)
