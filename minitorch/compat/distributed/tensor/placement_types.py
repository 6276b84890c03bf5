"""Placements of distributed tensors, which are absent."""

from minitorch.distributed.tensor import Partial, Placement, Replicate, Shard

__all__ = ["Partial", "Placement", "Replicate", "Shard"]
