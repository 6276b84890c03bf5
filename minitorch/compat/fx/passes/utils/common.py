"""Subgraphs as modules, and comparison of graphs."""

from minitorch.fx.graph_module import GraphModule
from minitorch.fx.passes.utils.matcher_utils import SubgraphMatcher
from minitorch.nn import Module

__all__ = ["HolderModule", "compare_graphs", "lift_subgraph_as_module"]


class HolderModule(Module):
    """Container of submodules without a `forward`.

    Parameters
    ----------
    d : dict
    """

    def __init__(self, d):
        super().__init__()
        for name, module in d.items():
            self.add_module(name, module)


def lift_subgraph_as_module(gm, subgraph, comp_name="", class_name="GraphModule"):
    """Return a module that computes a subgraph of another module.

    Parameters
    ----------
    gm : GraphModule
        Module that has the submodules and attributes that the subgraph refers to.
    subgraph : Graph
    comp_name : str
        Name of the new module, used as a prefix in the returned dictionary.
    class_name : str

    Returns
    -------
    GraphModule, dict
        The module, and a map from the dotted names in `gm` to the names prefixed with `comp_name`.
    """
    root = HolderModule({})
    names = {}
    for node in subgraph.nodes:
        if node.op not in ("call_module", "get_attr"):
            continue
        *path, field = node.target.split(".")
        place, source = root, gm
        for name in path:
            if not hasattr(place, name):
                place.add_module(name, HolderModule({}))
            place, source = getattr(place, name), getattr(source, name)
        names[node.target] = f"{comp_name}.{node.target}"
        setattr(place, field, getattr(source, field))
    return GraphModule(root, subgraph, class_name), names


def compare_graphs(left, right):
    """Return whether two graphs have the same structure.

    Parameters
    ----------
    left, right : Graph

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.fx.passes.utils import compare_graphs
    >>> left = torch.fx.symbolic_trace(lambda x: torch.relu(x)).graph
    >>> compare_graphs(left, torch.fx.symbolic_trace(lambda y: torch.relu(y)).graph)
    True
    """
    return bool(SubgraphMatcher(left, match_output=True, match_placeholder=True).match(right))
