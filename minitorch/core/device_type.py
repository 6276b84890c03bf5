"""The kinds of devices in PyTorch, of which minitorch has only the first."""

import enum

DeviceType = enum.Enum(
    "DeviceType",
    {
        "CPU": 0, "CUDA": 1, "MKLDNN": 2, "OPENGL": 3, "OPENCL": 4, "IDEEP": 5, "HIP": 6, "FPGA": 7, "MAIA": 8,
        "XLA": 9, "Vulkan": 10, "Metal": 11, "XPU": 12, "MPS": 13, "MTIA": 19, "Meta": 14, "HPU": 15, "VE": 16,
        "Lazy": 17, "IPU": 18, "PrivateUse1": 20,
    },
    module=__name__,
)  # fmt: skip
DeviceType.__doc__ = """A kind of device, under the number that PyTorch gives it.

Parameters
----------
value : int
    The number of a member; ``DeviceType(0)`` is the CPU.
names, module, qualname, type, start, boundary : optional
    The other arguments of Python's enumerations, which create a new one.

Examples
--------
>>> from minitorch.profiler import DeviceType
>>> DeviceType(0).name
'CPU'
"""
