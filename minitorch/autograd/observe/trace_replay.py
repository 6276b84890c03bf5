"""The state of the engine after each event of a recording.

`replay` computes it from the events alone. `stateAfter` in player/player.js computes the same state
for the page, and a test compares the two.
"""


def replay(recording):
    """Yield the state before the first event, and after each event: the same dict every time.

    Parameters
    ----------
    recording : dict
        What `trace.recording` returns.

    Yields
    ------
    dict
        ``event``: the number of events so far. ``task``, ``node``: those of the last event.
        ``tasks``: for each backward pass its ``queue`` (node ids in the order of their arrival), the
        ``running`` node, ``order`` (the number of its last event), and by node id ``phase``,
        ``dependencies`` (gradients still to come), ``buffers`` and ``inputs`` (a gradient or None for
        each output). ``edges``: ``"node:edge"`` -> the last gradient sent along it. ``grads``: sink
        id -> ``.grad``. ``freed``: ids of nodes without their saved tensors. ``captured``: by task,
        index in `inputs=` -> gradient. All ids are strings, as in JSON.
    """
    state = {
        "event": 0,
        "task": None,
        "node": None,
        "tasks": {},
        "edges": {},
        "grads": {},
        "freed": [],
        "captured": {},
    }
    yield state
    for event in recording["events"]:
        _advance(state, event, recording["nodes"])
        yield state


def phase_of(state, node):
    """Return the phase of a node: that in the last pass that has met it, the current pass first.

    Returns
    -------
    str
        ``"idle"``, ``"waiting"``, ``"ready"``, ``"running"``, ``"done"`` or ``"freed"``.
    """
    key = str(node)
    current = state["tasks"].get(str(state["task"]))
    if current is not None and key in current["phase"]:
        return current["phase"][key]
    passes = sorted(state["tasks"].values(), key=lambda task: -task["order"])
    return next((task["phase"][key] for task in passes if key in task["phase"]), "idle")


def _advance(state, event, nodes):
    state["event"] = event["number"]
    state["task"] = event["task"]
    state["node"] = event["node"]
    if event["task"] is None or event["node"] is None:
        if event["kind"] == "accumulate" and event["node"] is not None:
            _accumulate(state, event)
        return
    task = state["tasks"].setdefault(
        str(event["task"]),
        {"queue": [], "running": None, "order": 0}
        | {"phase": {}, "dependencies": {}, "buffers": {}, "inputs": {}},
    )
    task["order"] = event["number"]
    node, key = event["node"], str(event["node"])
    kind = event["kind"]
    if kind == "dependency":
        task["phase"][key] = "waiting"
        task["dependencies"][key] = event["count"]
    elif kind == "push":
        task["queue"].append(node)
        task["phase"][key] = "ready"
        task["dependencies"][key] = 0
    elif kind == "pop":
        _finish(state, task)
        task["queue"] = [n for n in task["queue"] if n != node]
        task["running"] = node
        task["phase"][key] = "running"
        task["inputs"][key] = task["buffers"].pop(key, [None] * len(nodes[node]["outputs"]))
    elif kind == "apply":
        task["inputs"][key] = event["gradients"]
    elif kind == "validate":
        state["edges"][f"{event['source']}:{event['edge']}"] = event["gradients"][1]
    elif kind == "buffer":
        buffer = task["buffers"].setdefault(key, [None] * len(nodes[node]["outputs"]))
        (gradient,) = event["gradients"]
        first = event["detail"] == "first"
        buffer[event["output_nr"]] = event["result"] or (gradient if first else _unknown(gradient))
        if event["source"] is not None and key in task["dependencies"]:
            task["dependencies"][key] -= 1
    elif kind == "free":
        if node not in state["freed"]:
            state["freed"].append(node)
    elif kind == "capture":
        captured = state["captured"].setdefault(str(event["task"]), {})
        captured[str(event["count"])] = event["gradients"][0]
    elif kind == "accumulate":
        _accumulate(state, event)
        if task["running"] == node:
            _finish(state, task)
    elif kind == "skip":
        _finish(state, task)


def _accumulate(state, event):
    (gradient,) = event["gradients"]
    replaced = event["detail"] in ("taken", "copied")
    state["grads"][str(event["node"])] = event["result"] or (
        gradient if replaced else _unknown(gradient)
    )


def _finish(state, task):
    node = task["running"]
    if node is not None:
        task["phase"][str(node)] = "freed" if node in state["freed"] else "done"
        task["running"] = None


def _unknown(gradient):
    return gradient and {**gradient, "values": None}
