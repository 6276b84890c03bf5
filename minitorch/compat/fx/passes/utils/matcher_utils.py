"""The `SubgraphMatcher` class, which finds matches of a pattern in a graph."""

import copy
import logging
from dataclasses import dataclass, field

from minitorch._tensor import Tensor
from minitorch.fx.graph_module import _get_attr
from minitorch.fx.node import Node, _operator_class
from minitorch.fx.passes.utils.fuser_utils import validate_partition

__all__ = ["InternalMatch", "SubgraphMatcher"]

logger = logging.getLogger(__name__)


@dataclass
class InternalMatch:
    """One match of a pattern.

    Parameters
    ----------
    anchors : list of Node
        The nodes of the pattern where the search starts, usually its last ones.
    nodes_map : dict
        Maps the nodes of the pattern to nodes of the graph.
    placeholder_nodes : list
        Values in the graph that match the placeholders of the pattern.
    returning_nodes : list of Node
        Nodes of the graph that match the outputs of the pattern.
    name_node_map : dict
    """

    anchors: list[Node]
    nodes_map: dict[Node, Node] = field(default_factory=dict)
    placeholder_nodes: list[Node] = field(default_factory=list)
    returning_nodes: list[Node] = field(default_factory=list)
    name_node_map: dict[str, Node] = field(default_factory=dict)

    def __copy__(self):
        lists = self.placeholder_nodes.copy(), self.returning_nodes.copy()
        return InternalMatch(self.anchors, self.nodes_map.copy(), *lists)

    def computed(self):
        """Return the matched nodes, without the inputs and the output of the pattern."""
        ends = "placeholder", "output"
        return [node for pattern, node in self.nodes_map.items() if pattern.op not in ends]


class SubgraphMatcher:
    """Finds the matches of a pattern in graphs.

    Parameters
    ----------
    pattern : Graph
    match_output, match_placeholder : bool
        Whether the output and the placeholders of the pattern must match those of the graph.
    remove_overlapping_matches : bool
        Whether to keep only matches that share no computed nodes.
    ignore_literals : bool
        Whether constants in pattern and graph may differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.fx.passes.utils.matcher_utils import SubgraphMatcher
    >>> pattern = torch.fx.symbolic_trace(lambda x: torch.relu(x)).graph
    >>> graph = torch.fx.symbolic_trace(lambda x: torch.relu(x) + torch.relu(x + 1)).graph
    >>> len(SubgraphMatcher(pattern).match(graph))
    2
    """

    def __init__(
        self, pattern, match_output=False, match_placeholder=False,
        remove_overlapping_matches=True, ignore_literals=False,
    ):  # fmt: skip
        self.pattern = pattern
        self.match_output = match_output
        self.match_placeholder = match_placeholder
        self.remove_overlapping_matches = remove_overlapping_matches
        self.ignore_literals = ignore_literals
        if len(pattern.nodes) == 0:
            raise ValueError("SubgraphMatcher cannot be initialized with an empty pattern")
        for node in pattern.nodes:
            if node.op != "output" and not node.users and not node.is_impure():
                raise AssertionError(
                    "SubgraphMatcher cannot be initialized with an pattern with dead code"
                )
        self.pattern_placeholder_nodes = [n for n in pattern.nodes if n.op == "placeholder"]
        output = next(iter(reversed(pattern.nodes)))
        self.pattern_returning_nodes = output.all_input_nodes
        last = [node for node in output.all_input_nodes if len(node.users) == 1]
        self.pattern_anchors = [output] if match_output else last

    # ---- comparison of nodes

    def _match_attributes(self, pn, gn):
        for node in (pn, gn):
            if node.graph.owning_module is None:
                raise AssertionError("owning_module of the graphs must not be None")
        wanted = _get_attr(pn.graph.owning_module, pn.target)
        found = _get_attr(gn.graph.owning_module, gn.target)
        if type(wanted) is not type(found):
            return False
        if not isinstance(wanted, Tensor):
            raise RuntimeError(f"Unsupported type {wanted} when matching attributes")
        return True

    def _nodes_are_equal(self, pn, gn, node_name_match=""):
        if not self.match_placeholder and pn.op == "placeholder":
            return True
        if node_name_match and node_name_match in gn.name:
            return True
        if pn.op != gn.op:
            return False
        if pn.op in ("placeholder", "output"):
            return True
        if pn.op == "get_attr":
            return self._match_attributes(pn, gn)
        return pn.target == gn.target

    def _match_literals(self, pn, gn, match):
        if isinstance(pn, Node):
            if pn.op != "placeholder":
                return False
            return match.nodes_map.setdefault(pn, gn) == gn
        return not isinstance(gn, Node) and type(gn) is type(pn) and gn == pn

    def _match_args(self, wanted, found, match):
        if len(wanted) != len(found):
            return False
        return all(self._match_arg(a, b, match) for a, b in zip(wanted, found, strict=True))

    def _match_arg(self, wanted, found, match):
        if isinstance(wanted, Node) and isinstance(found, Node):
            return self._match_nodes(wanted, found, match)
        if isinstance(wanted, (list, tuple)) and isinstance(found, (list, tuple)):
            return self._match_args(wanted, found, match)
        return self._match_literals(wanted, found, match) or self.ignore_literals

    def _match_nodes(self, pn, gn, match, node_name_match=""):
        """Return whether node `gn` and its inputs match pattern node `pn` and its inputs.

        Pairs of nodes are added to the match even if it fails.
        """
        if pn in match.nodes_map:
            return match.nodes_map[pn] == gn
        if gn in match.nodes_map.values() or not self._nodes_are_equal(pn, gn, node_name_match):
            return False
        match.nodes_map[pn] = gn
        if pn.op == "placeholder":
            return True
        arguments = _comparable_arguments(pn, gn)
        return arguments is not None and self._match_args(*arguments, match)

    # ---- search

    def _is_contained(self, nodes_map):
        """Return whether only the outputs of the match have users outside the match."""
        inside = {node: pn for pn, node in nodes_map.items() if pn.op != "placeholder"}
        return all(
            user in inside
            for node, pn in inside.items()
            if pn not in self.pattern_returning_nodes
            for user in node.users
        )

    def _remove_overlapping_matches(self, matches):
        kept, taken = [], set()
        for match in matches:
            if taken.isdisjoint(match.computed()):
                kept.append(match)
                taken.update(match.computed())
        return kept

    def _search(self, candidates, match, node_name_match):
        """Return all matches that map each anchor to one of its candidates."""
        if not candidates:
            match.placeholder_nodes = [match.nodes_map[n] for n in self.pattern_placeholder_nodes]
            match.returning_nodes = [match.nodes_map[n] for n in self.pattern_returning_nodes]
            return [match]
        (anchor, nodes), *rest = candidates
        found = []
        for node in nodes:
            attempt = copy.copy(match)
            if self._match_nodes(anchor, node, attempt, node_name_match):
                found.extend(self._search(rest, attempt, node_name_match))
        return found

    def match(self, graph, node_name_match=""):
        """Return the matches of the pattern in a graph.

        Parameters
        ----------
        graph : Graph
        node_name_match : str
            Nodes whose names contain this text also match the anchors of the pattern.

        Returns
        -------
        list of InternalMatch
        """
        candidates = []
        for anchor in self.pattern_anchors:
            nodes = [n for n in graph.nodes if self._nodes_are_equal(anchor, n, node_name_match)]
            if nodes:
                candidates.append((anchor, nodes))
        matches = []
        if candidates:
            empty = InternalMatch(anchors=self.pattern_anchors)
            matches = self._search(candidates, empty, node_name_match)
        matches = [match for match in matches if self._is_contained(match.nodes_map)]
        matches = [match for match in matches if validate_partition(match.computed())]
        if self.remove_overlapping_matches:
            matches = self._remove_overlapping_matches(matches)
        logger.info("Matches returned: %s", matches)
        return matches


def _comparable_arguments(pn, gn):
    """Return the arguments of both nodes in the same order, or None if they cannot be aligned."""
    if len(pn.args) == len(gn.args) and list(pn.kwargs) == list(gn.kwargs):
        return [*pn.args, *pn.kwargs.values()], [*gn.args, *gn.kwargs.values()]
    if pn.op == "call_function" and isinstance(pn.target, _operator_class()):
        schema = pn.target._schema.arguments
        return _all_arguments(schema, pn), _all_arguments(schema, gn)
    return None


def _all_arguments(schema, node):
    values = []
    for number, argument in enumerate(schema):
        if argument.name in node.kwargs:
            values.append(node.kwargs[argument.name])
        elif not argument.kwarg_only and number < len(node.args):
            values.append(node.args[number])
        else:
            values.append(argument.default_value)
    return values
