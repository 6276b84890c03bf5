"""What a profile consists of: events, their averages, and the table.

All times are microseconds, counted from the start of the profile.
"""

import bisect
import json
from collections import defaultdict
from typing import NamedTuple
from warnings import warn

from minitorch.autograd.observe.event_metadata import EventMetadata, event_metadata
from minitorch.autograd.observe.profiler_table import build_table
from minitorch.autograd.observe.profiler_table import format_memory as _format_memory  # noqa: F401
from minitorch.autograd.observe.profiler_table import format_time as _format_time
from minitorch.autograd.observe.profiler_table import format_time_share as _format_time_share  # noqa: F401
from minitorch.autograd.observe.profiler_tree import (
    populate_cpu_children,
    remove_dup_nodes,
    set_backward_stacktraces,
)
from minitorch.core.device_type import DeviceType

__all__ = [
    "EventList",
    "EventMetadata",
    "FormattedTimesMixin",
    "FunctionEvent",
    "FunctionEventAvg",
    "Interval",
    "Kernel",
    "MemRecordsAcc",
    "StringTable",
]


def _formatted(name):
    return property(lambda self: _format_time(getattr(self, name)), doc=f"`{name}` with its unit.")


def _former(name, present, advice=". Use `{}` instead."):
    """Make a property for the deprecated name of an attribute."""
    said = f"`{name}` is deprecated{advice.format(present.removeprefix('_'))}"

    def read(self):
        warn(said, FutureWarning, stacklevel=2)
        return getattr(self, present)

    return property(read, doc=f"`{present}` under its former name, with a warning.")


class FormattedTimesMixin:
    """The times of an event or of an average as texts; there is no device but the CPU here."""

    cpu_time_str = _formatted("cpu_time")
    cpu_time_total_str = _formatted("cpu_time_total")
    self_cpu_time_total_str = _formatted("self_cpu_time_total")
    device_time_str = _formatted("device_time")
    device_time_total_str = _formatted("device_time_total")
    self_device_time_total_str = _formatted("self_device_time_total")

    @property
    def cpu_time(self):
        """The time of one call, in microseconds."""
        return 0.0 if self.count == 0 else 1.0 * self.cpu_time_total / self.count

    @property
    def device_time(self):
        """The time of one call on a device."""
        return 0.0 if self.count == 0 else 1.0 * self.device_time_total / self.count

    cuda_time = _former("cuda_time", "device_time", ", please use `{}` instead.")


class Interval:
    """From `start` to `end`."""

    def __init__(self, start, end):
        self.start = start
        self.end = end

    def elapsed_us(self):
        """How long it is."""
        return self.end - self.start


class Kernel(NamedTuple):
    """A piece of work on a device, of which there is none here."""

    name: str
    device: int
    duration: int


class StringTable(defaultdict):
    """Names as they are, each kept once."""

    def __missing__(self, key):
        self[key] = key
        return key


class MemRecordsAcc:
    """Records of memory by time.

    `in_interval` yields the records between two times in nanoseconds, given as ints.

    Parameters
    ----------
    mem_records : list of tuple
        The first of each has a method ``start_ns()``.

    Examples
    --------
    >>> import minitorch as torch
    >>> list(torch.autograd.profiler.MemRecordsAcc([]).in_interval(0, 10))
    []
    """

    def __init__(self, mem_records):
        self._records = sorted(mem_records, key=lambda record: record[0].start_ns())
        self._moments = [record[0].start_ns() for record in self._records]

    def in_interval(self, start_ns, end_ns):
        """Yield the records between two times in nanoseconds, both inclusive."""
        first = bisect.bisect_left(self._moments, start_ns)
        yield from self._records[first : bisect.bisect_right(self._moments, end_ns)]


class FunctionEvent(FormattedTimesMixin):
    """One call of an operator, one node of a backward pass, or one named block.

    Parameters
    ----------
    id, sequence_nr, node_id, external_id, linked_correlation_id : int
        Numbers of the event, of the node, of the process and of related events.
    name, overload_name, trace_name, activity_type : str
        The name, and names from other collectors.
    thread, fwd_thread : int
        The thread, and the one of the forward pass.
    start_us, end_us : float
        When it began and ended, in microseconds; they become `time_range`.
    input_shapes, input_dtypes, concrete_inputs : list, optional
        What is known of the arguments.
    structured_input_shapes, structured_input_strides : list, optional
        The shapes and strides in lists of tensors.
    kwinputs, extra_meta : dict, optional
        Keyword arguments, and other facts.
    stack : list of str, optional
        The lines of the program.
    scope : int, default 0
        0 for an operator.
    use_device, device_type, device_index, device_resource_id
        The device; `device_resource_id` is `thread` by default.
    cpu_memory_usage, device_memory_usage : int, default 0
        The bytes that were allocated.
    is_async, is_remote, is_legacy, is_user_annotation, is_python_function : bool, default False
        What kind of event it is.
    flops : int, optional
        The number of operations.
    metadata_json : str, optional
        Facts in JSON.
    flow_id, flow_type, flow_start : optional
        An arrow between two events.
    python_id, python_parent_id, python_module_id : int, default -1
        Numbers of Python calls.

    Attributes
    ----------
    name : str
        Such as ``"aten::mul"``, ``"MulBackward0"``.
    time_range : Interval
    thread : int
    cpu_children, cpu_parent
        What ran inside, and what it ran in.
    input_shapes : list
        With ``record_shapes=True``; an empty list for what is no tensor.
    sequence_nr : int
        Of the node that the call recorded, or that ran; -1 if there is none.
    flops : int
        With ``with_flops=True``.

    Examples
    --------
    >>> import minitorch as torch
    >>> event = torch.autograd.profiler.FunctionEvent(0, "aten::mul", 1, 10.0, 12.5)
    >>> event.name, event.time_range.elapsed_us()
    ('aten::mul', 2.5)
    """

    self_cuda_memory_usage = _former("self_cuda_memory_usage", "self_device_memory_usage")

    def __init__(
        self, id, name, thread, start_us, end_us, overload_name=None, fwd_thread=None, input_shapes=None,
        stack=None, scope=0, use_device=None, cpu_memory_usage=0, device_memory_usage=0, is_async=False,
        is_remote=False, sequence_nr=-1, node_id=-1, device_type=DeviceType.CPU, device_index=0,
        device_resource_id=None, is_legacy=False, flops=None, trace_name=None, concrete_inputs=None,
        kwinputs=None, is_user_annotation=False, is_python_function=False, activity_type=None,
        metadata_json=None, flow_id=None, flow_type=None, flow_start=None, external_id=0,
        linked_correlation_id=0, extra_meta=None, structured_input_shapes=None,
        structured_input_strides=None, input_dtypes=None, python_id=-1, python_parent_id=-1,
        python_module_id=-1,
    ):  # fmt: skip
        given = dict(locals())
        for consumed in ("self", "start_us", "end_us", "metadata_json", "extra_meta"):
            del given[consumed]
        vars(self).update(given)
        self.time_range = Interval(start_us, end_us)
        if device_resource_id is None:
            self.device_resource_id = thread
        self.count = 1
        self.kernels = []
        self.cpu_children = []
        self.cpu_parent = None
        self.self_cpu_percent = self.total_cpu_percent = self.total_device_percent = -1
        self.event_metadata = event_metadata(extra_meta)
        self._metadata_json = metadata_json

    @property
    def metadata_json(self):
        """What a collector on a device wrote of the event; deprecated."""
        warn(
            "`metadata_json` is deprecated. Use `event_metadata` instead.",
            FutureWarning,
            stacklevel=2,
        )
        return self._metadata_json

    def append_kernel(self, name, device, duration):
        """Note a piece of work that this started on a device."""
        if self.device_type != DeviceType.CPU:
            raise AssertionError("Expected device_type to be CPU")
        self.kernels.append(Kernel(name, device, duration))

    def append_cpu_child(self, child):
        """Note what ran inside."""
        self._check_relative(child, "child")
        self.cpu_children.append(child)

    def set_cpu_parent(self, parent):
        """Note what this ran in."""
        self._check_relative(parent, "parent")
        self.cpu_parent = parent

    def _check_relative(self, other, role):
        if self.device_type != DeviceType.CPU:
            raise AssertionError("Expected device_type to be CPU")
        if not isinstance(other, FunctionEvent):
            raise AssertionError(f"Expected {role} to be a FunctionEvent")
        if other.device_type != DeviceType.CPU:
            raise AssertionError(f"Expected {role} device_type to be CPU")

    @property
    def key(self):
        """What events are grouped by."""
        return self.name

    @property
    def cpu_time_total(self):
        """The time of the call; none, if it ran on a device."""
        return self.time_range.elapsed_us() if self.device_type == DeviceType.CPU else 0

    @property
    def self_cpu_time_total(self):
        """The time of the call without what ran inside."""
        return self._without_children("cpu_time_total")

    @property
    def device_time_total(self):
        """The time on a device: of the work that was started there, by what ran inside, too."""
        if self.is_async or not self.use_device:
            return 0
        if self.device_type != DeviceType.CPU:
            return self._time_on_device()
        own = sum(kernel.duration for kernel in self.kernels)
        if self.is_legacy:
            return own
        return own + sum(child.device_time_total for child in self.cpu_children)

    @property
    def self_device_time_total(self):
        """The time on a device without what ran inside."""
        if self.is_async or not self.use_device:
            return 0
        if self.device_type != DeviceType.CPU:
            return self._time_on_device()
        return self._without_children("device_time_total")

    def _time_on_device(self):
        if self.device_type.name not in ("CUDA", "PrivateUse1", "MTIA", "HPU", "XPU"):
            raise AssertionError(
                "Expected device_type to be CUDA, PrivateUse1, MTIA, HPU or XPU, but got "
                f"DeviceType.{self.device_type.name}"
            )
        return self.time_range.elapsed_us()

    cuda_time_total = _former("cuda_time_total", "device_time_total")
    self_cuda_time_total = _former("self_cuda_time_total", "self_device_time_total")

    @property
    def self_device_memory_usage(self):
        """Bytes that the call allocated on a device, without what ran inside."""
        return self._without_children("device_memory_usage")

    @property
    def self_cpu_memory_usage(self):
        """Bytes that the call allocated, without what ran inside."""
        return self._without_children("cpu_memory_usage")

    def _without_children(self, name):
        # what ends in another thread has no children
        if self.is_async or self.device_type != DeviceType.CPU:
            return 0
        return getattr(self, name) - sum(getattr(child, name) for child in self.cpu_children)

    def __repr__(self):
        return (
            f"<FunctionEvent id={self.id} name={self.name} overload_name={self.overload_name} "
            f"device_type=DeviceType.{self.device_type.name} node_id={self.node_id} cpu_time={self.cpu_time_str} "
            f"start_us={self.time_range.start} end_us={self.time_range.end} "
            f"cpu_children={[child.id for child in self.cpu_children]} "
            f"{self.use_device}_time={self.device_time_str} name={self.name} thread={self.thread} "
            f"input_shapes={self.input_shapes} cpu_memory_usage={self.cpu_memory_usage} "
            f"{self.use_device}_memory_usage={self.device_memory_usage} is_async={self.is_async} "
            f"is_remote={self.is_remote} seq_nr={self.sequence_nr} is_legacy={self.is_legacy}>"
        )


class FunctionEventAvg(FormattedTimesMixin):
    """Events of one name together.

    Its numbers are sums over these events, such as `cpu_time_total` in microseconds; `count` says
    how many there are.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.autograd.profiler.profile() as prof:
    ...     y = torch.ones(2) * 3 * 3
    >>> [event.count for event in prof.key_averages() if event.key == "aten::mul"]
    [2]
    """

    def __init__(self):
        self.key = None
        self.count = 0
        self.node_id = 0
        self.is_async = self.is_remote = self.is_legacy = self.is_user_annotation = False
        self.use_device = None
        self.device_type = DeviceType.CPU
        self.cpu_time_total = self.self_cpu_time_total = 0
        self.device_time_total = self.self_device_time_total = 0
        self.input_shapes = None
        self.overload_name = None
        self.stack = None
        self.scope = None
        self.cpu_memory_usage = self.self_cpu_memory_usage = 0
        self.device_memory_usage = self.self_device_memory_usage = 0
        self.cpu_children = None
        self.cpu_parent = None
        self.flops = 0

    def add(self, other):
        """Add an event, or another average of the same name."""
        if self.key is None:
            self.key = other.key
            self.node_id = other.node_id
            self.is_async, self.is_remote = other.is_async, other.is_remote
            self.cpu_parent = other.cpu_parent
            self.cpu_children = other.cpu_children
            self.overload_name = other.overload_name
            self.input_shapes = other.input_shapes
            self.stack = other.stack
            self.scope = other.scope
            self.device_type, self.use_device = other.device_type, other.use_device
            self.is_legacy = other.is_legacy
            self.is_user_annotation = other.is_user_annotation
        if not isinstance(other, (FunctionEvent, FunctionEventAvg)):
            raise AssertionError("Expected other to be a FunctionEvent or FunctionEventAvg")
        if other.key != self.key:
            raise AssertionError(f"Expected keys to match, but got {other.key} vs {self.key}")
        self.cpu_time_total += other.cpu_time_total
        self.self_cpu_time_total += other.self_cpu_time_total
        self.device_time_total += other.device_time_total
        self.self_device_time_total += other.self_device_time_total
        self.cpu_memory_usage += other.cpu_memory_usage
        self.self_cpu_memory_usage += other.self_cpu_memory_usage
        self.device_memory_usage += other.device_memory_usage
        self.self_device_memory_usage += other.self_device_memory_usage
        self.count += other.count
        if other.flops is not None:
            self.flops += other.flops
        return self

    def __iadd__(self, other):
        return self.add(other)

    def __repr__(self):
        device = self.use_device or "cuda"
        return (
            f"<FunctionEventAvg key={self.key} self_cpu_time={self.self_cpu_time_total_str} "
            f"cpu_time={self.cpu_time_str}  self_{device}_time={self.self_device_time_total_str} "
            f"{device}_time={self.device_time_str} "
            f"input_shapes={self.input_shapes} cpu_memory_usage={self.cpu_memory_usage} "
            f"{device}_memory_usage={self.device_memory_usage}>"
        )


class EventList(list):
    """Events in the order they began, or averages of them.

    Parameters
    ----------
    *args, **kwargs
        The arguments of ``list``: an iterable of FunctionEvent or FunctionEventAvg. The keywords
        `profile_memory` and `with_flops`, both bool, say which columns the table has; `use_device`
        and `use_gpu` are other such keywords.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.autograd.profiler.profile() as prof:
    ...     y = torch.ones(2) * 3
    >>> type(prof.function_events).__name__
    'EventList'
    >>> "aten::mul" in [event.key for event in prof.key_averages()]
    True
    """

    def __init__(self, *args, **kwargs):
        self._use_device = kwargs.pop("use_device", None)
        self._profile_memory = kwargs.pop("profile_memory", False)
        self._with_flops = kwargs.pop("with_flops", False)
        self._tree_built = False
        super().__init__(*args, **kwargs)

    def __str__(self):
        return self.table()

    def _populate_cpu_children(self):
        populate_cpu_children(self)

    def _build_tree(self):
        populate_cpu_children(self)
        self._complete()

    def _complete(self):
        """Finish the list of events, once each event has its parent and its children."""
        remove_dup_nodes(self)
        self._set_backward_stacktraces()
        self._tree_built = True

    def _set_backward_stacktraces(self):
        set_backward_stacktraces(self)

    @property
    def self_cpu_time_total(self):
        """The sum of the events' own times."""
        return sum(event.self_cpu_time_total for event in self)

    def key_averages(
        self, group_by_input_shapes=False, group_by_stack_n=0, group_by_overload_name=False
    ):
        """Return the events, combined by name.

        Parameters
        ----------
        group_by_input_shapes : bool
            Keep calls with other shapes apart.
        group_by_stack_n : int
            Keep calls apart that differ in so many lines of their stack, from the innermost.
        group_by_overload_name : bool
            Keep the overloads of an operator apart.

        Returns
        -------
        EventList of FunctionEventAvg
        """
        if not self._tree_built:
            raise AssertionError("Expected tree to be built before calling key_averages")
        groups = defaultdict(FunctionEventAvg)
        for event in self:
            key = [
                str(event.key),
                str(event.node_id),
                str(event.scope),
                str(event.is_user_annotation),
            ]
            if group_by_overload_name:
                key.append(event.overload_name)
            if group_by_input_shapes:
                key.append(str(event.input_shapes))
            if group_by_stack_n > 0:
                key += (event.stack or [])[:group_by_stack_n]
            groups[tuple(key)].add(event)
        averages = EventList(
            groups.values(), profile_memory=self._profile_memory, with_flops=self._with_flops
        )
        for average in averages:
            average.stack = (average.stack or [])[:group_by_stack_n]
            if not group_by_input_shapes:
                average.input_shapes = ""
            if not group_by_overload_name:
                average.overload_name = ""
        return averages

    def total_average(self):
        """All events together, under the name ``Total``."""
        total = FunctionEventAvg()
        for event in self:
            total += _as_total(event)
        total.key = "Total"
        return total

    def table(
        self,
        sort_by=None,
        row_limit=100,
        max_src_column_width=75,
        max_name_column_width=55,
        max_shapes_column_width=80,
        header=None,
        top_level_events_only=False,
        time_unit=None,
    ):
        """Return the events as a table.

        Parameters
        ----------
        sort_by : str, optional
            An attribute such as ``"cpu_time_total"`` or ``"self_cpu_time_total"``; the largest first.
        row_limit : int
        max_src_column_width, max_name_column_width, max_shapes_column_width : int
            Longer texts end in dots.
        header : str, optional
            A line above the table.
        top_level_events_only : bool
            Leave out what ran inside of something else.
        time_unit : str, optional
            ``"us"``, ``"ms"`` or ``"s"`` for all times; each has the one that suits it otherwise.

        Returns
        -------
        str
        """
        return build_table(
            self,
            sort_by,
            row_limit,
            max_src_column_width,
            max_name_column_width,
            max_shapes_column_width,
            header,
            top_level_events_only,
            time_unit,
        )

    def export_chrome_trace(self, path):
        """Write the events as JSON that chrome://tracing and Perfetto show.

        Parameters
        ----------
        path : str
        """
        events = [
            {
                "name": event.trace_name,
                "ph": "X",
                "ts": event.time_range.start,
                "dur": event.time_range.elapsed_us(),
                "tid": event.thread,
                "pid": "CPU functions",
                "args": {},
            }
            for event in self
        ]
        with open(path, "w") as file:
            json.dump(events, file, indent=1)

    def supported_export_stacks_metrics(self):
        """Return the metrics by which `export_stacks` can weigh stacks."""
        return [
            "self_cpu_time_total",
            "self_cuda_time_total",
            "self_xpu_time_total",
            "self_privateuse1_time_total",
        ]

    def export_stacks(self, path, metric):
        """Write stacks with their weights, a line each, for flame graphs.

        Raises
        ------
        ValueError
            If `metric` is none of `supported_export_stacks_metrics`.
        """
        if metric not in self.supported_export_stacks_metrics():
            raise ValueError(
                "metric should be one of: " + str(self.supported_export_stacks_metrics())
            )
        with open(path, "w") as file:
            for event in self:
                if event.stack:
                    weight = int(getattr(event, metric.replace("cuda", "device"), 0))
                    if weight > 0:
                        frames = ";".join(
                            line.translate(str.maketrans(" ;\t\n", "____"))
                            for line in reversed(event.stack)
                        )
                        file.write(f"{frames} {weight}\n")


def _as_total(event):
    single = FunctionEventAvg().add(event)
    single.key = "Total"
    return single
