"""`GradientEdge`: one output of a node. The engine takes it as a root or an input, in place of a tensor."""

from typing import NamedTuple

from minitorch.autograd.node import Node


class GradientEdge(NamedTuple):
    """One output of a node, as a place where a gradient enters or leaves the graph.

    Attributes
    ----------
    node : Node
    output_nr : int
    ownership_token : object, optional
        An object that keeps the graph alive if the node alone does not.
    """

    node: Node
    output_nr: int
    ownership_token: object = None


GradientEdge.__module__ = "minitorch.autograd.graph"  # the public module, as in PyTorch
