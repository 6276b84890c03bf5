"""The first interface to custom operators; deprecated in favour of `torch.library`."""

from minitorch.core.lazy import lazy_attributes

__getattr__ = lazy_attributes(__name__, "autograd", "impl")
