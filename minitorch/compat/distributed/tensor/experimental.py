"""Experimental functions for distributed tensors, which are absent."""

from minitorch.namespace.absent import absent

__all__ = ["context_parallel", "implicit_replication"]

context_parallel = absent("torch.distributed.tensor.experimental.context_parallel")
implicit_replication = absent("torch.distributed.tensor.experimental.implicit_replication")
