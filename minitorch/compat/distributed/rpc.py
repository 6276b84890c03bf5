"""Calls of functions in other processes: there is one process."""

from minitorch.namespace.absent import Absent, absent

__all__ = [
    "RRef",
    "TensorPipeRpcBackendOptions",
    "init_rpc",
    "is_available",
    "remote",
    "rpc_async",
    "rpc_sync",
    "shutdown",
]


class RRef(Absent):
    """A value that another process holds."""


class TensorPipeRpcBackendOptions(Absent):
    """How processes reach each other."""


def is_available():
    """Whether functions can be called in other processes: no."""
    return False


init_rpc = absent("torch.distributed.rpc.init_rpc")
remote = absent("torch.distributed.rpc.remote")
rpc_async = absent("torch.distributed.rpc.rpc_async")
rpc_sync = absent("torch.distributed.rpc.rpc_sync")
shutdown = absent("torch.distributed.rpc.shutdown")
