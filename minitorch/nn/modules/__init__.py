"""The layers of `nn`, one topic per file."""

from minitorch.core.lazy import lazy_attributes

__getattr__ = lazy_attributes(__name__, "_functions")
