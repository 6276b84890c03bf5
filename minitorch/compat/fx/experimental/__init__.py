"""The parts of PyTorch's experimental tracers that other packages import."""

from minitorch.namespace.lazy_modules import lazy_modules

__getattr__ = lazy_modules(__name__, "proxy_tensor", "symbolic_shapes")
