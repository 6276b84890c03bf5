"""The first interface to operators of programs; `torch.library` is the present one."""

from minitorch.namespace.lazy_modules import lazy_modules

__getattr__ = lazy_modules(__name__, "autograd", "impl")
