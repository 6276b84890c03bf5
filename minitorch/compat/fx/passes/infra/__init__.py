"""Base class of passes, and the manager that runs them."""

from minitorch.core.lazy import lazy_attributes

__getattr__ = lazy_attributes(__name__, "pass_base", "pass_manager")
