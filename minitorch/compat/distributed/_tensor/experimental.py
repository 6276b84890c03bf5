"""Deprecated name of `torch.distributed.tensor.experimental`."""

from minitorch.distributed.tensor.experimental import context_parallel, implicit_replication

__all__ = ["context_parallel", "implicit_replication"]
