"""`GradientEdge`: one output of a node. The engine takes it as a root or an input, in place of a tensor."""

from typing import NamedTuple

from minitorch.autograd.node import Node


class GradientEdge(NamedTuple):
    """One output of a node, as a place where a gradient enters or leaves the graph.

    Parameters
    ----------
    node : Node
    output_nr : int
        The number of one of the node's outputs.
    ownership_token : object, optional
        An object that keeps the graph alive if the node alone does not.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(1, requires_grad=True)
    >>> y = x * 2
    >>> edge = torch.autograd.graph.GradientEdge(y.grad_fn, 0)
    >>> torch.autograd.grad(y * 3, edge)
    (tensor([3.]),)
    """

    node: Node
    output_nr: int
    ownership_token: object = None


GradientEdge.__module__ = "minitorch.autograd.graph"  # the public module, as in PyTorch
