"""`DistributedDataParallel`, which needs several processes and is not supported."""

from minitorch.nn.modules.module import Module

__all__ = ["DistributedDataParallel"]


class DistributedDataParallel(Module):
    """A module that runs in several processes; not supported.

    Raises
    ------
    ValueError
        Always, because there is no process group.
    """

    def __init__(self, module, *args, **kwargs):
        super().__init__()
        raise ValueError(
            "Default process group has not been initialized, please make sure to call "
            "init_process_group."
        )
