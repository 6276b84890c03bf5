"""Events of `minitorch.autograd.trace` with their nodes and gradients, and their texts."""

from dataclasses import dataclass, field

from minitorch.autograd.observe.drawing import shown


@dataclass(frozen=True, slots=True)
class Gradient:
    """Shape, dtype and perhaps the values of a gradient.

    Attributes
    ----------
    shape : tuple of int
    dtype : dtype
    values : list or float or None
        The elements of a small tensor, as nested lists, if the trace records values. They do not take part in ``==``.
    """

    shape: tuple
    dtype: object
    values: object = field(default=None, compare=False)

    def __str__(self):
        return shown(self.shape, self.dtype)


@dataclass(frozen=True, slots=True)
class Saved:
    """A tensor that a node saved in the forward pass.

    Attributes
    ----------
    name : str
    shape : tuple of int or None
    dtype : dtype or None
        None if a hook of `saved_tensors_hooks` has packed the tensor.
    values : list or float or None
    """

    name: str
    shape: tuple | None
    dtype: object
    values: object = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class TracedNode:
    """Description of a node.

    Attributes
    ----------
    id : int
        Counted from 0, in the order in which the trace met the nodes.
    name : str
        The name of its class, such as ``'MulBackward0'``.
    sequence_nr : int or None
        Larger for nodes recorded later; None for a sink.
    kind : str
        ``"operator"``, ``"function"`` (a subclass of `autograd.Function`) or ``"sink"`` (the node
        of a leaf).
    outputs : tuple of Gradient
        Shape and dtype that each incoming gradient must have.
    label : str or None
        The name of its tensor, if the tensor is in `names`.
    origin : str or None
        File, line, function and source of the call that recorded it.
    line : int or None
        That line, if it belongs to the traced program.
    edges : tuple of ((int, int) or None)
        For each input of the operator, the id of the next node and the number of its output.
    saved : tuple of Saved
        The saved tensors at the start of the backward pass.
    """

    id: int
    name: str
    sequence_nr: int | None
    kind: str
    outputs: tuple
    label: str | None
    origin: str | None
    line: int | None = None
    edges: tuple = ()
    saved: tuple = ()

    def __str__(self):
        text = self.name
        if self.label:
            text += f" of {self.label}"
        return text if self.sequence_nr is None else f"{text} ({self.sequence_nr})"


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a backward pass; the docs of `trace` list the attributes that each kind sets.

    Attributes
    ----------
    number : int
        Counted from 1.
    kind : str
    task : int or None
        Number of the backward pass.
    node : TracedNode or None
        The node that the event belongs to.
    source : TracedNode or None
    edge : int or None
        The node, and the number of its edge, along which a gradient arrives.
    output_nr : int or None
        The output of `node` whose gradient this is.
    gradients : tuple of Gradient or None
    count : int or None
    detail : str or None
    result : Gradient or None
        What the input buffer holds after a ``buffer`` event, and ``.grad`` after ``accumulate``, if
        the trace records values and they are known.
    program_line : int or None
        The line of the traced program that is running.
    """

    number: int
    kind: str
    task: int | None
    node: TracedNode | None
    source: TracedNode | None
    edge: int | None
    output_nr: int | None
    gradients: tuple
    count: int | None
    detail: str | None
    result: Gradient | None = None
    program_line: int | None = None

    def __str__(self):
        return f"{self.number:>4}  {self.kind:<10}  {SENTENCES[self.kind](self)}"


def listed(gradients):
    """Join the texts of several gradients."""
    return ", ".join("none" if g is None else str(g) for g in gradients) or "nothing"


def _accumulated(event):
    (gradient,) = event.gradients
    target = "the leaf" if event.node is None else event.node.label or "the leaf"
    return {
        "taken": f"{gradient} becomes .grad of {target}",
        "copied": f"a copy of {gradient} becomes .grad of {target}",
        "added in place": f"{gradient} is added to .grad of {target}, in place",
        "added": f"the sum with {gradient} becomes .grad of {target}",
    }[event.detail]


def _validated(event):
    before, after = event.gradients
    became = "fits" if before == after else f"becomes {after}"
    return f"{event.source}, edge {event.edge}, gives {event.node} {before}: {became}"


def _freed(event):
    names = event.detail.split(", ")
    saved = ", ".join(
        name if gradient is None else f"{name} {gradient}"
        for name, gradient in zip(names, event.gradients, strict=True)
    )
    return f"{event.node} lets go of {saved}"


SENTENCES = {
    "root": lambda e: f"{listed(e.gradients)} enters at {e.node}",
    "dependency": lambda e: (
        f"{e.node} waits for {e.count}: "
        + ("it is a root" if e.source is None else f"edge {e.edge} of {e.source}")
    ),
    "push": lambda e: f"{e.node} is ready, {e.count} in the queue",
    "pop": lambda e: f"{e.node} is taken, {e.count} left",
    "hook": lambda e: f"{e.detail} at {e.node} sees {listed(e.gradients)}",
    "apply": lambda e: f"{e.node} gets {listed(e.gradients)}",
    "validate": _validated,
    "buffer": lambda e: (
        f"{e.node}, output {e.output_nr}: {listed(e.gradients)} "
        + ("is the first" if e.detail == "first" else "is added")
    ),
    "accumulate": _accumulated,
    "free": _freed,
    "capture": lambda e: f"{listed(e.gradients)} at {e.node} is the result for input {e.count}",
    "skip": lambda e: f"{e.node} need not run",
    "note": lambda e: f"{e.detail}: {listed(e.gradients)}" if e.gradients else e.detail,
}
KINDS = tuple(SENTENCES)
