"""Export of a profile as the JSON that chrome://tracing and Perfetto read."""

import os
import socket

from minitorch.autograd.observe.profiler_inputs import as_cpp_prints

__all__ = ["chrome_trace"]


def chrome_trace(path, recorder, settings):
    """Return the trace as a dictionary that can be written as JSON.

    Parameters
    ----------
    path : str
        Where the file will be written; the trace contains it as its name.
    recorder : Recorder
    settings : dict
        Entries that are put at the head of the document.
    """
    pid = os.getpid()
    traced = [*_names(pid, sorted(set(recorder.threads.values())))]
    executed = [event for event in recorder.events if event.trace_name is not None]
    flows = _flows(executed)
    for index, event in enumerate(executed):
        place = {"pid": pid, "tid": event.device_resource_id, "ts": event.time_range.start}
        traced.append(
            {
                "ph": "X",
                "cat": event.activity_type,
                "name": event.trace_name,
                **place,
                "dur": event.time_range.elapsed_us(),
                "args": {**_facts(event), "Ev Idx": index},
            }
        )
        if event.id in flows:
            flow, kind = flows[event.id]
            end = {} if kind == "s" else {"bp": "e"}
            traced.append(
                {"ph": kind, "id": flow, **place, "cat": "fwdbwd", "name": "fwdbwd", **end}
            )
    for index, record in enumerate(recorder.memory, len(executed)):
        traced.append(_memory(record, recorder, pid, index))
    span = {"pid": "Spans", "ts": 0.0}
    traced += [
        {"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "tid": "PyTorch Profiler", **span,
         "dur": recorder.ended, "args": {"Op count": 0}},
        {"ph": "M", "name": "process_sort_index", "tid": 0, **span, "args": {"sort_index": 2**29}},
        {"ph": "i", "s": "g", "name": "Iteration Start: PyTorch Profiler", "pid": "Traces",
         "tid": "Trace PyTorch Profiler", "ts": 0.0},
        {"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": recorder.ended},
    ]  # fmt: skip
    return {
        "schemaVersion": 1,
        "deviceProperties": [],
        **settings,
        "host_name": socket.gethostname(),
        "displayTimeUnit": "ms",
        "baseTimeNanoseconds": recorder.began_at,
        "traceEvents": traced,
        "traceName": str(path),
    }


def _names(pid, threads):
    def told(name, tid, /, **facts):
        return {"ph": "M", "name": name, "ts": 0.0, "pid": pid, "tid": tid, "args": facts}

    yield told("process_name", 0, name="python")
    yield told("process_labels", 0, labels="CPU")
    yield told("process_sort_index", 0, sort_index=pid)
    for thread in threads:
        yield told("thread_name", thread, name=f"thread {thread} (python)")
        yield told("thread_sort_index", thread, sort_index=thread)


def _facts(event):
    facts = {"External id": event.external_id, "Record function id": event._number}
    if event.sequence_nr >= 0:
        facts["Sequence number"] = event.sequence_nr
        facts["Fwd thread id"] = event.fwd_thread
    if event.input_dtypes:
        facts["Concrete Inputs"] = [as_cpp_prints(value) for value in event.concrete_inputs]
        facts["Input type"] = event.input_dtypes
        facts["Input Strides"] = event.structured_input_strides
        facts["Input Dims"] = event.structured_input_shapes
    facts.update(event.kwinputs or {})
    return facts


def _flows(events):
    """Return arrows from operators to their nodes as ``{event id: (flow id, "s" or "f")}``."""
    nodes = {e.sequence_nr: e for e in events if e.scope == 1 and e.sequence_nr >= 0}
    recorded = {}
    for event in events:  # the last one with a sequence number recorded the node
        if event.scope == 0 and not event.fwd_thread and event.sequence_nr in nodes:
            recorded[event.sequence_nr] = event
    flows = {}
    for flow, (number, event) in enumerate(sorted(recorded.items(), reverse=True), 1):
        flows[event.id] = flow, "s"
        flows[nodes[number].id] = flow, "f"
    return flows


def _memory(record, recorder, pid, index):
    return {
        "ph": "i",
        "cat": "cpu_instant_event",
        "s": "t",
        "name": "[memory]",
        "pid": pid,
        "tid": recorder.threads.get(record.thread, record.thread),
        "ts": record.moment,
        "args": {
            "Total Reserved": 0,
            "Total Allocated": record.total,
            "Bytes": record.nbytes,
            "Device Id": -1,
            "Device Type": 0,
            "Addr": record.address,
            "Ev Idx": index,
        },
    }
