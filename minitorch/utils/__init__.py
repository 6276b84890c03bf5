"""Tools around training: checkpoints, handles of hooks."""

from minitorch.utils import checkpoint, hooks

__all__ = ["checkpoint", "hooks"]
