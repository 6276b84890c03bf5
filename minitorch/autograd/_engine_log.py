"""The log of the engine: each node that is about to run, at level DEBUG of ``torch.autograd.graph``."""

import contextlib
import logging

from minitorch.autograd.engine import _current_autograd_node
from minitorch.core.dtype_abbrs import dtype_abbrs

__all__ = ["is_wanted", "log_nodes"]

_log = logging.getLogger("torch.autograd.graph")


def is_wanted():
    """Whether somebody reads what is logged."""
    return _log.isEnabledFor(logging.DEBUG)


@contextlib.contextmanager
def log_nodes(roots):
    """Inside, every node that the nodes `roots` lead to writes a line before it runs."""
    handles = [node.register_prehook(_write) for node in _reached_from(roots)]
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
    return "None" if gradient is None else f"{dtype_abbrs[gradient.dtype]}{list(gradient.shape)}"


def _reached_from(roots):
    seen, waiting = {}, list(roots)
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen[node] = None
            waiting += [function for function, _ in node.next_functions]
    return seen
