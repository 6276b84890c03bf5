"""The graph as Python sees it, and the crossing into the engine."""

from typing import NamedTuple

import minitorch.autograd.engine_steps  # noqa: F401 (nodes get their __call__ there)
from minitorch.autograd.engine import Engine
from minitorch.autograd.node import Node
from minitorch.autograd.variable import TensorBase, _gradient_edge

__all__ = ["GradientEdge", "Node", "get_gradient_edge"]


class GradientEdge(NamedTuple):
    """One output of a node: where a gradient enters the graph, or leaves it.

    Attributes
    ----------
    node : Node
    output_nr : int
    ownership_token : object, optional
        Keeps the graph alive where the node alone would not.
    """

    node: Node
    output_nr: int
    ownership_token: object = None


def get_gradient_edge(tensor):
    """The edge along which the gradient of `tensor` flows.

    Parameters
    ----------
    tensor : Tensor
        One that requires grad.

    Raises
    ------
    RuntimeError
        When it does not.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(1, requires_grad=True)
    >>> torch.autograd.graph.get_gradient_edge(x * 2).node.name()
    'MulBackward0'
    """
    if not tensor.requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require gradients"
        )
    node, output_nr = _gradient_edge(tensor)
    return GradientEdge(node, output_nr)


class _VariableMeta(type):
    def __instancecheck__(cls, other):
        return isinstance(other, TensorBase)


class Variable(metaclass=_VariableMeta):
    """The old name of a tensor that autograd knows; ``Variable(data)`` gives a tensor.

    Attributes
    ----------
    _execution_engine : Engine
        What runs every backward pass; any object with the same ``run_backward`` can be assigned.
    """

    _execution_engine = Engine()

    def __new__(cls, data=None, requires_grad=False, volatile=None):
        tensor = data.detach()
        tensor.requires_grad_(requires_grad)
        return tensor


# docs: step 3
def _engine_run_backward(t_outputs, *args, **kwargs):
    """Step 3: hand the call to whatever engine is installed."""
    return Variable._execution_engine.run_backward(t_outputs, *args, **kwargs)


# docs: end
