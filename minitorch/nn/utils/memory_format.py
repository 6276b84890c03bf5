"""Conversion of convolution weights to a memory format."""

from minitorch.nn.modules.conv import Conv2d, Conv3d, ConvTranspose2d, ConvTranspose3d

__all__ = ["convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format"]


def _convert(module, kinds, memory_format):
    for part in module.modules():
        if isinstance(part, kinds):
            weight = part.weight.detach().clone(memory_format=memory_format)
            # a clone may keep other strides for dimensions of size 1
            part.weight.data = weight.resize_(weight.size(), memory_format=memory_format)
    return module


def convert_conv2d_weight_memory_format(module, memory_format):
    """Store the weights of all 2d convolutions in a memory format.

    Parameters
    ----------
    module : Module
        A module, whose submodules are converted too.
    memory_format : memory_format
        The order of the four dimensions of a weight in memory.

    Returns
    -------
    Module

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.Conv2d(2, 3, 4)
    >>> convert = torch.nn.utils.convert_conv2d_weight_memory_format
    >>> convert(layer, torch.channels_last).weight.stride()
    (32, 1, 8, 2)
    """
    return _convert(module, (Conv2d, ConvTranspose2d), memory_format)


def convert_conv3d_weight_memory_format(module, memory_format):
    """Store the weights of all 3d convolutions in a memory format.

    Parameters
    ----------
    module : Module
        A module, whose submodules are converted too.
    memory_format : memory_format
        The order of the five dimensions of a weight in memory.

    Returns
    -------
    Module

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.Conv3d(2, 3, 4)
    >>> convert = torch.nn.utils.convert_conv3d_weight_memory_format
    >>> convert(layer, torch.channels_last_3d).weight.stride()
    (128, 1, 32, 8, 2)
    """
    return _convert(module, (Conv3d, ConvTranspose3d), memory_format)
