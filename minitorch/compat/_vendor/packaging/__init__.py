"""Versions of packages."""

from minitorch._vendor.packaging import version

__all__ = ["version"]
