"""Modules on many devices; there is one, and the module runs on it."""

from minitorch.nn.modules.module import Module

__all__ = ["DataParallel", "DistributedDataParallel"]


class DataParallel(Module):
    """Run a module; without GPUs nothing is divided.

    Parameters
    ----------
    module : Module
    device_ids, output_device, dim
        For GPUs.
    """

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.device_ids = []

    def forward(self, *inputs, **kwargs):
        """What the module returns."""
        return self.module(*inputs, **kwargs)


class DistributedDataParallel(Module):
    """Run a module in many processes, which cannot be.

    Raises
    ------
    ValueError
        Always: there is no group of processes.
    """

    def __init__(self, module, *args, **kwargs):
        super().__init__()
        raise ValueError(
            "Default process group has not been initialized, please make sure to call "
            "init_process_group."
        )
