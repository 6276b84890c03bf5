"""Values of small tensors for `trace(values=N)`, copied as lists when an event is reported.

Events have only the shapes and dtypes of gradients (Note [Watching] in events.pyx). `InputValues` therefore
copies the gradients that a node is applied to, which an observer may read. It also applies an operator's
node to copies of them, to learn what the node will give. `ValuesOfPass` follows these values through
the events of one backward pass. `filled_in` gives the gradients that a node was applied to to earlier
events too, where the values were not known: at a root, or after a Function, which must not run twice.
What a hook may have replaced stays unknown until the node is applied.
"""

import cmath
import math
import threading
from dataclasses import replace

from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.grad_mode import no_grad
from minitorch.autograd.observe.drawing import kind_of
from minitorch.autograd.observe.trace_events import Gradient, Saved
from minitorch.autograd.python_function import _FunctionBase
from minitorch.autograd.saved_tensor import _saved_by

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
    """The gradients that each node is applied to and gives, on each thread."""

    def __init__(self, limit):
        self.limit = limit
        self._seen = threading.local()

    def see(self, node, gradients):
        """Keep the values of the gradients that `node` is about to be applied to on this thread."""
        values = [values_of(gradient, self.limit) for gradient in gradients]
        self._seen.of_node = values, _results_of(node, gradients, self.limit)

    def take(self):
        """Return what the node that is about to be applied on this thread gets and gives.

        Returns
        -------
        inputs : list or None
            The values of each gradient.
        results : tuple of (Tensor or None), or None
            One gradient for each edge.
        """
        seen, self._seen.of_node = getattr(self._seen, "of_node", (None, None)), (None, None)
        return seen


def _results_of(node, gradients, limit):
    """Return what an operator's node gives for small gradients, or None if it may not run twice."""
    if (
        kind_of(node) != "operator"
        or type(node).__name__ == "CopySlices"  # it may contain the node of a Function
        or any(gradient is not None and gradient.numel() > limit for gradient in gradients)
        or any(description is None for _, description in _saved_by(node))  # packed by a hook
    ):
        return None
    try:
        with no_grad():
            results = node(*(None if g is None else g.clone() for g in gradients))
    except Exception:  # noqa: BLE001 (the engine is about to raise the same)
        return None
    return results if isinstance(results, tuple) else (results,)


class ValuesOfPass:
    """The values of the gradients in the input buffers and at the running node of one pass."""

    def __init__(self, limit):
        self.limit = limit
        self.buffers = {}  # (node id, output number) -> values or None
        self.inputs = {}  # output number of the running node -> values or None
        self.inputs_known = False
        self.results = None  # of the running node, one for each edge
        self.sent = []  # [node id, output number, values or None] of each edge, in order

    def complete(self, kind, node, edge, output_nr, gradients, detail):
        """Return the gradients of an event with their values, and its `result`.

        Parameters
        ----------
        kind, edge, output_nr, gradients, detail
            As in `Event`, where they are numbers.
        node : int
            The node's id.

        Returns
        -------
        gradients : tuple of (Gradient or None)
        result : Gradient or None
        """
        if kind == "pop":
            arrived = [key for key in self.buffers if key[0] == node]
            self.inputs = {key[1]: self.buffers.pop(key) for key in arrived}
            self.inputs_known = True
            self.results, self.sent = None, []
        elif kind == "hook":
            return self._at_hook(output_nr, gradients, detail.split(" ")[0]), None
        elif kind == "capture" and self.inputs_known:
            return with_values(gradients, [self.inputs.get(output_nr)]), None
        elif kind == "validate":
            return self._at_validation(node, edge, output_nr, gradients), None
        elif kind == "buffer":
            return self._at_buffer(node, output_nr, gradients, detail == "first")
        return gradients, None

    def _at_hook(self, output_nr, gradients, place):
        known = [None] * len(gradients)
        if place in ("tensor_pre_hook", "retain_grad") and self.inputs_known:
            known = [self.inputs.get(output_nr)]
        elif place == "pre_hook" and self.inputs_known:
            known = [self.inputs.get(k) for k in range(len(gradients))]
        if place in ("tensor_pre_hook", "pre_hook"):
            self.inputs_known = False  # the hook may replace them
        elif place == "post_hook":
            for entry in self.sent:
                entry[2] = None
        return with_values(gradients, known)

    def _at_validation(self, node, edge, output_nr, gradients):
        result = None if self.results is None else self.results[edge]
        _, after = gradients
        fitted = None
        if result is not None and after is not None:
            try:
                with no_grad():
                    fitted = result.sum_to_size(after.shape).to(after.dtype)
            except (RuntimeError, TypeError):
                fitted = None
        known = [values_of(result, self.limit), values_of(fitted, self.limit)]
        self.sent.append([node, output_nr, known[1]])
        return with_values(gradients, known)

    def _at_buffer(self, node, output_nr, gradients, first):
        (gradient,) = gradients
        values = None
        for k, (target, nr, known) in enumerate(self.sent):
            if (target, nr) == (node, output_nr):
                values = known
                del self.sent[k]
                break
        held = self.buffers.get((node, output_nr))
        total = values if first else _sum(held, values, gradient.dtype)
        self.buffers[node, output_nr] = total
        result = None if total is None else Gradient(gradient.shape, gradient.dtype, total)
        return with_values(gradients, [values]), result


def _sum(old, new, dtype):
    """Return the values of the sum of two gradients, rounded as their dtype does."""
    if old is None or new is None:
        return None
    try:
        with no_grad():
            return _for_json((tensor(old, dtype=dtype) + tensor(new, dtype=dtype)).tolist())
    except (RuntimeError, TypeError, ValueError):  # a number that JSON does not have
        return None


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
            if event.kind == "hook":
                yield index, replace(event, gradients=(applied.gradients[event.output_nr],))
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
