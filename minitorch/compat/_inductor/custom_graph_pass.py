"""Base classes of custom compiler passes."""

from abc import ABC, abstractmethod

__all__ = ["CustomGraphModulePass", "CustomGraphPass"]


class CustomGraphPass(ABC):
    """Base class of passes over a graph, with an identifier for the kernel cache."""

    @abstractmethod
    def __call__(self, graph):
        """Transform the graph."""

    @abstractmethod
    def uuid(self):
        """Return an identifier of the pass for the kernel cache."""


class CustomGraphModulePass(ABC):
    """Base class of passes over a module, with an identifier for the kernel cache."""

    @abstractmethod
    def __call__(self, gm):
        """Transform the module."""

    @abstractmethod
    def uuid(self):
        """Return an identifier of the pass for the kernel cache."""
