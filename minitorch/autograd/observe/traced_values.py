"""Values of small tensors for `trace(values=N)`, copied as lists when an event is reported.

Events have only the shapes and dtypes of gradients (Note [Watching] in events.pyx). `InputValues` therefore
copies the gradients that a node is applied to, which an observer may read, and `filled_in` gives the
same values to the earlier events that the same gradient took part in. The values of two gradients
that were added stay unknown, and so do those that a hook may have replaced.
"""

import cmath
import math
import threading
from dataclasses import replace

from minitorch.autograd.observe.trace_events import Gradient, Saved
from minitorch.autograd.python_function import _FunctionBase
from minitorch.autograd.saved_variable import _saved_by

_PRESERVING = ("retain_grad",)  # hooks that leave the gradient as it is


def values_of(tensor, limit):
    """Return the elements of a tensor as nested lists for JSON, or None.

    Parameters
    ----------
    tensor : Tensor or None
    limit : int or None
        The result is None for a tensor with more elements, and for every tensor if this is None.

    Returns
    -------
    list, number, bool, str or None
        Infinity, NaN and complex numbers are strings, since JSON has no numbers for them.

    Examples
    --------
    >>> import minitorch as torch
    >>> values_of(torch.tensor([1.0, float("inf")]), 4)
    [1.0, 'inf']
    """
    if limit is None or tensor is None:
        return None
    try:
        return _for_json(tensor.tolist()) if tensor.numel() <= limit else None
    except (RuntimeError, TypeError, NotImplementedError):  # a special tensor without elements
        return None


def _for_json(value):
    if isinstance(value, list):
        return [_for_json(item) for item in value]
    if isinstance(value, complex):
        return str(value) if cmath.isfinite(value) else repr(value)
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value


def saved_of(node, limit):
    """Return the `Saved` tensors of a node, with values if they can be read without a hook."""
    is_function = isinstance(node, _FunctionBase)
    found = []
    for name, description in node._saved_here() if is_function else _saved_by(node):
        shape, dtype = description or (None, None)
        values = None
        if limit is not None and description is not None:
            try:
                tensor = (
                    node.saved_tensors[int(name[len("saved_tensors[") : -1])]
                    if is_function
                    else getattr(node, "_saved_" + name)
                )
            except (RuntimeError, AttributeError):  # freed, or changed in place since it was saved
                tensor = None
            values = values_of(tensor, limit)
        found.append(Saved(name, shape, dtype, values))
    return tuple(found)


class InputValues:
    """The values of the gradients that each node is applied to, on each thread."""

    def __init__(self, limit):
        self.limit = limit
        self._seen = threading.local()

    def see(self, gradients):
        """Keep the values of the gradients that a node is about to be applied to on this thread."""
        self._seen.values = [values_of(gradient, self.limit) for gradient in gradients]

    def take(self):
        """Return the values for the node that is about to be applied on this thread, or None."""
        values, self._seen.values = getattr(self._seen, "values", None), None
        return values


def filled_in(events, applied):
    """Yield ``(index, event)`` for earlier events with the values of gradients that are now known.

    Parameters
    ----------
    events : list of Event
    applied : Event
        The ``apply`` event of a node, with values.
    """
    arrived = {}  # output number -> indices of the buffer events, newest first
    for index in range(len(events) - 1, -1, -1):
        event = events[index]
        if event.task != applied.task:
            continue
        if event.node is applied.node:
            if event.kind == "hook" and event.detail.split(" ")[0] not in _PRESERVING:
                return
            if event.kind == "apply":
                break
            if event.kind == "buffer":
                arrived.setdefault(event.output_nr, []).append(index)
    for output_nr, indices in arrived.items():
        known = applied.gradients[output_nr] if output_nr < len(applied.gradients) else None
        if known is None or known.values is None:
            continue
        last = events[indices[0]]
        if len(indices) > 1:
            yield indices[0], replace(last, result=known)
            continue
        yield indices[0], replace(last, gradients=(known,), result=known)
        for index in range(indices[0] - 1, -1, -1):
            event = events[index]
            if event.task != applied.task or event.node is not applied.node:
                continue
            if event.output_nr == output_nr and event.source is last.source:
                if event.kind == "root":
                    yield index, replace(event, gradients=(known,))
                    break
                if event.kind == "validate":
                    before, after = event.gradients
                    if after == known:
                        yield index, replace(event, gradients=(_same(before, known), known))
                    break


def _same(before, after):
    return after if before == after else before


def with_values(gradients, values):
    """Return the gradients of an event with the values of the tensors they describe."""
    return tuple(
        g if g is None else Gradient(g.shape, g.dtype, v)
        for g, v in zip(gradients, values, strict=True)
    )
