"""Subgraph rewriting: replace each match of a pattern in a graph."""

import copy
from dataclasses import dataclass
from typing import NamedTuple

from minitorch.fx._symbolic_trace import symbolic_trace
from minitorch.fx.graph import Graph
from minitorch.fx.graph_module import GraphModule
from minitorch.fx.node import Node
from minitorch.fx.passes.utils.matcher_utils import SubgraphMatcher
from minitorch.nn import Module

__all__ = ["Match", "ReplacedPatterns", "replace_pattern", "replace_pattern_with_filters"]


class Match(NamedTuple):
    """One replaced match.

    Parameters
    ----------
    anchor : Node
        The graph node that matched the last node of the pattern.
    nodes_map : dict
        Maps the nodes of the pattern to nodes of the graph.
    """

    anchor: Node
    nodes_map: dict[Node, Node]


@dataclass
class ReplacedPatterns:
    """One replaced match, with the nodes that replaced it.

    Parameters
    ----------
    anchor : Node
    nodes_map : dict
    replacements : list of Node
    """

    anchor: Node
    nodes_map: dict[Node, Node]
    replacements: list[Node]


def replace_pattern(gm, pattern, replacement):
    """Replace every match of `pattern` in a module with `replacement`.

    Parameters
    ----------
    gm : GraphModule
        Changed in place.
    pattern, replacement : callable or GraphModule
        Both must have the same parameters.

    Returns
    -------
    list of Match

    Examples
    --------
    >>> import minitorch as torch
    >>> traced = torch.fx.symbolic_trace(lambda x: torch.neg(torch.abs(x)) + 1)
    >>> places = torch.fx.replace_pattern(traced, lambda x: torch.neg(x), lambda x: x * 2)
    >>> len(places), traced(torch.tensor([-3.0]))
    (1, tensor([7.]))
    """
    replaced = replace_pattern_with_filters(gm, pattern, replacement)
    return [Match(anchor=place.anchor, nodes_map=place.nodes_map) for place in replaced]


def replace_pattern_with_filters(
    gm, pattern, replacement=None, match_filters=None, ignore_literals=False,
    replacement_callback=None, node_name_match="",
):  # fmt: skip
    """Replace every match of `pattern` that all filters accept.

    Parameters
    ----------
    gm : GraphModule
        Changed in place.
    pattern : callable, Graph or GraphModule
    replacement : callable, Graph or GraphModule, optional
    match_filters : list of callable, optional
        Each is called with a match, the graph and the pattern, and returns whether to replace it.
    ignore_literals : bool
        Whether constants in pattern and graph may differ.
    replacement_callback : callable, optional
        Called with a match, the graph and the pattern; returns the replacement graph.
    node_name_match : str
        Nodes whose names contain this text also match the last node of the pattern.

    Returns
    -------
    list of ReplacedPatterns
    """
    pattern_graph = _graph_of(pattern)
    matcher = SubgraphMatcher(pattern_graph, ignore_literals=ignore_literals)
    matches = [
        match
        for match in matcher.match(gm.graph, node_name_match=node_name_match)
        if all(keep(match, gm.graph, pattern_graph) for keep in match_filters or ())
    ]
    common = None if replacement is None else _graph_of(replacement)
    if common is None and replacement_callback is None:
        raise AssertionError(
            "Must provide either a replacement GraphModule or a replacement callback"
        )
    replaced, changed = [], {}
    for match in matches:
        graph = common
        if replacement_callback is not None:
            graph = replacement_callback(match, gm.graph, pattern_graph)
        replaced.append(_replace(gm.graph, pattern_graph, graph, match, changed))
    gm.recompile()
    if isinstance(replacement, Module):
        _replace_attributes(gm, replacement)
    return replaced


def _graph_of(program):
    if isinstance(program, Graph):
        return program
    return (program if isinstance(program, GraphModule) else symbolic_trace(program)).graph


def _replace(graph, pattern, replacement, match, changed):
    """Replace one match with a copy of the replacement graph.

    Parameters
    ----------
    graph, pattern, replacement : Graph
    match : InternalMatch
    changed : dict
        Maps outputs of matches replaced before to their new nodes; updated with this match.
    """
    inputs = _inputs(replacement, match, changed)
    with graph.inserting_before(_place(graph, match)):
        outputs = graph.graph_copy(replacement, inputs)
    outputs = (outputs,) if isinstance(outputs, Node) else outputs
    new = [node for node in inputs.values() if node not in match.placeholder_nodes]
    if len(match.returning_nodes) != len(outputs):
        raise AssertionError(
            f"Returning nodes count mismatch: {len(match.returning_nodes)} vs {len(outputs)}"
        )
    for node, copied in zip(match.returning_nodes, outputs, strict=True):
        node.replace_all_uses_with(copied)
        changed[node] = copied
    for node in reversed(pattern.nodes):
        if node.op not in ("placeholder", "output"):
            graph.erase_node(match.nodes_map[node])
    return ReplacedPatterns(match.anchors[0], match.nodes_map, new)


def _inputs(replacement, match, changed):
    """Map the placeholders of the replacement to the matched inputs of the pattern."""
    placeholders = [node for node in replacement.nodes if node.op == "placeholder"]
    if len(match.placeholder_nodes) != len(placeholders):
        raise AssertionError(
            f"Placeholder count mismatch: {len(match.placeholder_nodes)} vs {len(placeholders)}"
        )
    # an input may be the output of a match that was already replaced
    for pattern_node, node in match.nodes_map.items():
        if isinstance(node, Node) and node in changed and node in match.placeholder_nodes:
            match.nodes_map[pattern_node] = changed[node]
    match.placeholder_nodes = [
        changed.get(node, node) if isinstance(node, Node) else node
        for node in match.placeholder_nodes
    ]
    return dict(zip(placeholders, match.placeholder_nodes, strict=True))


def _place(graph, match):
    """Return the node to insert the replacement before.

    That is the first user of an output, or else the node after the last output.
    """
    users = {user for node in match.returning_nodes for user in node.users}
    following = None
    for node in graph.nodes:
        if node in users:
            return node
    for node in reversed(graph.nodes):
        if node in match.returning_nodes:
            break
        following = node
    if following is None:
        raise AssertionError("The insert point can't be None")
    return following


def _replace_attributes(gm, replacement):
    """Copy the attributes that the new nodes refer to, and remove unused modules."""
    gm.delete_all_unused_submodules()
    if isinstance(replacement, GraphModule):
        replacement.graph.lint()
    for node in gm.graph.nodes:
        if node.op not in ("call_module", "get_attr") or _find(gm, node.target) is not None:
            continue
        found = _find(replacement, node.target)
        if found is None:
            raise RuntimeError(
                'Attempted to create a "',
                node.op,
                f'" node during subgraph rewriting with target {node.target}, but the referenced '
                "attribute does not exist in the replacement GraphModule",
            )
        if isinstance(found, Module):
            gm.add_submodule(node.target, copy.deepcopy(found))
        else:
            setattr(gm, node.target, copy.deepcopy(found))
    gm.graph.lint()


def _find(module, target):
    path, _, name = target.rpartition(".")
    try:
        return getattr(module.get_submodule(path), name, None)
    except AttributeError:
        return None
