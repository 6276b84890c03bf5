"""A part of a graph as a module of its own, and whether two graphs do the same."""

from minitorch.fx.graph_module import GraphModule
from minitorch.fx.passes.utils.matcher_utils import SubgraphMatcher
from minitorch.nn import Module

__all__ = ["HolderModule", "compare_graphs", "lift_subgraph_as_module"]


class HolderModule(Module):
    """Holds modules, and does nothing.

    Parameters
    ----------
    d : dict
    """

    def __init__(self, d):
        super().__init__()
        for name, module in d.items():
            self.add_module(name, module)


def lift_subgraph_as_module(gm, subgraph, comp_name="", class_name="GraphModule"):
    """A module that computes a part of another one's graph.

    Parameters
    ----------
    gm : GraphModule
        Has what the part names.
    subgraph : Graph
    comp_name : str
        What the new module is called in the dictionary.
    class_name : str

    Returns
    -------
    GraphModule, dict
        From the dotted names in the old module to those with the new one's name before them.
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
    """Whether two graphs do the same.

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
