"""Several processes that train together: PyTorch's ``torch.distributed`` on MPI.

`init_process_group` starts MPI through mpi4py, from the extra ``distributed``. Until then nothing of it is imported.

============================== ============================================================
`distributed_c10d`             process groups, collective operations and messages
`process_group`                the classes of groups and of reductions
`work`                         handles of asynchronous operations, and the thread that runs them
`mpi`                          all that touches mpi4py
`run`                          the launcher, ``python -m minitorch.distributed.run``
`_stores`                      key-value stores shared by processes
============================== ============================================================

Modules that only exist so that programs find their names are in ``compat/distributed``.
"""

import os

# `minitorch.distributed.fsdp`, for example, is compat/distributed/fsdp.
__path__.append(os.path.join(os.path.dirname(os.path.dirname(__file__)), "compat", "distributed"))

from minitorch.distributed import device_mesh as device_mesh
from minitorch.distributed._stores import (
    DistError,
    DistNetworkError,
    DistStoreError,
    FileStore,
    HashStore,
    TCPStore,
)
from minitorch.distributed.device_mesh import DeviceMesh, init_device_mesh
from minitorch.distributed.distributed_c10d import *  # noqa: F403
from minitorch.distributed.distributed_c10d import __all__ as _of_c10d
from minitorch.distributed.distributed_c10d import is_available as is_available
from minitorch.distributed.grad_bucket import GradBucket

__all__ = [
    "DeviceMesh",
    "DistError",
    "DistNetworkError",
    "DistStoreError",
    "FileStore",
    "GradBucket",
    "HashStore",
    "TCPStore",
    "init_device_mesh",
    "is_available",
    *_of_c10d,
]
