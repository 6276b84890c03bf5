"""Parsing and comparison of package versions."""

from minitorch._vendor.packaging import version

__all__ = ["version"]
