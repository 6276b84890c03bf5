"""Layers that pad the last one, two or three dimensions.

Each class takes one number for all sides, or a tuple of pairs (before, after), starting with the
last dimension.
"""

from minitorch.nn import functional as F
from minitorch.nn.modules.module import Module
from minitorch.nn.modules.utils import _ntuple

_INPUTS = {1: "2D or 3D", 2: "3D or 4D", 3: "4D or 5D"}


class _Pad(Module):
    dims = 0
    mode = "constant"

    def __init__(self, padding):
        super().__init__()
        self.padding = _ntuple(2 * self.dims)(padding)

    def forward(self, input):
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self):
        return f"{self.padding}"


class _ReflectionPadNd(_Pad):
    mode = "reflect"


class _ReplicationPadNd(_Pad):
    mode = "replicate"


class _CircularPadNd(_Pad):
    mode = "circular"

    def forward(self, input):
        if input.dim() not in (self.dims + 1, self.dims + 2):
            raise ValueError(f"expected {_INPUTS[self.dims]} input (got {input.dim()}D input)")
        return super().forward(input)


class _ConstantPadNd(_Pad):
    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class _Zeros:
    """Mixin that turns a `ConstantPad` into a `ZeroPad`."""

    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        return f"{self.padding}"


def _class(bases, kind, dims, what):
    sides = ["(*, L)", "(*, H, W)", "(*, D, H, W)"][dims - 1]
    value = ", 5.0" if kind == "ConstantPad" else ""
    size = ", ".join(["1"] + ["4"] * dims)
    shape = ", ".join(["1"] + ["6"] * dims)
    more = "    value : float\n" if value else ""
    text = f"""A layer that pads an input of shape {sides} with {what}.

    Parameters
    ----------
    padding : int or tuple of int
        The numbers of elements before and after, starting with the last dimension.
{more}
    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.{kind}{dims}d(1{value})(torch.zeros({size})).shape
    torch.Size([{shape}])
    """
    return type(f"{kind}{dims}d", bases, {"dims": dims, "__doc__": text, "__module__": __name__})


ReflectionPad1d, ReflectionPad2d, ReflectionPad3d = (
    _class((_ReflectionPadNd,), "ReflectionPad", n, "its reflection at the border elements")
    for n in (1, 2, 3)
)
ReplicationPad1d, ReplicationPad2d, ReplicationPad3d = (
    _class((_ReplicationPadNd,), "ReplicationPad", n, "copies of its border elements")
    for n in (1, 2, 3)
)
CircularPad1d, CircularPad2d, CircularPad3d = (
    _class((_CircularPadNd,), "CircularPad", n, "elements from its opposite end") for n in (1, 2, 3)
)
ConstantPad1d, ConstantPad2d, ConstantPad3d = (
    _class((_ConstantPadNd,), "ConstantPad", n, "a constant") for n in (1, 2, 3)
)
ZeroPad1d, ZeroPad2d, ZeroPad3d = (
    _class((_Zeros, base), "ZeroPad", n, "zeros")
    for n, base in enumerate((ConstantPad1d, ConstantPad2d, ConstantPad3d), 1)
)
