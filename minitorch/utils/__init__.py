"""Tools around training: checkpoints, handles of hooks."""

from minitorch.utils import checkpoint, hooks, serialization

__all__ = ["checkpoint", "hooks", "serialization"]
