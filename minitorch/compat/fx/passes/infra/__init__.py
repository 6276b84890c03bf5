"""Base class of passes, and the manager that runs them."""

from minitorch.namespace.lazy_modules import lazy_modules

__getattr__ = lazy_modules(__name__, "pass_base", "pass_manager")
