"""Attributes of modules that are imported when they are first accessed."""

import sys
from importlib import import_module

__all__ = ["lazy_attributes"]


def lazy_attributes(package, *modules, names=None):
    """Return a module's ``__getattr__`` that imports some of its attributes on first access.

    Parameters
    ----------
    package : str
        The full name of the module.
    *modules : str
        Submodules, without the name of the package.
    names : dict of str to str, optional
        Other attributes, and the full names of the modules that define them.

    Examples
    --------
    >>> from minitorch.core.lazy import lazy_attributes
    >>> lazy_attributes("minitorch.fx", "experimental")("experimental").__name__
    'minitorch.fx.experimental'
    """
    names = names or {}

    def __getattr__(name):
        if name in modules:
            # while minitorch is installed as torch, an import as `torch.x` also names its classes so
            return import_module(f"{sys.modules[package].__name__}.{name}")
        if name in names:
            found = getattr(import_module(names[name]), name)
            setattr(sys.modules[package], name, found)
            return found
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return __getattr__
