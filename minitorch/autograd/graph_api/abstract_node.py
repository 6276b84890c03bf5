"""The abstract base class of graph nodes: the interface that every node provides."""

import abc

import minitorch.autograd.node as compiled
from minitorch.autograd.function import FunctionMeta


class Node(abc.ABC):
    """A node of the graph: the backward side of one recorded operator call.

    A tensor holds its node as ``grad_fn``. The nodes themselves are instances of compiled classes
    such as ``MulBackward0``, which are registered as virtual subclasses of this one.

    It takes a gradient of the shape of each output of the call and returns one for each input, or
    None.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> y = (x * 3).sum()
    >>> isinstance(y.grad_fn, torch.autograd.graph.Node)
    True
    >>> y.grad_fn.name(), y.grad_fn.next_functions[0][0].name()
    ('SumBackward0', 'MulBackward0')
    """

    @classmethod
    def __subclasshook__(cls, subclass):
        # `Function` and its nodes share a compiled class, but a `Function` is not a node
        return False if cls is Node and isinstance(subclass, FunctionMeta) else NotImplemented

    @abc.abstractmethod
    def name(self):
        """Return the name of the node, such as ``'MulBackward0'``."""
        raise NotImplementedError

    @property
    @abc.abstractmethod
    def next_functions(self):
        """Pairs ``(node, output number)``; ``(None, 0)`` for an input that needs no gradient."""
        raise NotImplementedError

    @abc.abstractmethod
    def metadata(self):
        """Return a dictionary for the user's own data; on actual nodes it is an attribute."""
        raise NotImplementedError

    @abc.abstractmethod
    def _sequence_nr(self):
        """Return the sequence number; nodes recorded later have larger numbers."""
        raise NotImplementedError

    @property
    @abc.abstractmethod
    def _input_metadata(self):
        """Shape and dtype of each gradient that the node receives."""
        raise NotImplementedError

    @abc.abstractmethod
    def _register_hook_dict(self, tensor):
        """Run the hooks of `tensor`, one of the node's outputs, before the node."""
        raise NotImplementedError

    @abc.abstractmethod
    def register_hook(self, fn):
        """Call ``fn(grad_inputs, grad_outputs)`` after the node has run.

        Both arguments are tuples of tensors or None. If `fn` returns a tuple of the same length, it
        replaces `grad_inputs`. Returns a handle with a method ``remove()``.
        """
        raise NotImplementedError

    @abc.abstractmethod
    def register_prehook(self, fn):
        """Call ``fn(grad_outputs)`` before the node runs; a returned tuple replaces them."""
        raise NotImplementedError


Node.register(compiled.Node)
