"""Markers for the export of programs, which have no effect."""

from minitorch.namespace.lazy_modules import lazy_modules

__getattr__ = lazy_modules(__name__, "wrappers")
