"""Remote procedure calls, which are absent."""

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
    """Reference to a remote value; absent."""


class TensorPipeRpcBackendOptions(Absent):
    """Options of the RPC backend; absent."""


def is_available():
    """Return False: RPC is not available."""
    return False


init_rpc = absent("torch.distributed.rpc.init_rpc")
remote = absent("torch.distributed.rpc.remote")
rpc_async = absent("torch.distributed.rpc.rpc_async")
rpc_sync = absent("torch.distributed.rpc.rpc_sync")
shutdown = absent("torch.distributed.rpc.shutdown")
