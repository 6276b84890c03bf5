"""Tensors of other libraries, without a copy."""

from minitorch.autograd.functions.interchange import from_dlpack

__all__ = ["from_dlpack", "to_dlpack"]


def to_dlpack(tensor):
    """A capsule that another library's ``from_dlpack`` takes."""
    return tensor.__dlpack__()
