"""The table of a profile, and the formatting of times and sizes."""

import math
from operator import attrgetter


def format_time(time_us):
    """Format a time in microseconds with its unit: ``1234.5`` -> ``"1.234ms"``."""
    if time_us >= 1e6:
        return f"{time_us / 1e6:.3f}s"
    if time_us >= 1e3:
        return f"{time_us / 1e3:.3f}ms"
    return f"{time_us:.3f}us"


def format_time_share(time_us, total_time_us):
    """Return a time's share of the total as a percentage."""
    if total_time_us == 0:
        if time_us != 0:
            raise AssertionError(f"Expected time_us == 0 but got {time_us}")
        return "NaN"
    return f"{time_us * 100.0 / total_time_us:.2f}%"


def format_memory(nbytes):
    """Format a number of bytes with its unit: ``3000`` -> ``"2.93 KB"``."""
    for unit, size in (("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)):
        if abs(nbytes) >= size:
            return f"{nbytes / size:.2f} {unit}"
    return f"{nbytes} B"


_GAP = "  "


def _shortened(text, width):
    return text if len(text) <= width else text[: width - 3] + "..."


_UNITS = {"us": 1, "ms": 1e3, "s": 1e6}


def _in_unit(time_us, unit):
    if unit not in _UNITS:
        return format_time(time_us)
    return f"{time_us / _UNITS[unit]:.3f}{unit}"


def _attribute_of(sort_by):
    """Replace a device's name by ``device``, as the attributes of events have it."""
    for device in ("cuda", "xpu", "privateuse1"):
        sort_by = sort_by.replace(device, "device")
    return sort_by


def _flops_column(events):
    """Return title and factor of the flops column; None if no flops were counted.

    The unit suits the smallest count.
    """
    counts = [event.flops for event in events if event.flops > 0]
    if not counts:
        return None
    power = int(max(0, min(math.log10(min(counts)) / 3, 5)))
    return ["FLOPs", "KFLOPs", "MFLOPs", "GFLOPs", "TFLOPs", "PFLOPs"][power], 10 ** (-3.0 * power)


def build_table(
    events, sort_by, row_limit, max_src_column_width, max_name_column_width, max_shapes_column_width, header,
    top_level_events_only, time_unit,
):  # fmt: skip
    """Return the text of `EventList.table`; see there for the parameters."""
    if len(events) == 0:
        return ""
    if not events[0].use_device and any(event.self_device_time_total > 0 for event in events):
        raise RuntimeError("use_device is None, but there is device performance data.")
    whole = events
    if sort_by is not None:
        events = sorted(events, key=attrgetter(_attribute_of(sort_by)), reverse=True)
    if top_level_events_only:
        events = [event for event in events if event.cpu_parent is None]
    total = sum(event.self_cpu_time_total for event in whole)
    shapes = [str(e.input_shapes) for e in whole if e.input_shapes]
    stacks = [line for e in whole if e.stack for line in e.stack[:5]]
    width = max(len(e.key) for e in whole) + 4
    if max_name_column_width:
        width = min(width, max_name_column_width)
    columns = [("Name", max_name_column_width and width)]
    overloads = any(e.overload_name for e in whole)
    if overloads:
        columns.append(("Overload Name", width))
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
    for event in events[: None if row_limit == -1 else row_limit]:
        cells = [
            _shortened(event.key, max_name_column_width) if max_name_column_width else event.key,
            *([_shortened(event.overload_name or "", width)] if overloads else []),
            format_time_share(event.self_cpu_time_total, total),
            _in_unit(event.self_cpu_time_total, time_unit),
            format_time_share(event.cpu_time_total, total) if not event.is_async else 0,
            _in_unit(event.cpu_time_total, time_unit),
            _in_unit(event.cpu_time, time_unit),
        ]
        if memory:
            cells += [
                format_memory(event.cpu_memory_usage),
                format_memory(event.self_cpu_memory_usage),
            ]
        cells.append(event.count)
        if shapes:
            cells.append(_shortened(str(event.input_shapes), max_shapes_column_width))
        stack = [_shortened(line, max_src_column_width) for line in (event.stack or [])[:5]]
        if stacks:
            cells.append(stack[0] if stack else "")
        if flops:
            cells.append(f"{event.flops * flops[1]:8.3f}" if event.flops > 0 else "--")
        lines.append(row_format.format(*cells))
        if stacks:
            empty = [""] * (len(columns) - 1 - bool(flops))
            for line in [*stack[1:], ""]:
                lines.append(row_format.format(*empty, line, *([""] if flops else [])))
    lines += [rule, f"Self CPU time total: {_in_unit(total, time_unit)}"]
    return "\n".join(lines) + "\n"
