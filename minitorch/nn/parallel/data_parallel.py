"""Data parallelism over devices, of which there is one."""

from minitorch.nn.modules.module import Module

__all__ = ["DataParallel", "data_parallel"]


class DataParallel(Module):
    """Runs a module; without GPUs, the inputs are not split.

    The input may have any shape.

    Parameters
    ----------
    module : Module
    device_ids, output_device, dim
        Ignored; they are for GPUs.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.DataParallel(torch.nn.Linear(2, 3))
    >>> layer(torch.ones(1, 2)).shape
    torch.Size([1, 3])
    """

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.device_ids = []

    def forward(self, *inputs, **kwargs):
        """Call the module."""
        return self.module(*inputs, **kwargs)


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """Raise RuntimeError, since there are no devices to split the inputs over."""
    raise RuntimeError("device type could not be determined")
