"""Programs written out as graphs: the marks that classes carry for it. Nothing is written out here."""

from minitorch.namespace.lazy_modules import lazy_modules

__getattr__ = lazy_modules(__name__, "wrappers")
