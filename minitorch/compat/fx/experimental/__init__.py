"""The parts of PyTorch's experimental tracers that other packages import."""

from minitorch.core.lazy import lazy_attributes

__getattr__ = lazy_attributes(__name__, "proxy_tensor", "symbolic_shapes")
