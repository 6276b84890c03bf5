"""Drawing of graphs as SVG: boxes and arrows, without other libraries.

`Diagram` draws any boxes and edges. `draw` fills one with the graph of a tensor, and
`minitorch.autograd.trace` with the nodes that a backward pass has run.
"""

import html
import os
import re
from typing import NamedTuple

from minitorch.autograd.accumulate_grad import AccumulateGrad
from minitorch.autograd.anomaly import _origin_of
from minitorch.autograd.node import Node
from minitorch.autograd.observe.layered_layout import lay_out
from minitorch.autograd.python_function import _FunctionBase
from minitorch.autograd.variable import TensorBase, _gradient_edge

__all__ = ["Diagram", "draw"]

LINE = 16  # the height of a line of text
CHARACTER = 7.3  # the width of a character of the fixed font, at 12 pixels
PADDING = 8
LAYER_GAP = 34
MARGIN = 14
MAX_SHOWN = 1000  # nodes in a diagram that a notebook displays
# kind of node -> (fill colour, frame colour)
COLOURS = {
    "operator": ("#eef3fb", "#5b7fb8"),
    "function": ("#fdf1e3", "#c98a3c"),
    "sink": ("#e9f6ec", "#4f9a63"),
    "idle": ("#f6f6f6", "#b5b5b5"),
}
# the same on dark pages
DARK_COLOURS = {
    "operator": ("#1d2a41", "#7fa3dc"),
    "function": ("#3d2c14", "#dba35a"),
    "sink": ("#17321f", "#66b87c"),
    "idle": ("#20242d", "#7a8190"),
}
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text):
    """Escape a text for XML, also inside attributes.

    Examples
    --------
    >>> escaped('a < "b" & \\x00')
    'a &lt; &quot;b&quot; &amp; \ufffd'
    """
    return html.escape(_NOT_IN_XML.sub("\ufffd", str(text)), quote=True)


class Box(NamedTuple):
    """One node of a diagram."""

    lines: tuple  # lines of text, the first one bold
    kind: str = "operator"  # a key of COLOURS
    badge: str = ""  # text in the corner: when the node ran
    tooltip: str = ""


class Arrow(NamedTuple):
    """One edge of a diagram: the numbers of two boxes."""

    source: int
    target: int
    label: str = ""


class Diagram:
    """A picture of boxes and arrows in layers; a notebook displays it.

    Parameters
    ----------
    boxes : sequence of Box
    arrows : sequence of Arrow
        Must not form a cycle.
    """

    def __init__(self, boxes, arrows):
        self.boxes = list(boxes)
        self.arrows = list(arrows)

    def __repr__(self):
        return f"<{type(self).__name__} of {len(self.boxes)} nodes, {len(self.arrows)} edges>"

    def to_svg(self):
        """Return the picture as text: one self-contained ``<svg>`` element."""
        widths = [
            max(len(line) for line in box.lines) * CHARACTER + 2 * PADDING for box in self.boxes
        ]
        heights = [len(box.lines) * LINE + 2 * PADDING - 4 for box in self.boxes]
        centres, layers, routes = lay_out(widths, [arrow[:2] for arrow in self.arrows])
        tops, row_heights, bottom = _rows(heights, layers)
        ends = zip(centres, widths, self.boxes, strict=True)
        right = max((c + w / 2 + _badge_radius(box) for c, w, box in ends), default=0)
        right = max([right, *(x for route in routes for x, _ in route)], default=0)
        left = min([0, *(x for route in routes for x, _ in route)])
        parts = [_head(right - left + 2 * MARGIN, bottom + 2 * MARGIN)]
        parts.append(f'<g transform="translate({MARGIN - left:g} {MARGIN})">')
        several = _several(self.arrows)
        for arrow, route in zip(self.arrows, routes, strict=True):
            source, target = arrow.source, arrow.target
            shift = several[source, target].pop() if (source, target) in several else 0
            points = [(centres[source] + shift, tops[source] + heights[source])]
            for x, layer in route:
                points += [(x, row_heights[layer][0]), (x, row_heights[layer][1])]
            points.append((centres[target] + shift, tops[target]))
            parts.append(_path(points, arrow.label))
        for k, box in enumerate(self.boxes):
            parts.append(_box(box, centres[k] - widths[k] / 2, tops[k], widths[k], heights[k]))
        parts.append("</g></svg>")
        return "\n".join(parts)

    def _repr_svg_(self):
        # a notebook shows the `repr` of a large diagram, which would take too long to draw
        return self.to_svg() if len(self.boxes) <= MAX_SHOWN else None

    def save(self, path):
        """Write the picture to a file.

        Parameters
        ----------
        path : str or path-like
            Its name has to end in ``.svg``.

        Raises
        ------
        ValueError
            When the name has another ending.
        """
        save_text(path, {".svg": self.to_svg})


def save_text(path, writers):
    """Write to `path` the text that the writer for its file ending returns."""
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending not in writers:
        raise ValueError(
            f"the file's name has to end in {' or '.join(writers)}, got {os.fspath(path)!r}"
        )
    with open(path, "w", encoding="utf-8") as file:
        file.write(writers[ending]())


def _rows(heights, layers):
    """Return the top of each box, the (top, bottom) of each layer, and the picture's bottom."""
    highest = [0] * (max(layers, default=-1) + 1)
    for height, layer in zip(heights, layers, strict=True):
        highest[layer] = max(highest[layer], height)
    rows, y = [], 0
    for height in highest:
        rows.append((y, y + height))
        y += height + LAYER_GAP
    tops = [rows[layer][0] for layer in layers]
    return tops, rows, y - LAYER_GAP if rows else 0


def _several(arrows):
    """Return sideways shifts of the arrows between pairs of boxes with more than one arrow."""
    counts = {}
    for arrow in arrows:
        counts[arrow[:2]] = counts.get(arrow[:2], 0) + 1
    return {
        pair: [(k - (count - 1) / 2) * min(16, 60 / count) for k in range(count)]
        for pair, count in counts.items()
        if count > 1
    }


def _dark_rules(before):
    """Return the CSS of dark diagrams, for selectors that begin with `before`."""
    rules = {
        " > .ground": "fill: #141821",
        " .edge": "stroke: #8d96a8",
        " marker path": "fill: #8d96a8",
        " text": "fill: #e5e8ef",
        " text.more": "fill: #a5aec0",
        " text.order": "fill: #14181e",
    }
    for kind, (inside, frame) in DARK_COLOURS.items():
        rules[f" .{kind} rect"] = f"fill: {inside}; stroke: {frame}"
        rules[f" .{kind} rect.badge"] = f"fill: {frame}"
    return "".join(f"{before}{selector} {{ {rule} }}\n" for selector, rule in rules.items())


# dark where the page says so, or the system when the page does not say
_STYLE = (
    "<style>\n"
    + _dark_rules('[data-theme="dark"] .minitorch-graph')
    + "@media (prefers-color-scheme: dark) {\n"
    + _dark_rules(':root:not([data-theme="light"]) .minitorch-graph')
    + _dark_rules(".minitorch-graph:root")
    + "}\n</style>\n"
)


def _head(width, height):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="minitorch-graph" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-size="12" '
        'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace">\n'
        '<defs><marker id="minitorch-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#777"/></marker></defs>\n'
        f'{_STYLE}<rect class="ground" width="100%" height="100%" fill="white"/>'
    )


def _path(points, label):
    """Return a smooth downward curve through the points."""
    (x, y), *rest = points
    text = f"M{x:.1f} {y:.1f}"
    for nx, ny in rest:
        middle = (y + ny) / 2
        text += f" C{x:.1f} {middle:.1f} {nx:.1f} {middle:.1f} {nx:.1f} {ny:.1f}"
        x, y = nx, ny
    title = f"<title>{escaped(label)}</title>" if label else ""
    return (
        f'<path class="edge" d="{text}" fill="none" stroke="#777" '
        f'marker-end="url(#minitorch-arrow)">{title}</path>'
    )


def _badge_radius(box):
    return 5 + 3.2 * len(box.badge) if box.badge else 0


def _box(box, x, y, width, height):
    inside, frame = COLOURS[box.kind]
    parts = [f'<g class="node {box.kind}" transform="translate({x:.1f} {y:.1f})">']
    if box.tooltip:
        parts.append(f"<title>{escaped(box.tooltip)}</title>")
    parts.append(
        f'<rect width="{width:.1f}" height="{height:.1f}" rx="5" fill="{inside}" stroke="{frame}"/>'
    )
    for k, line in enumerate(box.lines):
        weight = ' font-weight="bold"' if k == 0 else ' class="more" fill="#555"'
        parts.append(
            f'<text x="{width / 2:.1f}" y="{PADDING + 8 + k * LINE}" '
            f'text-anchor="middle"{weight}>{escaped(line)}</text>'
        )
    if box.badge:
        radius = _badge_radius(box)
        parts.append(
            f'<rect class="badge" x="{width - radius:.1f}" y="-8" width="{2 * radius:.1f}" height="16" rx="8" '
            f'fill="{frame}"/><text class="order" x="{width:.1f}" y="4" font-size="11" fill="white" '
            f'text-anchor="middle">{escaped(box.badge)}</text>'
        )
    parts.append("</g>")
    return "".join(parts)


# ---- the graph of a tensor


def shown(shape, dtype):
    """Return a short text with shape and dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> shown((2, 3), torch.float32)
    'float32[2, 3]'
    """
    return f"{str(dtype).removeprefix('torch.')}[{', '.join(map(str, shape))}]"


def kind_of(node):
    """Return the node's key in `COLOURS`."""
    if isinstance(node, AccumulateGrad):
        return "sink"
    return "function" if isinstance(node, _FunctionBase) else "operator"


def number_of(node):
    """Return the node's sequence number; None for an `AccumulateGrad`."""
    return None if isinstance(node, AccumulateGrad) else node._sequence_nr()


class Names:
    """The user's names for tensors, looked up by node."""

    def __init__(self, names):
        items = dict(names or {})
        self.of_leaf = {id(t): str(name) for name, t in items.items() if t.grad_fn is None}
        self.of_node = {}
        for name, t in items.items():
            if t.grad_fn is not None:
                self.of_node.setdefault(t.grad_fn, []).append(str(name))
        self.tensors = list(items.values())  # kept alive, so that their ids are not reused

    def of(self, node):
        """Return the name of the node's tensor, or None."""
        if isinstance(node, AccumulateGrad):
            return self.of_leaf.get(id(node.variable))
        names = self.of_node.get(node)
        return None if names is None else ", ".join(names)


def draw(tensors, names=None):
    """Return the graph of a tensor as a picture, which a notebook displays.

    Each node is a box with its name, its number in the order of recording, and the shape and dtype
    of the gradient it receives. Arrows show where gradients flow. Green boxes are leaves, orange
    ones are nodes of an `autograd.Function`. The tooltip of a box is the line of the program that
    recorded the node, if `record_origin` was active.

    Parameters
    ----------
    tensors : Tensor, GradientEdge, or sequence of them
        The roots of the graph.
    names : mapping or iterable of pairs, optional
        Names of tensors, such as ``{"w": w}`` or ``module.named_parameters()``.

    Returns
    -------
    Diagram
        It has methods ``save("graph.svg")`` and ``to_svg()``.

    Raises
    ------
    RuntimeError
        When a tensor does not require grad and so has no graph.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.ones(3, requires_grad=True)
    >>> loss = (w * 2).sum()
    >>> picture = torch.autograd.graph.draw(loss, {"w": w})
    >>> picture
    <Diagram of 3 nodes, 2 edges>
    >>> [box.lines for box in picture.boxes][0][0]
    'SumBackward0'
    """
    names = Names(names)
    nodes = _reachable([_root(item) for item in _as_list(tensors)])
    numbers = {node: k for k, node in enumerate(nodes)}
    boxes = [box_of(node, names.of(node)) for node in nodes]
    arrows = [
        Arrow(k, numbers[target], shown_output(target, output_nr))
        for node, k in numbers.items()
        for target, output_nr in node.next_functions
        if target is not None
    ]
    return Diagram(boxes, arrows)


def _as_list(tensors):
    if isinstance(tensors, TensorBase) or (isinstance(tensors, tuple) and _is_edge(tensors)):
        return [tensors]
    return list(tensors)


def _is_edge(item):
    return len(item) >= 2 and isinstance(item[0], Node)


def _root(item):
    if isinstance(item, TensorBase):
        node, _ = _gradient_edge(item)
        if node is None:
            raise RuntimeError("the tensor does not require grad, and so it has no graph")
        return node
    return item[0]


def _reachable(roots):
    """Return the nodes that `roots` lead to, each once, the newest first and sinks last."""
    found = dict.fromkeys(roots)
    waiting = list(found)
    while waiting:
        for node, _ in waiting.pop().next_functions:
            if node is not None and node not in found:
                found[node] = None
                waiting.append(node)
    return sorted(found, key=lambda node: -(number_of(node) if number_of(node) is not None else -1))


def box_of(node, label):
    """Return the box of one node."""
    number = number_of(node)
    first = type(node).__name__ + (f" {label}" if label else "")
    outputs = [shown(m.shape, m.dtype) for m in node._input_metadata]
    second = ", ".join(outputs[:2]) + (", ..." if len(outputs) > 2 else "")
    lines = (first, second if number is None else f"{number}: {second}")
    return Box(lines, kind_of(node), "", _origin_of(node) or "")


def shown_output(node, output_nr):
    """Return shape and dtype of the gradient for one output of a node."""
    metadata = node._input_metadata
    if output_nr >= len(metadata):
        return ""
    return shown(metadata[output_nr].shape, metadata[output_nr].dtype)
