"""Modules of switches, which can be set for a while."""

import contextlib
from types import ModuleType

__all__ = ["ConfigModule", "install_config_module"]


class ConfigModule(ModuleType):
    """A module of switches."""

    @contextlib.contextmanager
    def patch(self, arg1=None, arg2=None, **kwargs):
        """Set some in a block, or while a function runs: by a name, a dictionary or as keywords."""
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
    """Give a module of switches a function ``patch`` that sets some in a block.

    Parameters
    ----------
    module : module
        Its variables are the switches.

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
