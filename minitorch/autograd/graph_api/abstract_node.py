"""What programs may rely on in every node of the graph."""

import abc

import minitorch.autograd.node as compiled
from minitorch.autograd.function import FunctionMeta


class Node(abc.ABC):
    """One recorded call of an operator, seen from its backward side; tensors hold theirs as ``grad_fn``.

    The nodes themselves are compiled classes such as ``MulBackward0``; they are instances of this one.

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
        # a `Function` shares the compiled class of its nodes, and is not a node itself
        return False if cls is Node and isinstance(subclass, FunctionMeta) else NotImplemented

    @abc.abstractmethod
    def name(self):
        """The name of the function, such as ``'MulBackward0'``."""
        raise NotImplementedError

    @property
    @abc.abstractmethod
    def next_functions(self):
        """Pairs ``(node, output number)``; ``(None, 0)`` where no gradient is wanted."""
        raise NotImplementedError

    @abc.abstractmethod
    def metadata(self):
        """A dictionary for the user's own notes about the node; the nodes have it as an attribute."""
        raise NotImplementedError

    @abc.abstractmethod
    def _sequence_nr(self):
        """Later recorded nodes have larger numbers."""
        raise NotImplementedError

    @property
    @abc.abstractmethod
    def _input_metadata(self):
        """For each gradient the node takes, the shape and dtype it must have."""
        raise NotImplementedError

    @abc.abstractmethod
    def _register_hook_dict(self, tensor):
        """Run the hooks of `tensor`, one of the node's outputs, before the node."""
        raise NotImplementedError

    @abc.abstractmethod
    def register_hook(self, fn):
        """Call ``fn(grad_inputs, grad_outputs)`` after the node has run.

        Both are tuples of tensors or None. What `fn` returns, a tuple of as many, replaces `grad_inputs`.
        Returns a handle with a method ``remove()``.
        """
        raise NotImplementedError

    @abc.abstractmethod
    def register_prehook(self, fn):
        """Call ``fn(grad_outputs)`` before the node runs; a returned tuple replaces them."""
        raise NotImplementedError


Node.register(compiled.Node)
