"""`trace`: a recording of backward passes, event by event, to be printed, drawn or saved.

An observer of the engine (Note [Watching] in events.pyx) passes each event on as it happens, and this
module turns it into an `Event`. Nodes are kept alive while the trace is open, so that no other node is allocated at the
same address. Gradients are not kept, only their shapes and dtypes, and copies of the values of small
ones: a second reference would make the engine copy memory that it could otherwise reuse.
"""

import json
import threading

from minitorch.autograd.anomaly import _origin_of
from minitorch.autograd.current_task import _current_graph_task_id
from minitorch.autograd.observe.drawing import (
    MAX_SHOWN,
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
    Saved,
    TracedNode,
    listed,
)
from minitorch.autograd.observe.trace_json import recording_of
from minitorch.autograd.observe.traced_program import TracedProgram
from minitorch.autograd.observe.traced_values import (
    InputValues,
    ValuesOfPass,
    filled_in,
    saved_of,
    values_of,
    with_values,
)

__all__ = ["Event", "Gradient", "Saved", "TracedNode", "trace"]

MAX_ROWS = 2000  # events in the table of a notebook


_lock = threading.RLock()


class trace:
    """Record what backward passes do while the context is open, in every thread.

    Parameters
    ----------
    names : mapping or iterable of pairs, optional
        Names of tensors to be shown, such as ``{"w": w}`` or ``module.named_parameters()``.
    origin : bool, default True
        Note the line of the program for each node recorded inside, as
        `autograd.graph.record_origin` does.
    values : int, optional
        Record the values of tensors with at most this many elements: gradients, saved tensors and
        ``.grad``.
    program : str, optional
        The file whose lines are noted. The default is the file that opens the trace.

    Attributes
    ----------
    events : list
        The events, each an `Event`, in the order in which they happened.
    nodes : list of TracedNode
    error : BaseException or None
        The exception that ended the ``with`` block.

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
    note        `detail` says what Python code does, such as ``bucket 0 starts`` of
                `DistributedDataParallel`; `gradients` are the tensors that it does it with; no `node`
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

    def __init__(self, names=None, *, origin=True, values=None, program=None):
        self.events = []
        self.nodes = []
        self.error = None
        self._names = names if hasattr(names, "of") else Names(names)
        self._program = None if program is None else TracedProgram(program)
        self._limit = values
        self._input_values = None if values is None else InputValues(values)
        self._values = {}  # task -> ValuesOfPass
        self._wants_origins = origin
        self._recording_origin = self._tracer = None  # only while the context is open
        self._held = {}

    __enter__ = enter_trace
    __exit__ = exit_trace

    def _begin(self, filename):
        """Note the lines of the file that opens the trace, unless another program was given."""
        if self._program is None:
            self._program = TracedProgram(filename)

    def _add(self, kind, node, source, edge, output_nr, gradients, count, detail):
        if kind == "free":
            saved = saved_of(node, None)
            if not saved:
                return
            detail = ", ".join(tensor.name for tensor in saved)
            gradients = tuple(
                None if tensor.shape is None else (tensor.shape, tensor.dtype) for tensor in saved
            )
        task = _current_graph_task_id()
        gradients = tuple(None if g is None else Gradient(*g) for g in gradients or ())
        noted = self._noted(node)
        result = results = None
        if self._limit is not None and kind == "apply":
            values, results = self._input_values.take()
            if values is not None and len(values) == len(gradients):
                gradients = with_values(gradients, values)
        elif self._limit is not None and kind == "accumulate" and node is not None:
            grad = node.variable.grad
            if grad is not None:
                result = Gradient(tuple(grad.shape), grad.dtype, values_of(grad, self._limit))
                before = self.events[-1] if self.events else None
                if before is not None and before.kind == "apply" and before.node is noted:
                    gradients = before.gradients
        if self._limit is not None and noted is not None:
            values = self._values.setdefault(task, ValuesOfPass(self._limit))
            if kind == "apply":
                values.results = results
            elif kind != "accumulate":
                gradients, result = values.complete(
                    kind, noted.id, edge, output_nr, gradients, detail
                )
        event = (
            kind,
            None if task == -1 else task,
            noted,
            self._noted(source),
            None if edge == -1 else edge,
            None if output_nr == -1 else output_nr,
            gradients,
            None if count == -1 else count,
            detail,
            result,
            None if self._program is None else self._program.running_line(),
        )
        with _lock:
            event = Event(len(self.events) + 1, *event)
            if self._limit is not None and kind == "apply":
                for index, known in filled_in(self.events, event):
                    self.events[index] = known
            self.events.append(event)

    def _noted(self, node):
        if node is None:
            return None
        with _lock:
            if node not in self._held:
                self._note_reachable(node)
            return self._held[node]

    def _note_reachable(self, node):
        """Describe a node and all nodes below it that are new."""
        ids = {node: len(self.nodes)}
        edges = {}
        found = [node]
        for node in found:  # grows during the iteration
            edges[node] = node.next_functions
            for target, _ in edges[node]:
                if target is not None and target not in self._held and target not in ids:
                    ids[target] = len(self.nodes) + len(found)
                    found.append(target)
        noted = []
        for node in found:
            origin = _origin_of(node)
            description = TracedNode(
                ids[node],
                type(node).__name__,
                number_of(node),
                kind_of(node),
                tuple(Gradient(tuple(m.shape), m.dtype) for m in node._input_metadata),
                self._names.of(node),
                origin,
                None if self._program is None else self._program.line_in(origin),
                tuple(
                    None
                    if target is None
                    else (self._held[target].id if target in self._held else ids[target], nr)
                    for target, nr in edges[node]
                ),
                saved_of(node, self._limit),
            )
            noted.append(description)
        # only now, so that Ctrl-C before leaves no node without the nodes below it
        self.nodes += noted
        self._held.update(zip(found, noted, strict=True))

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
        ('minitorch.trace/2', 'MulBackward0', 'root')
        """
        return json.dumps(self.recording(), indent=indent)

    def recording(self):
        """Return the trace as the dict that `to_json` writes."""
        return recording_of(self)

    def to_html(self, title=None):
        """Return one self-contained HTML page that plays the trace, event by event.

        Parameters
        ----------
        title : str, optional
            The default is the name of the program.

        Examples
        --------
        >>> import minitorch as torch
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> with torch.autograd.trace({"x": x}, values=16) as steps:
        ...     (x * x).backward()
        >>> "MulBackward0" in steps.to_html()
        True
        """
        # only here is the page needed
        from minitorch.autograd.observe.player_page import page

        return page(self.recording(), title)

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
        """Write the trace to a file.

        Parameters
        ----------
        path : str or path-like
            Its ending chooses the format: ``.svg`` the picture, ``.json`` `to_json`, ``.txt`` the text,
            ``.html`` the page of `to_html`.

        Raises
        ------
        ValueError
            When the name has another ending.
        """
        writers = {
            ".svg": self.to_svg,
            ".json": self.to_json,
            ".txt": self.__str__,
            ".html": self.to_html,
        }
        save_text(path, writers)

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
        # only here is the page needed
        from minitorch.autograd.observe.player_page import frame

        small = len(self.nodes) <= MAX_SHOWN and 0 < len(self.events) <= MAX_ROWS
        player = frame(self.recording()) if small else ""
        picture = self._repr_svg_() or f"<p>{len(self.nodes)} nodes</p>"
        if player:
            picture = f"<details><summary>The graph</summary>{picture}</details>"
        return (
            f"{player}{picture}<details><summary>{len(self.events)} events</summary>"
            f"<table>{rows}</table></details>"
        )
