"""A module divided over devices, of which there is one."""

from minitorch.nn.modules.module import Module

__all__ = ["DataParallel", "data_parallel"]


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


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """Raises RuntimeError: there are no devices to divide the inputs between."""
    raise RuntimeError("device type could not be determined")
