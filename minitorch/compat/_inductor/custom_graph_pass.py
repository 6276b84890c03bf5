"""Steps that programs add to the compilation of a graph."""

from abc import ABC, abstractmethod

__all__ = ["CustomGraphModulePass", "CustomGraphPass"]


class CustomGraphPass(ABC):
    """A change of a graph that has a name for the cache of kernels."""

    @abstractmethod
    def __call__(self, graph):
        """Change the graph."""

    @abstractmethod
    def uuid(self):
        """What tells this change from all others."""


class CustomGraphModulePass(ABC):
    """A change of a module that has a name for the cache of kernels."""

    @abstractmethod
    def __call__(self, gm):
        """Change the module."""

    @abstractmethod
    def uuid(self):
        """What tells this change from all others."""
