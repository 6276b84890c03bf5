"""Configuration modules whose settings can be changed temporarily."""

import contextlib
from types import ModuleType

__all__ = ["ConfigModule", "install_config_module"]


class ConfigModule(ModuleType):
    """A module of settings."""

    @contextlib.contextmanager
    def patch(self, arg1=None, arg2=None, **kwargs):
        """Change settings in a block or a function: by name, as a dict or as keywords."""
        changes = {arg1: arg2} if isinstance(arg1, str) else {**(arg1 or {}), **kwargs}
        before = {name: vars(self)[name] for name in changes if name in vars(self)}
        vars(self).update(changes)
        try:
            yield
        finally:
            for name in changes:
                vars(self).pop(name, None)
            vars(self).update(before)


def install_config_module(module):
    """Add a function ``patch`` to a module, which changes its settings temporarily.

    Parameters
    ----------
    module : module
        The module. Its variables are the settings.

    Examples
    --------
    >>> from types import ModuleType
    >>> from minitorch.utils._config_module import install_config_module
    >>> switches = ModuleType("switches")
    >>> switches.verbose = False
    >>> install_config_module(switches)
    >>> with switches.patch(verbose=True):
    ...     print(switches.verbose)
    True
    >>> switches.verbose
    False
    """
    module.__class__ = ConfigModule
