"""The nesting of events, found from their times alone."""

from collections import defaultdict

__all__ = ["populate_cpu_children", "remove_dup_nodes", "set_backward_stacktraces"]


def populate_cpu_children(events):
    """Make each event a child of the innermost event of its thread that contains it in time.

    When two events overlap and neither contains the other, the earlier one counts as ended.
    """
    threads = defaultdict(list)
    for event in events:
        if not event.is_async:
            threads[event.thread, event.node_id].append(event)
    for together in threads.values():
        open_events = []
        for event in sorted(together, key=lambda e: (e.time_range.start, -e.time_range.end)):
            end = event.time_range.end
            while open_events and (
                event.time_range.start >= open_events[-1].time_range.end
                or end > open_events[-1].time_range.end
            ):
                open_events.pop()
            if open_events:
                open_events[-1].append_cpu_child(event)
                if event.cpu_parent is not None:
                    raise AssertionError(f"There is already a CPU parent event for {event.key}")
                event.set_cpu_parent(open_events[-1])
            open_events.append(event)


def remove_dup_nodes(events):
    """Remove each event that is the only child of an event with the same name."""
    while True:
        doubles = {
            event.id
            for event in events
            if event.cpu_parent is not None
            and event.cpu_parent.name == event.name
            and len(event.cpu_parent.cpu_children) == 1
        }
        if not doubles:
            return
        for event in events:
            if event.id in doubles:
                parent = event.cpu_parent
                parent.cpu_children = event.cpu_children
                for child in event.cpu_children:
                    child.set_cpu_parent(parent)
        events[:] = [event for event in events if event.id not in doubles]


_BACKWARD = 1  # the scope of a node's call


def set_backward_stacktraces(events):
    """Give the events of a backward the stack of the operator that recorded the node."""
    nodes = [_node_of(event) for event in events]
    stacks = {}
    for event, node in zip(events, nodes, strict=True):
        if node is None and event.stack is not None:
            stacks.setdefault((event.sequence_nr, event.thread), event.stack)
    for event, node in zip(events, nodes, strict=True):
        if node is not None:
            if node.fwd_thread is None:
                raise AssertionError("Expected fwd_thread to be set for backward parent")
            event.stack = stacks.get((node.sequence_nr, node.fwd_thread), [])


def _node_of(event):
    """Return the innermost call of a node among `event` and its parents, or None."""
    while event is not None and event.scope != _BACKWARD:
        event = event.cpu_parent
    return event
