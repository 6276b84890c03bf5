"""The `PassBase` class and the result of a pass."""

import abc
from collections import namedtuple

__all__ = ["PassBase", "PassResult"]


class PassResult(namedtuple("PassResult", ["graph_module", "modified"])):  # noqa: PYI024
    """The result of a pass.

    Parameters
    ----------
    graph_module : GraphModule
    modified : bool
        Whether the pass changed the graph module.
    """

    __slots__ = ()


class PassBase(abc.ABC):
    """Base class of passes over a graph module; subclasses define `call`."""

    def __call__(self, graph_module):
        self.requires(graph_module)
        result = self.call(graph_module)
        self.ensures(graph_module)
        return result

    @abc.abstractmethod
    def call(self, graph_module):
        """Run the pass.

        Returns
        -------
        PassResult
        """

    def requires(self, graph_module):  # noqa: B027
        """Check the module before the pass runs."""

    def ensures(self, graph_module):  # noqa: B027
        """Check the module after the pass has run."""
