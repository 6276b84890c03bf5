"""A trace as JSON: the recording that the player replays. `docs/trace.schema.json` describes it."""

from minitorch.autograd.observe.engine_sources import line_of, place_of, sources_of
from minitorch.autograd.observe.player_layout import layout_of
from minitorch.autograd.observe.trace_explanations import explanations

SCHEMA = "minitorch.trace/2"


def recording_of(trace):
    """Return the recording of a trace, as a dict for `json.dumps`."""
    places = [place_of(e.kind, e.source is not None, e.detail) for e in trace.events]
    nodes = [_node(node) for node in trace.nodes]
    _add_titles(nodes)
    program = trace._program
    source = None if program is None else program.source()
    recording = {
        "schema": SCHEMA,
        "program": None if source is None else {"name": program.name, "source": source},
        "sources": sources_of(dict.fromkeys(places)),
        "nodes": nodes,
        "events": [_event(event, place) for event, place in zip(trace.events, places, strict=True)],
        "error": None,
        "layout": layout_of(nodes),
    }
    if trace.error is not None:
        recording["error"] = {
            "type": type(trace.error).__name__,
            "text": str(trace.error),
            "notes": [str(note) for note in getattr(trace.error, "__notes__", ())],
        }
    for event, sentence in zip(recording["events"], explanations(recording), strict=True):
        event["sentence"] = sentence
    return recording


def _node(node):
    return {
        "id": node.id,
        "name": node.name,
        "sequence_nr": node.sequence_nr,
        "kind": node.kind,
        "outputs": [_gradient(g) for g in node.outputs],
        "label": node.label,
        "origin": node.origin,
        "line": node.line,
        "edges": [None if edge is None else list(edge) for edge in node.edges],
        "saved": [
            {
                "name": saved.name,
                "shape": None if saved.shape is None else list(saved.shape),
                "dtype": None if saved.shape is None else _name(saved.dtype),
                "values": saved.values,
            }
            for saved in node.saved
        ],
    }


def _add_titles(nodes):
    """Give each node a title that no other node has, with its place in the order of recording."""
    order = sorted(n["sequence_nr"] for n in nodes if n["sequence_nr"] is not None)
    rank = {number: k for k, number in enumerate(order, 1)}
    unnamed = [n for n in nodes if n["sequence_nr"] is None and not n["label"]]
    for node in nodes:
        if node["sequence_nr"] is not None:
            node["title"] = f"{node['name']} #{rank[node['sequence_nr']]}"
        elif node["label"]:
            node["title"] = f"{node['name']} of {node['label']}"
        elif len(unnamed) > 1:
            node["title"] = f"{node['name']} of leaf {unnamed.index(node) + 1}"
        else:
            node["title"] = node["name"]


def _event(event, place):
    return {
        "number": event.number,
        "kind": event.kind,
        "task": event.task,
        "node": None if event.node is None else event.node.id,
        "source": None if event.source is None else event.source.id,
        "edge": event.edge,
        "output_nr": event.output_nr,
        "gradients": [_gradient(g) for g in event.gradients],
        "count": event.count,
        "detail": event.detail,
        "result": _gradient(event.result),
        "function": place.function,
        "line": line_of(place),
        "program_line": event.program_line,
    }


def _gradient(gradient):
    if gradient is None:
        return None
    return {
        "shape": list(gradient.shape),
        "dtype": _name(gradient.dtype),
        "values": gradient.values,
    }


def _name(dtype):
    return str(dtype).removeprefix("torch.")
