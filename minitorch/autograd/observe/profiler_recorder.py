"""The recorder of a profile: an event for each operation, and the memory that it allocated."""

import bisect
import os
import sys
import threading
from itertools import accumulate
from time import perf_counter_ns, time_ns

from minitorch.autograd.calls import USER
from minitorch.autograd.observe.profiler_flops import flops_of
from minitorch.autograd.observe.profiler_inputs import InputsOfEvent
from minitorch.autograd.observe.record_functions import RecordListener
from minitorch.autograd.profiler_util import FunctionEvent
from minitorch.core import memory_log

__all__ = ["MemoryRecord", "Recorder"]


class MemoryRecord:
    """One allocation, or one release, for which `nbytes` is negative.

    Attributes
    ----------
    moment : float
        In microseconds from the start of the profile.
    address, nbytes, total, thread : int
        `total` is the memory in use afterwards, counting only what was allocated during the
        profile.
    in_event : bool
        Whether it happened during an event.
    """

    def __init__(self, moment, address, nbytes, total, thread):
        self.moment, self.address, self.nbytes = moment, address, nbytes
        self.total, self.thread = total, thread
        self.in_event = False


class Recorder(RecordListener):
    """Collects events while a profile runs. entering.pyx starts and stops it."""

    def __init__(
        self, record_shapes, with_flops, with_stack, profile_memory, overload_names, all_threads
    ):
        self.record_shapes = record_shapes
        self.with_flops = with_flops
        self.with_stack = with_stack
        self.profile_memory = profile_memory
        self.overload_names = overload_names
        self.thread = None if all_threads else threading.get_ident()
        self.events, self.memory = [], []
        self.threads = {}
        self.began, self.began_at = perf_counter_ns(), time_ns()
        self.memory_began = self.stopped = 0  # nanoseconds, on the clocks of the log and of `began`

    def collect(self):
        """End the events that are still open, and assign memory to events."""
        self.ended = (self.stopped - self.began) / 1000
        for event in self.events:
            if event.time_range.end is None:
                event.time_range.end, event._memory[1] = self.ended, self._count()
        if self.profile_memory and self.events:
            self._account(memory_log.notes())

    def now(self):
        """Return the microseconds since the start."""
        return (perf_counter_ns() - self.began) / 1000

    def _count(self):
        return memory_log.count() if self.profile_memory else 0

    def begins(self, record):
        """Return a new event for a record that begins; None if another thread runs it."""
        if self.thread is not None and self.thread != threading.get_ident():
            return None
        user = record.scope == USER
        given, facts = None, {}
        if self.record_shapes:
            given = InputsOfEvent(record.values)
            facts = {
                "concrete_inputs": given.concrete,
                "structured_input_shapes": given.structured_shapes,
                "structured_input_strides": given.strides,
                "input_dtypes": given.types,
            }
        name, operator = record.name, record.operator
        overload = ""
        if self.overload_names and operator is not None and record.schema is not None:
            overload = record.schema.overload_name
        counted = self.with_flops and operator is not None and not isinstance(operator, str)
        event = FunctionEvent(
            len(self.events) + 1,
            # all steps of a schedule get the same name
            "ProfilerStep*" if name.startswith("ProfilerStep#") else name,
            record.thread,
            0.0,
            None,
            overload,
            fwd_thread=record.fwd_thread,
            input_shapes=given.shapes if given else [],
            stack=_stack() if self.with_stack else [],
            scope=record.scope,
            sequence_nr=record.sequence_nr,
            device_resource_id=self._native(),
            flops=flops_of(operator.name, record.arguments) if counted else 0,
            trace_name=name,
            kwinputs=dict(record.keywords or {}) if self.record_shapes else {},
            is_user_annotation=user,
            activity_type="user_annotation" if user else "cpu_op",
            external_id=len(self.events) + 1,
            **facts,
        )
        event._number = record.number
        parent = next((t for r in _around(record) for o, t in r.tokens if o is self), None)
        if parent is not None:
            event.set_cpu_parent(parent)
            parent.append_cpu_child(event)
        event._memory = [self._count(), None]
        event.time_range.start = self.now()
        self.events.append(event)
        return event

    def ends(self, event, record, result):
        """Note the end of the event."""
        if event is None:
            return
        end = self.now()
        event._memory[1] = self._count()
        event.time_range.end = end  # last, since an event without an end is still open

    def _native(self):
        ident = threading.get_ident()
        if ident not in self.threads:
            self.threads[ident] = threading.get_native_id()
        return self.threads[ident]

    def _account(self, notes):
        """Set the memory use of each event, and add events for memory changes outside of events."""
        sizes, counted, total = {}, [], 0
        for moment, address, nbytes, thread in notes:
            if nbytes < 0 and sizes.pop(address, 0) != -nbytes:
                nbytes = 0  # allocated before the profile
            elif nbytes > 0:
                sizes[address] = nbytes
            counted.append(nbytes)
            total += nbytes
            microseconds = (moment - self.memory_began) / 1000
            self.memory.append(MemoryRecord(microseconds, address, nbytes, total, thread))
        sums = [0, *accumulate(counted)]
        for event in self.events:
            first, last = event._memory
            event.cpu_memory_usage = sums[last] - sums[first]
            if event.cpu_parent is None:
                for record in self.memory[first:last]:
                    record.in_event = True
        self.memory = [record for record in self.memory if record.nbytes]
        starts = [event.time_range.start for event in self.events]
        outside = [record for record in self.memory if not record.in_event]
        for record in reversed(outside):
            native = self.threads.get(record.thread, record.thread)
            event = FunctionEvent(
                len(starts), "[memory]", 1, record.moment, record.moment, "", fwd_thread=1, input_shapes=[],
                stack=[], cpu_memory_usage=record.nbytes, device_resource_id=native,
            )  # fmt: skip
            self.events.insert(bisect.bisect(starts, record.moment), event)


def _around(record):
    while record.parent is not None:
        record = record.parent
        yield record


def _stack():
    """Return the lines of the program that led to this call, the innermost first."""
    frame = sys._getframe(2)
    lines = []
    while frame is not None:
        code = frame.f_code
        if os.sep + "minitorch" + os.sep not in code.co_filename:
            lines.append(f"{code.co_filename}({frame.f_lineno}): {code.co_name}")
        frame = frame.f_back
    return lines
