"""Replacement of node targets, and sizes of node values in bytes."""

from typing import NamedTuple

from minitorch.fx.graph import Graph
from minitorch.fx.node import map_arg
from minitorch.fx.passes.shape_prop import ShapeProp

__all__ = ["get_size_of_all_nodes", "get_size_of_node", "get_tensor_meta",
           "replace_target_nodes_with", "size_bytes"]  # fmt: skip


def replace_target_nodes_with(fx_module, old_op, old_target, new_op, new_target):
    """Replace the op and target of all nodes with `old_op` and `old_target`.

    Parameters
    ----------
    fx_module : GraphModule
    old_op : str
    old_target : str or callable
    new_op : str
    new_target : str or callable
    """
    graph = Graph()
    copies = {}
    for node in fx_module.graph.nodes:
        if node.op == old_op and node.target == old_target:
            args = map_arg(node.args, copies.__getitem__)
            kwargs = map_arg(node.kwargs, copies.__getitem__)
            copies[node] = graph.create_node(new_op, new_target, args, kwargs, node.name)
        else:
            copies[node] = graph.node_copy(node, copies.__getitem__)
    fx_module.graph = graph


class size_bytes(NamedTuple):
    """Size in bytes of a node's value, and of the value plus the parameters of its module.

    Parameters
    ----------
    output_size : int
    total_size : int
    """

    output_size: int
    total_size: int


def get_size_of_all_nodes(fx_module, args=None):
    """Set ``size_bytes`` on each node.

    Parameters
    ----------
    fx_module : GraphModule
    args : list of Tensor, optional
        Inputs to run `ShapeProp` with. If None, it must have been run before.
    """
    if args is not None:
        ShapeProp(fx_module).propagate(*args)
    for node in fx_module.graph.nodes:
        if node.op == "output":
            break
        node.size_bytes = get_size_of_node(fx_module, node)


def get_tensor_meta(node):
    """Return the tensor metadata of a node.

    Raises
    ------
    RuntimeError
        If the node has no tensor metadata.
    """
    found = node.meta.get("tensor_meta")
    if not found:
        raise RuntimeError(
            f"Node {node} has no tensor metadata associated with it! Check that shape propagation "
            "has run."
        )
    return found


def get_size_of_node(fx_module, node):
    """Return the size in bytes of a node's value.

    Returns
    -------
    size_bytes
    """
    parameters = 0
    if node.op == "call_module":
        parameters = sum(p.numel() for p in fx_module.get_submodule(node.target).parameters())
    meta = get_tensor_meta(node)
    elements = meta.shape.numel()
    size = meta.dtype.itemsize
    return size_bytes(size * elements, size * (elements + parameters))
