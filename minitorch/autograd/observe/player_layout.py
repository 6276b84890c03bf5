"""The positions of nodes and edges in the player's drawing of the graph."""

from minitorch.autograd.observe.layered_layout import lay_out

MAX_NODES = 1000
BOX_HEIGHT = 66
LAYER_GAP = 46
CHARACTER = 8.5  # the width of a character of the title
MIN_WIDTH = 156
MARGIN = 10


def layout_of(nodes):
    """Return the layout of a graph, or None for one with too many nodes.

    Parameters
    ----------
    nodes : list of dict
        The nodes of a recording.

    Returns
    -------
    dict or None
        ``width`` and ``height``; ``boxes``: ``[x, y, width, height]`` of each node; ``edges``: a dict
        with ``source``, ``edge``, ``target``, ``path`` (of SVG) and ``middle`` (``[x, y]``) for each.

    Examples
    --------
    >>> layout_of([{"title": "MulBackward0 #1", "kind": "operator", "edges": []}])["boxes"]
    [[10.0, 10, 156, 66]]
    """
    if len(nodes) > MAX_NODES:
        return None
    widths = [max(MIN_WIDTH, round(len(shown_title(n)) * CHARACTER + 22)) for n in nodes]
    ends = [
        (source, k, target[0])
        for source, node in enumerate(nodes)
        for k, target in enumerate(node["edges"])
        if target is not None
    ]
    centres, layers, routes = lay_out(widths, [(source, target) for source, _, target in ends])
    tops = [MARGIN + layer * (BOX_HEIGHT + LAYER_GAP) for layer in layers]
    boxes = [
        [round(c - w / 2 + MARGIN, 1), top, w, BOX_HEIGHT]
        for c, w, top in zip(centres, widths, tops, strict=True)
    ]
    edges = []
    parallel = _parallel(ends)
    for (source, k, target), route in zip(ends, routes, strict=True):
        shift = parallel[source, target].pop(0)
        start = centres[source] + MARGIN + shift, tops[source] + BOX_HEIGHT
        points = [start]
        for x, layer in route:
            top = MARGIN + layer * (BOX_HEIGHT + LAYER_GAP)
            points += [(x + MARGIN + shift, top), (x + MARGIN + shift, top + BOX_HEIGHT)]
        points.append((centres[target] + MARGIN + shift, tops[target] - 2))
        path, middle = _curve(points)
        edges.append(
            {"source": source, "edge": k, "target": target, "path": path, "middle": middle}
        )
    right = max([x + w for x, _, w, _ in boxes], default=0)
    right = max([right, *(x + MARGIN for route in routes for x, _ in route)])
    bottom = max([y + h for _, y, _, h in boxes], default=0)
    return {
        "width": round(right + MARGIN),
        "height": round(bottom + MARGIN),
        "boxes": boxes,
        "edges": edges,
    }


def shown_title(node):
    """Return the title of a box: that of the node, and the name of its tensor if it has one."""
    label = node.get("label")
    if label is None or node["kind"] == "sink":
        return node["title"]
    return f"{node['title']}: {label}"


def _parallel(ends):
    """Return, for each pair of nodes, the sideways shifts of the edges between them."""
    counts = {}
    for source, _, target in ends:
        counts[source, target] = counts.get((source, target), 0) + 1
    return {
        pair: [(k - (count - 1) / 2) * min(44, 110 / count) for k in range(count)]
        for pair, count in counts.items()
    }


def _curve(points):
    """Return a smooth path through the points, and the middle of its first piece."""
    (x, y), *rest = points
    text = f"M{x:.1f} {y:.1f}"
    middle = None
    for nx, ny in rest:
        half = (y + ny) / 2
        text += f" C{x:.1f} {half:.1f} {nx:.1f} {half:.1f} {nx:.1f} {ny:.1f}"
        middle = middle or [round((x + nx) / 2, 1), round(half, 1)]
        x, y = nx, ny
    return text, middle
