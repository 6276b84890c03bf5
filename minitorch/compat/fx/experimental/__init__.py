"""What packages ask of the tracers, under the names of their modules."""

from minitorch.namespace.lazy_modules import lazy_modules

__getattr__ = lazy_modules(__name__, "proxy_tensor", "symbolic_shapes")
