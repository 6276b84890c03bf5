"""What a profile consists of: events, their averages, and the table.

All times are microseconds, counted from the start of the profile.
"""

import itertools
import json
import math
from collections import defaultdict
from operator import attrgetter

from minitorch.autograd._profiler_tree import populate_cpu_children, remove_dup_nodes

__all__ = ["EventList", "FunctionEvent", "FunctionEventAvg", "Interval", "Kernel"]


def _format_time(time_us):
    """``1234.5`` -> ``"1.234ms"``."""
    if time_us >= 1e6:
        return f"{time_us / 1e6:.3f}s"
    if time_us >= 1e3:
        return f"{time_us / 1e3:.3f}ms"
    return f"{time_us:.3f}us"


def _format_time_share(time_us, total_time_us):
    """The share of a total as a percentage."""
    if total_time_us == 0:
        if time_us != 0:
            raise AssertionError(f"Expected time_us == 0 but got {time_us}")
        return "NaN"
    return f"{time_us * 100.0 / total_time_us:.2f}%"


def _format_memory(nbytes):
    """``3000`` -> ``"2.93 KB"``."""
    for unit, size in (("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)):
        if abs(nbytes) >= size:
            return f"{nbytes / size:.2f} {unit}"
    return f"{nbytes} B"


def _formatted(name):
    return property(lambda self: _format_time(getattr(self, name)), doc=f"`{name}` with its unit.")


class _Times:
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

    cuda_time = device_time


class Interval:
    """From `start` to `end`."""

    def __init__(self, start, end):
        self.start = start
        self.end = end

    def elapsed_us(self):
        """How long it is."""
        return self.end - self.start


class Kernel:
    """A piece of work on a device, of which there is none here."""

    def __init__(self, name, device, duration):
        self.name, self.device, self.duration = name, device, duration


class FunctionEvent(_Times):
    """One call of an operator, one node of a backward pass, or one named block.

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
    """

    count = 1
    device_time_total = self_device_time_total = cuda_time_total = self_cuda_time_total = 0
    self_device_memory_usage = self_cuda_memory_usage = 0

    def __init__(
        self,
        id,
        name,
        thread,
        start_us,
        end_us,
        overload_name=None,
        fwd_thread=0,
        input_shapes=None,
        stack=None,
        scope=0,
        use_device=None,
        cpu_memory_usage=0,
        device_memory_usage=0,
        is_async=False,
        is_remote=False,
        sequence_nr=-1,
        node_id=-1,
        flops=None,
        is_user_annotation=False,
    ):
        self.id = id
        self.node_id = node_id
        self.name = self.trace_name = name
        self.overload_name = overload_name
        self.time_range = Interval(start_us, end_us)
        self.thread = thread
        self.fwd_thread = fwd_thread
        self.kernels = []
        self.cpu_children = []
        self.cpu_parent = None
        self.input_shapes = input_shapes
        self.stack = stack
        self.scope = scope
        self.use_device = use_device
        self.cpu_memory_usage = cpu_memory_usage
        self.device_memory_usage = device_memory_usage
        self.is_async = is_async
        self.is_remote = is_remote
        self.is_legacy = False
        self.sequence_nr = sequence_nr
        self.flops = flops
        self.is_user_annotation = is_user_annotation

    def append_cpu_child(self, child):
        """Note what ran inside."""
        self.cpu_children.append(child)

    def set_cpu_parent(self, parent):
        """Note what this ran in."""
        self.cpu_parent = parent

    @property
    def key(self):
        """What events are grouped by."""
        return self.name

    @property
    def cpu_time_total(self):
        """The time of the call."""
        return self.time_range.elapsed_us()

    @property
    def self_cpu_time_total(self):
        """The time of the call without what ran inside."""
        return self.cpu_time_total - sum(child.cpu_time_total for child in self.cpu_children)

    @property
    def self_cpu_memory_usage(self):
        """Bytes that the call allocated, without what ran inside."""
        return self.cpu_memory_usage - sum(child.cpu_memory_usage for child in self.cpu_children)

    def __repr__(self):
        return (
            f"<FunctionEvent id={self.id} name={self.name} cpu_time={self.cpu_time_str} "
            f"start_us={self.time_range.start} end_us={self.time_range.end} "
            f"cpu_children={[child.id for child in self.cpu_children]} thread={self.thread} "
            f"input_shapes={self.input_shapes} is_async={self.is_async} seq_nr={self.sequence_nr}>"
        )


class FunctionEventAvg(_Times):
    """Events of one name together."""

    def __init__(self):
        self.key = None
        self.count = 0
        self.node_id = 0
        self.is_async = self.is_remote = self.is_legacy = self.is_user_annotation = False
        self.use_device = None
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
            self.is_user_annotation = other.is_user_annotation
        if not isinstance(other, (FunctionEvent, FunctionEventAvg)):
            raise AssertionError("Expected other to be a FunctionEvent or FunctionEventAvg")
        if other.key != self.key:
            raise AssertionError(f"Expected key '{self.key}' but got '{other.key}'")
        self.cpu_time_total += other.cpu_time_total
        self.self_cpu_time_total += other.self_cpu_time_total
        self.cpu_memory_usage += other.cpu_memory_usage
        self.self_cpu_memory_usage += other.self_cpu_memory_usage
        self.count += other.count
        if other.flops is not None:
            self.flops += other.flops
        return self

    def __iadd__(self, other):
        return self.add(other)

    def __repr__(self):
        return (
            f"<FunctionEventAvg key={self.key} self_cpu_time={self.self_cpu_time_total_str} "
            f"cpu_time={self.cpu_time_str}  self_cuda_time={_format_time(0)} cuda_time={_format_time(0)} "
            f"input_shapes={self.input_shapes} cpu_memory_usage={self.cpu_memory_usage} "
            f"cuda_memory_usage={self.device_memory_usage}>"
        )


class EventList(list):
    """Events in the order they began, or averages of them.

    Parameters
    ----------
    events : iterable of FunctionEvent or FunctionEventAvg
    profile_memory, with_flops : bool
        Which columns the table has.
    """

    def __init__(self, *args, profile_memory=False, with_flops=False, **unused):
        super().__init__(*args)
        self._profile_memory = profile_memory
        self._with_flops = with_flops

    def __str__(self):
        return self.table()

    def _populate_cpu_children(self):
        populate_cpu_children(self)

    def _build_tree(self):
        populate_cpu_children(self)
        remove_dup_nodes(self)

    @property
    def self_cpu_time_total(self):
        """The sum of the events' own times."""
        return sum(event.self_cpu_time_total for event in self)

    def key_averages(
        self, group_by_input_shapes=False, group_by_stack_n=0, group_by_overload_name=False
    ):
        """The events of each name together.

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
        """The events as a table.

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
        return _build_table(
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
        """What `export_stacks` can weigh stacks by."""
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


# ---- the table

_GAP = "  "


def _shortened(text, width):
    return text if len(text) <= width else text[: width - 3] + "..."


def _in_unit(time_us, unit):
    if unit is None:
        return _format_time(time_us)
    factor, digits = {"us": (1, 3), "ms": (1e3, 3), "s": (1e6, 3)}[unit]
    return f"{time_us / factor:.{digits}f}{unit}"


def _flops_column(events):
    """(title, divisor): flops in the unit of the largest count; None where nothing was counted."""
    counts = [event.flops for event in events if event.flops]
    if not counts:
        return None
    power = max(0, min(int(math.log10(max(counts))) // 3, 5))
    return ["FLOPs", "KFLOPs", "MFLOPs", "GFLOPs", "TFLOPs", "PFLOPs"][power], 1000.0**power


def _build_table(
    events,
    sort_by=None,
    row_limit=100,
    max_src_column_width=75,
    max_name_column_width=55,
    max_shapes_column_width=80,
    header=None,
    top_level_events_only=False,
    time_unit=None,
):
    if len(events) == 0:
        return ""
    whole = events
    if sort_by is not None:
        events = sorted(events, key=attrgetter(sort_by), reverse=True)
    if top_level_events_only:
        events = [event for event in events if event.cpu_parent is None]
    total = sum(event.self_cpu_time_total for event in whole)
    shapes = [str(e.input_shapes) for e in whole if e.input_shapes]
    stacks = [line for e in whole if e.stack for line in e.stack[:5]]
    columns = [
        (
            "Name",
            max_name_column_width
            and min(max(len(e.key) for e in whole) + 4, max_name_column_width),
        )
    ]
    columns += [
        (title, 12)
        for title in ("Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg")
    ]
    memory = getattr(whole, "_profile_memory", False)
    if memory:
        columns += [("CPU Mem", 12), ("Self CPU Mem", 12)]
    columns.append(("# of Calls", 12))
    if shapes:
        columns.append(("Input Shapes", min(max(map(len, shapes)) + 4, max_shapes_column_width)))
    if stacks:
        columns.append(("Source Location", min(max(map(len, stacks)) + 4, max_src_column_width)))
    flops = _flops_column(whole) if getattr(whole, "_with_flops", False) else None
    if flops:
        columns.append((f"Total {flops[0]}", 12))
    row_format = (
        _GAP.join(
            f"{{:{'<' if title == 'Source Location' else '>'}{width}}}" for title, width in columns
        )
        + _GAP
    )
    rule = _GAP.join("-" * width for _, width in columns) + _GAP
    lines = []
    if header is not None:
        lines += ["=" * (len(rule) - len(_GAP)), header]
    if top_level_events_only:
        lines += [
            "=" * (len(rule) - len(_GAP)),
            "This report only display top-level ops statistics",
        ]
    lines += [rule, row_format.format(*(title for title, _ in columns)), rule]
    for event in itertools.islice(events, row_limit):
        cells = [
            _shortened(event.key, max_name_column_width) if max_name_column_width else event.key,
            _format_time_share(event.self_cpu_time_total, total),
            _in_unit(event.self_cpu_time_total, time_unit),
            _format_time_share(event.cpu_time_total, total) if not event.is_async else 0,
            _in_unit(event.cpu_time_total, time_unit),
            _in_unit(event.cpu_time, time_unit),
        ]
        if memory:
            cells += [
                _format_memory(event.cpu_memory_usage),
                _format_memory(event.self_cpu_memory_usage),
            ]
        cells.append(event.count)
        if shapes:
            cells.append(_shortened(str(event.input_shapes), max_shapes_column_width))
        stack = [_shortened(line, max_src_column_width) for line in (event.stack or [])[:5]]
        if stacks:
            cells.append(stack[0] if stack else "")
        if flops:
            cells.append(f"{event.flops / flops[1]:8.3f}" if event.flops else "--")
        lines.append(row_format.format(*cells))
        if stacks:
            empty = [""] * (len(columns) - 1 - bool(flops))
            for line in [*stack[1:], ""]:
                lines.append(row_format.format(*empty, line, *([""] if flops else [])))
    lines += [rule, f"Self CPU time total: {_in_unit(total, time_unit)}"]
    return "\n".join(lines) + "\n"
