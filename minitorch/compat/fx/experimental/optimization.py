"""Transformations for inference: fuse batch norms and remove dropout."""

import copy

from minitorch import nn
from minitorch.fx._symbolic_trace import symbolic_trace
from minitorch.fx.graph import Graph
from minitorch.fx.graph_module import GraphModule
from minitorch.fx.interpreter import Transformer
from minitorch.fx.node import Node
from minitorch.nn.utils.fusion import fuse_conv_bn_eval, fuse_linear_bn_eval

__all__ = ["extract_subgraph", "fuse", "matches_module_pattern", "remove_dropout",
           "replace_node_module"]  # fmt: skip

_FUSED = (
    ((nn.Conv1d, nn.BatchNorm1d), fuse_conv_bn_eval),
    ((nn.Conv2d, nn.BatchNorm2d), fuse_conv_bn_eval),
    ((nn.Conv3d, nn.BatchNorm3d), fuse_conv_bn_eval),
    ((nn.Linear, nn.BatchNorm1d), fuse_linear_bn_eval),
)


def matches_module_pattern(pattern, node, modules):
    """Return whether a node and its first input call modules of the two given classes.

    Parameters
    ----------
    pattern : iterable of type
    node : Node
    modules : dict
        The modules by dotted name.
    """
    if not node.args:
        return False
    for expected, current in zip(pattern, (node.args[0], node), strict=False):
        if not isinstance(current, Node) or current.op != "call_module":
            return False
        if type(modules.get(current.target)) is not expected:
            return False
    return True


def replace_node_module(node, modules, new_module):
    """Replace the module that a node calls.

    Parameters
    ----------
    node : Node
    modules : dict
        The modules by dotted name; changed in place.
    new_module : Module
    """
    parent, _, name = node.target.rpartition(".")
    modules[node.target] = new_module
    setattr(modules[parent], name, new_module)


def fuse(model, inplace=False, no_trace=False):
    """Fold each batch norm into the convolution or linear layer before it.

    The module must be in evaluation mode.

    Parameters
    ----------
    model : Module
    inplace : bool
        Whether to change `model` itself instead of a copy.
    no_trace : bool
        Whether to use a `GraphModule` as it is instead of tracing it again.

    Returns
    -------
    GraphModule

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.fx.experimental.optimization import fuse
    >>> model = torch.nn.Sequential(torch.nn.Conv1d(1, 1, 1), torch.nn.BatchNorm1d(1)).eval()
    >>> list(dict(fuse(model).named_children()))
    ['0']
    """
    if not inplace:
        model = copy.deepcopy(model)
    traced = model if no_trace and isinstance(model, GraphModule) else symbolic_trace(model)
    modules = dict(traced.named_modules())
    graph = copy.deepcopy(traced.graph)
    for pattern, fused in _FUSED:
        for node in graph.nodes:
            if not matches_module_pattern(pattern, node, modules):
                continue
            layer, norm = node.args[0], modules[node.target]
            if len(layer.users) > 1 or not norm.track_running_stats:
                continue
            replace_node_module(layer, modules, fused(modules[layer.target], norm))
            node.replace_all_uses_with(layer)
            graph.erase_node(node)
    return GraphModule(traced, graph)


class _WithoutDropout(Transformer):
    def call_module(self, target, args, kwargs):
        if isinstance(self.submodules[target], nn.Dropout):
            return args[0]
        return super().call_module(target, args, kwargs)


def remove_dropout(model):
    """Return a traced copy of a module without its dropout layers.

    Parameters
    ----------
    model : Module

    Returns
    -------
    GraphModule
    """
    return _WithoutDropout(symbolic_trace(model)).transform()


def extract_subgraph(orig_module, nodes, inputs, outputs):
    """Return a module that computes only the given nodes of another module.

    Parameters
    ----------
    orig_module : Module
    nodes, inputs, outputs : list of Node

    Returns
    -------
    GraphModule
    """
    graph = Graph()
    copies = {node: graph.placeholder(node.name) for node in inputs}
    for node in nodes:
        copies[node] = graph.node_copy(node, copies.__getitem__)
    graph.output([copies[node] for node in outputs])
    graph.lint()
    return GraphModule(orig_module, graph)
