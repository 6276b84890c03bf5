"""`PassBase`: something that is done to a graph module."""

import abc
from collections import namedtuple

__all__ = ["PassBase", "PassResult"]


class PassResult(namedtuple("PassResult", ["graph_module", "modified"])):  # noqa: PYI024
    """What a pass gives.

    Parameters
    ----------
    graph_module : GraphModule
    modified : bool
        Whether it changed anything.
    """

    __slots__ = ()


class PassBase(abc.ABC):
    """Something that is done to a graph module: derive from it and define `call`."""

    def __call__(self, graph_module):
        self.requires(graph_module)
        result = self.call(graph_module)
        self.ensures(graph_module)
        return result

    @abc.abstractmethod
    def call(self, graph_module):
        """Do it.

        Returns
        -------
        PassResult
        """

    def requires(self, graph_module):  # noqa: B027
        """Checks the module before."""

    def ensures(self, graph_module):  # noqa: B027
        """Checks the module afterwards."""
