"""The first interface to custom operators; deprecated in favour of `torch.library`."""

from minitorch.namespace.lazy_modules import lazy_modules

__getattr__ = lazy_modules(__name__, "autograd", "impl")
