"""Metadata that a device's collector attaches to an event, parsed from text."""

import json
from collections import namedtuple

__all__ = ["EventMetadata", "event_metadata"]


def _text(value):
    return value.strip('"')


def _truth(value):
    return value in ("1", "true")


# the field, the collector's name for it, and the function that parses its text
_FIELDS = [
    ("registers_per_thread", "registers per thread", int),
    ("shared_memory", "shared memory", int),
    ("grid", "grid", json.loads),
    ("block", "block", json.loads),
    ("priority", "priority", int),
    ("blocks_per_sm", "blocks per SM", float),
    ("warps_per_sm", "warps per SM", float),
    ("occupancy", "occupancy", json.loads),
    ("est_occupancy_pct", "est. achieved occupancy %", float),
    ("queued", "queued", int),
    ("graph_id", "graph id", int),
    ("graph_node_id", "graph node id", int),
    ("stream", "stream", int),
    ("context", "context", int),
    ("channel", "channel", int),
    ("channel_type", "channel_type", int),
    ("bytes", "bytes", int),
    ("bandwidth_gb_s", "memory bandwidth (GB/s)", float),
    ("collective_name", "Collective name", _text),
    ("dtype", "dtype", _text),
    ("in_msg_nelems", "In msg nelems", int),
    ("out_msg_nelems", "Out msg nelems", int),
    ("in_split_size", "In split size", _text),
    ("out_split_size", "Out split size", _text),
    ("global_rank_start", "Global rank start", int),
    ("global_rank_stride", "Global rank stride", int),
    ("group_size", "Group size", int),
    ("process_group_name", "Process Group Name", _text),
    ("process_group_desc", "Process Group Description", _text),
    ("group_ranks", "Process Group Ranks", _text),
    ("rank", "Rank", int),
    ("src_rank", "Src Rank", int),
    ("dst_rank", "Dst Rank", int),
    ("seq", "Seq", int),
    ("is_async", "Is asynchronized op", _truth),
]

EventMetadata = namedtuple(  # type: ignore[misc]
    "EventMetadata",
    [field for field, _, _ in _FIELDS],
    module="minitorch.autograd.profiler_util",
)


def event_metadata(written):
    """Parse an event's metadata; return None if no known field is present.

    Parameters
    ----------
    written : dict of str to str or None

    Examples
    --------
    >>> from minitorch.autograd.observe.event_metadata import event_metadata
    >>> event_metadata({"grid": "[1, 2, 3]", "Collective name": '"broadcast"'})[2]
    [1, 2, 3]
    """
    texts = written or {}
    found = {
        field: None if texts.get(name) is None else read(texts[name])
        for field, name, read in _FIELDS
    }
    return None if all(value is None for value in found.values()) else EventMetadata(**found)
