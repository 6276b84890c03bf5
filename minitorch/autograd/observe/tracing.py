"""`trace`: a recording of backward passes, event by event, to be printed, drawn or saved.

An observer of the engine (Note [Watching] in events.pyx) passes each event on as it happens, and this
module turns it into an `Event`. Nodes are kept alive while the trace is open, so that no other node is allocated at the
same address. Gradients are not kept, only their shapes and dtypes: a second reference would make
the engine copy memory that it could otherwise reuse.
"""

import json
import threading

from minitorch.autograd.anomaly import _origin_of
from minitorch.autograd.current_task import _current_graph_task_id
from minitorch.autograd.observe.drawing import (
    Arrow,
    Box,
    Diagram,
    Names,
    escaped,
    kind_of,
    number_of,
    save_text,
)
from minitorch.autograd.observe.entering import enter_trace, exit_trace
from minitorch.autograd.observe.trace_events import (
    KINDS,
    SENTENCES,
    Event,
    Gradient,
    TracedNode,
    listed,
)
from minitorch.autograd.python_function import _FunctionBase
from minitorch.autograd.saved_variable import _saved_by

__all__ = ["Event", "Gradient", "TracedNode", "trace"]

SCHEMA = "minitorch.trace/1"
MAX_ROWS = 2000  # events in the table of a notebook


_lock = threading.Lock()


class trace:
    """Record what backward passes do while the context is open, in every thread.

    Parameters
    ----------
    names : mapping or iterable of pairs, optional
        Names of tensors to be shown, such as ``{"w": w}`` or ``module.named_parameters()``.
    origin : bool, default True
        Note the line of the program for each node recorded inside, as
        `autograd.graph.record_origin` does.

    Attributes
    ----------
    events : list of Event
    nodes : list of TracedNode

    Notes
    -----
    The kinds of events, and the attributes they set besides `number`, `task` and `node`:

    ==========  =================================================================================
    root        a gradient enters: `output_nr`, `gradients` (one)
    dependency  an edge into the node was counted: `source`, `edge`, `output_nr`, `count` so far
    push        the node is ready: `count` of ready nodes
    pop         the newest ready node is taken: `count` of those left
    hook        a hook is called: `detail` (place and name), `gradients` that it sees
    apply       the formula runs: `gradients`, one for each output, None where none arrived
    validate    what `source` gave along `edge` was given the right shape: `gradients` (before, after)
    buffer      a gradient arrives at the node: `source`, `output_nr`, `gradients` (one), `detail`:
                ``first`` or ``added`` to what is there
    accumulate  a leaf's ``.grad`` gets `gradients` (one); `detail`: ``taken``, ``copied``,
                ``added in place`` or ``added``
    free        saved tensors are released: `detail` (their names), `gradients` (the same number)
    capture     a gradient is the result for one of `inputs=`: `output_nr`, `gradients`, `count` (which)
    skip        under `inputs=`: the node was popped, but need not run
    ==========  =================================================================================

    Nodes are kept alive until the context is left. Events of nested or concurrent backward passes
    are in the order in which they happened; `task` tells the passes apart.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> with torch.autograd.trace({"w": w}) as steps:
    ...     (w * 3).sum().backward()
    >>> [str(event.node).split(" (")[0] for event in steps if event.kind == "apply"]
    ['SumBackward0', 'MulBackward0', 'AccumulateGrad of w']
    >>> print(steps.of("accumulate")[0])
      20  accumulate  float32[2] becomes .grad of w
    """

    def __init__(self, names=None, *, origin=True):
        self.events = []
        self.nodes = []
        self._names = Names(names)
        self._wants_origins = origin
        self._recording_origin = self._tracer = None  # only while the context is open
        self._held = {}

    __enter__ = enter_trace
    __exit__ = exit_trace

    def _add(self, kind, node, source, edge, output_nr, gradients, count, detail):
        if kind == "free":
            saved = node._saved_here() if isinstance(node, _FunctionBase) else _saved_by(node)
            if not saved:
                return
            detail = ", ".join(name for name, _ in saved)
            gradients = tuple(description for _, description in saved)
        task = _current_graph_task_id()
        event = (
            kind,
            None if task == -1 else task,
            self._noted(node),
            self._noted(source),
            None if edge == -1 else edge,
            None if output_nr == -1 else output_nr,
            tuple(None if g is None else Gradient(*g) for g in gradients or ()),
            None if count == -1 else count,
            detail,
        )
        with _lock:
            self.events.append(Event(len(self.events) + 1, *event))

    def _noted(self, node):
        if node is None:
            return None
        noted = self._held.get(node)
        if noted is None:
            outputs = tuple(Gradient(tuple(m.shape), m.dtype) for m in node._input_metadata)
            name, number, kind = type(node).__name__, number_of(node), kind_of(node)
            label, origin = self._names.of(node), _origin_of(node)
            with _lock:
                noted = TracedNode(len(self.nodes), name, number, kind, outputs, label, origin)
                self.nodes.append(noted)
                self._held[node] = noted
        return noted

    def __iter__(self):
        return iter(self.events)

    def __len__(self):
        return len(self.events)

    def __getitem__(self, index):
        return self.events[index]

    def of(self, *kinds):
        """Return the events of some kinds, in order.

        Raises
        ------
        ValueError
            When a kind does not exist.
        """
        for kind in kinds:
            if kind not in KINDS:
                raise ValueError(
                    f"no kind of event is called {kind!r}; there are {', '.join(KINDS)}"
                )
        return [event for event in self.events if event.kind in kinds]

    def __repr__(self):
        return f"<trace of {len(self.events)} events at {len(self.nodes)} nodes>"

    def __str__(self):
        lines = []
        task = None
        for event in self.events:
            if event.task != task and event.task is not None:
                task = event.task
                lines.append(f"backward pass {task}")
            lines.append(str(event))
            if event.kind == "apply" and event.node.kind != "sink" and event.node.origin:
                lines.append(f"{'':>18}recorded at {event.node.origin}")
        return "\n".join(lines)

    def to_json(self, indent=None):
        """Return the trace as JSON; the documentation has its schema.

        Parameters
        ----------
        indent : int, optional
            Put each item on a line of its own, indented by this many spaces.

        Examples
        --------
        >>> import json
        >>> import minitorch as torch
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> with torch.autograd.trace() as steps:
        ...     (x * x).backward()
        >>> parsed = json.loads(steps.to_json())
        >>> parsed["schema"], parsed["nodes"][0]["name"], parsed["events"][0]["kind"]
        ('minitorch.trace/1', 'MulBackward0', 'root')
        """
        nodes = [
            {
                "id": n.id,
                "name": n.name,
                "sequence_nr": n.sequence_nr,
                "kind": n.kind,
                "outputs": [_json_of(g) for g in n.outputs],
                "label": n.label,
                "origin": n.origin,
            }
            for n in self.nodes
        ]
        events = [
            {
                "number": e.number,
                "kind": e.kind,
                "task": e.task,
                "node": None if e.node is None else e.node.id,
                "source": None if e.source is None else e.source.id,
                "edge": e.edge,
                "output_nr": e.output_nr,
                "gradients": [_json_of(g) for g in e.gradients],
                "count": e.count,
                "detail": e.detail,
            }
            for e in self.events
        ]
        return json.dumps({"schema": SCHEMA, "nodes": nodes, "events": events}, indent=indent)

    def diagram(self):
        """Return a `Diagram` of the nodes, numbered in the order in which they were applied.

        Nodes that did not run are pale.
        """
        order, taken, arrows = {}, {}, {}
        captured, count = set(), 0
        for event in self.events:
            if event.node is None:
                continue
            if event.kind == "apply":
                count += 1
                order.setdefault(event.node.id, []).append(count)
                taken[event.node.id] = event.gradients
            elif event.kind == "capture":
                captured.add(event.node.id)
            if event.source is not None and event.edge is not None:
                key = (event.source.id, event.edge)
                gradient = event.gradients[-1] if event.gradients else None
                if gradient is not None or key not in arrows:
                    arrows[key] = Arrow(
                        event.source.id, event.node.id, "" if gradient is None else str(gradient)
                    )
        boxes = []
        for node in self.nodes:
            gradients = listed(taken.get(node.id, node.outputs))
            number = "" if node.sequence_nr is None else f"{node.sequence_nr}: "
            boxes.append(
                Box(
                    (node.name + (f" {node.label}" if node.label else ""), number + gradients),
                    node.kind if node.id in order or node.id in captured else "idle",
                    ", ".join(map(str, order.get(node.id, ()))),
                    node.origin or "",
                )
            )
        return Diagram(boxes, arrows.values())

    def to_svg(self):
        """Return the diagram as SVG: each node with its place in the order of execution."""
        return self.diagram().to_svg()

    def save(self, path):
        """Write the trace to a file: ``.svg`` the picture, ``.json`` `to_json`, ``.txt`` the text."""
        save_text(path, {".svg": self.to_svg, ".json": self.to_json, ".txt": self.__str__})

    def _repr_svg_(self):
        return self.diagram()._repr_svg_()

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{event.number}</td><td>{event.kind}</td>"
            f'<td style="text-align: left">{escaped(SENTENCES[event.kind](event))}</td></tr>'
            for event in self.events[:MAX_ROWS]
        )
        if len(self.events) > MAX_ROWS:
            rows += f"<tr><td>{MAX_ROWS + 1}</td><td>...</td><td></td></tr>"
        picture = self._repr_svg_() or f"<p>{len(self.nodes)} nodes</p>"
        return (
            f"{picture}<details><summary>{len(self.events)} events</summary>"
            f"<table>{rows}</table></details>"
        )


def _json_of(gradient):
    if gradient is None:
        return None
    return {
        "shape": list(gradient.shape),
        "dtype": str(gradient.dtype).removeprefix("torch."),
    }
