"""The state of a recording after event k, computed from the whole history instead of step by step.

This is a second way to compute what `trace_replay.replay` and the player's `stateAfter` compute, for
tests that compare them.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = sorted((ROOT / "docs" / "recordings").glob("*.py"))


def positions(events, node, *kinds, sourced=False):
    return [
        k
        for k, e in enumerate(events)
        if e["node"] == node and e["kind"] in kinds and not (sourced and e["source"] is None)
    ]


def last(found):
    return found[-1] if found else -1


class Pass:
    """The state of one backward pass after its first k events."""

    def __init__(self, events, task):
        self.events = [e if e["task"] == task else {"kind": "", "node": None} for e in events]
        self.end = last([k for k, e in enumerate(events) if e["task"] == task])

    def phase(self, node):
        counted, pushed, popped = (
            last(positions(self.events, node, kind)) for kind in ("dependency", "push", "pop")
        )
        newest = max(counted, pushed, popped)
        if newest == -1:
            return None
        if newest == counted:
            return "waiting"
        if newest == pushed:
            return "ready"
        ends = [
            k
            for k, e in enumerate(self.events)
            if k > popped
            and (e["kind"] == "pop" or (e["node"] == node and e["kind"] in ("accumulate", "skip")))
        ]
        if not ends:
            return "running"
        return "freed" if positions(self.events[: ends[0]], node, "free") else "done"

    def queue(self):
        pushed = {e["node"]: k for k, e in enumerate(self.events) if e["kind"] == "push"}
        return [node for node in sorted(pushed, key=pushed.get) if self.phase(node) == "ready"]

    def dependencies(self):
        left = {}
        for node in {e["node"] for e in self.events if e["kind"] == "dependency"}:
            counted = positions(self.events, node, "dependency")
            arrived = positions(self.events, node, "buffer", sourced=True)
            left[node] = len(counted) - len(arrived)
            if last(positions(self.events, node, "push")) > last(counted):
                left[node] = 0
        return left

    def buffers(self, nodes):
        held = {}
        for k, e in enumerate(self.events):
            if e["kind"] != "buffer" or positions(self.events[k:], e["node"], "pop"):
                continue
            buffer = held.setdefault(e["node"], [None] * len(nodes[e["node"]]["outputs"]))
            (gradient,) = e["gradients"]
            known = e["result"] or (gradient if e["detail"] == "first" else None)
            buffer[e["output_nr"]] = known or {**gradient, "values": None}
        return held


def expected(recording, k):
    """Return the state after event k, as the player shows it."""
    nodes, events = recording["nodes"], recording["events"][:k]
    task = events[-1]["task"] if events else None
    passes = {e["task"]: None for e in events if e["task"] is not None}
    passes = [Pass(events, number) for number in passes]
    current = Pass(events, task)
    in_order = [current, *sorted(passes, key=lambda one: -one.end)]
    phases = {}
    for node in range(len(nodes)):
        known = (one.phase(node) for one in in_order)
        phases[node] = next(filter(None, known), "idle")
    grads = {}
    for e in events:
        if e["kind"] == "accumulate":
            replaced = e["detail"] in ("taken", "copied")
            (gradient,) = e["gradients"]
            grads[e["node"]] = e["result"] or (
                gradient if replaced else {**gradient, "values": None}
            )
    return {
        "phases": phases,
        "queue": current.queue() if task is not None else [],
        "dependencies": current.dependencies() if task is not None else {},
        "buffers": current.buffers(nodes) if task is not None else {},
        "grads": grads,
        "freed": {e["node"] for e in events if e["kind"] == "free"},
        "captured": {
            e["count"]: e["gradients"][0]
            for e in events
            if e["kind"] == "capture" and e["task"] == task
        },
    }
