"""Markers for the export of programs, which have no effect."""

from minitorch.core.lazy import lazy_attributes

__getattr__ = lazy_attributes(__name__, "wrappers")
