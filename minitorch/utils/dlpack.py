"""Tensors of other libraries, without a copy."""

import enum

from minitorch.autograd.functions.interchange import from_dlpack

__all__ = ["DLDeviceType", "from_dlpack", "to_dlpack"]


class DLDeviceType(enum.IntEnum):
    """The numbers that DLPack has for kinds of devices; tensors are on the first.

    Parameters
    ----------
    value : int
        The number of a member; ``DLDeviceType(1)`` is one.
    names, module, qualname, type, start, boundary : optional
        The other arguments of Python's enumerations, which create a new one.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.utils.dlpack.DLDeviceType(1)
    <DLDeviceType.kDLCPU: 1>
    >>> torch.ones(1).__dlpack_device__()
    (1, 0)
    """

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLOneAPI = 14
    kDLWebGPU = 15
    kDLHexagon = 16
    kDLMAIA = 17


def to_dlpack(tensor):
    """Return a capsule for the ``from_dlpack`` function of another library.

    Parameters
    ----------
    tensor : Tensor
        Any shape; it may not require grad.

    Returns
    -------
    capsule
        An object that can be read once.

    Examples
    --------
    >>> import minitorch as torch
    >>> capsule = torch.utils.dlpack.to_dlpack(torch.tensor([1, 2]))
    >>> torch.utils.dlpack.from_dlpack(capsule)
    tensor([1, 2])
    """
    return tensor.__dlpack__()
