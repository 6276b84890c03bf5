"""The layers of `nn`, one topic per file."""

from minitorch.namespace.lazy_modules import lazy_modules

__getattr__ = lazy_modules(__name__, "_functions")
