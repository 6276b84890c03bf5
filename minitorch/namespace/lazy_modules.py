"""Submodules that are imported when they are first accessed as attributes of their package."""

from importlib import import_module

__all__ = ["lazy_modules"]


def lazy_modules(package, *names):
    """Return a module's ``__getattr__`` that imports some of its submodules on first access.

    Parameters
    ----------
    package : str
        The full name of the package.
    *names : str
        The submodules, without the name of the package.

    Examples
    --------
    >>> from minitorch.namespace.lazy_modules import lazy_modules
    >>> lazy_modules("minitorch.fx", "experimental")("experimental").__name__
    'minitorch.fx.experimental'
    """

    def __getattr__(name):
        if name in names:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return __getattr__
