"""``torch._C._nn``: the arguments of `Module.to`, which packages with a ``to`` of their own read."""

from minitorch.nn.modules._conversions import _parse_to

__all__ = ["_parse_to"]
