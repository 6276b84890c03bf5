"""Tools around training: batches of data, checkpoints, handles of hooks."""

from minitorch.utils import checkpoint, data, hooks, serialization

__all__ = ["checkpoint", "data", "hooks", "serialization"]
