"""`split_module`: split a graph module into submodules."""

import inspect
from operator import attrgetter

from minitorch.autograd.grad_mode import _set_grad_enabled
from minitorch.fx.graph import Graph
from minitorch.fx.graph_module import GraphModule
from minitorch.fx.node import map_arg
from minitorch.fx.proxy import Proxy
from minitorch.nn import Module

__all__ = ["Partition", "split_module"]


class Partition:
    """One part of a split graph.

    Parameters
    ----------
    name : str
    """

    def __init__(self, name):
        self.name = name
        self.submod_name = f"submod_{name}"
        self.node_names = []
        self.inputs = {}
        self.outputs = {}
        self.dependencies = {}
        self.dependents = {}
        self.graph = Graph()
        self.environment = {}
        self.targets = {}

    def __repr__(self):
        return (
            f"name: {self.name},\n nodes: {self.node_names},\n inputs: {self.inputs},\n outputs: "
            f"{self.outputs},\n partitions depended on: {self.dependencies},\n partition "
            f"dependents: {self.dependents}"
        )


def _attribute(module, name):
    try:
        return attrgetter(name)(module)
    except AttributeError:
        raise AttributeError(f"Node target {name} not found!") from None


class _Splitter:
    """State of one split: the partitions and the assignment of nodes to them."""

    def __init__(self, module, options):
        self.module = module
        self.options = options
        self.nodes = {node.name: node for node in module.graph.nodes}
        self.parts = {}
        self.part_of = {}

    # ---- assignment of nodes

    def assign(self, split_callback, affix):
        for node in self.nodes.values():
            if node.op in ("placeholder", "get_attr", "output"):
                continue
            if node.target is _set_grad_enabled:
                raise NotImplementedError("split_module of a graph that switches gradients")
            name = str(split_callback(node))
            name = name if affix is None else f"{affix}_{name}"
            part = self.parts.setdefault(name, Partition(name))
            part.node_names.append(node.name)
            self.part_of[node] = node._fx_partition = name

    def connect(self):
        for user in self.nodes.values():
            if user.op not in ("placeholder", "get_attr"):
                for node in user.all_input_nodes:
                    self._note_use(node, user)

    def _note_use(self, node, user):
        made, used = self.part_of.get(node), self.part_of.get(user)
        if made == used:
            return
        if made is not None:
            self.parts[made].outputs.setdefault(node.name)
            if used is not None:
                self.parts[made].dependents.setdefault(used)
                self.parts[used].dependencies.setdefault(made)
        if used is not None:
            self.parts[used].inputs.setdefault(node.name)

    def order(self):
        """Return the names of the partitions in topological order."""
        ready = [name for name, part in self.parts.items() if not part.dependencies]
        found = []
        while ready:
            name = ready.pop()
            found.append(name)
            for other in self.parts[name].dependents:
                self.parts[other].dependencies.pop(name)
                if not self.parts[other].dependencies:
                    ready.append(other)
        if len(found) != len(self.parts):
            raise RuntimeError("cycle exists between partitions!")
        return found

    # ---- the graphs of the parts

    def add_inputs(self, part):
        """Add the inputs of a partition to its graph.

        Values from other partitions become placeholders; modules are read by `get_attr` nodes.
        """
        read, given = [], []
        for name in part.inputs:
            node = self.nodes[name]
            is_module = node.op == "get_attr" and isinstance(
                _attribute(self.module, node.target), Module
            )
            (read if is_module else given).append(node)
        keep = self.options["keep_original_input_name"]
        for number, node in enumerate(given):
            name = node.name if keep else f"arg_{number}"
            part.environment[node] = part.graph.placeholder(name, type_expr=node.type)
        for node in read:
            part.environment[node] = part.graph.get_attr(node.target)
            part.targets[node.target] = _attribute(self.module, node.target)
        for node in (*given, *read):
            part.environment[node].meta = node.meta.copy()
        part.inputs = dict.fromkeys(node.name for node in given)

    def copy_node(self, node, qualname_map):
        part = self.parts[self.part_of[node]]
        target = node.target
        if node.op == "call_module":
            target = node.target.replace(".", "_")
            part.targets[target] = _attribute(self.module, node.target)
            if qualname_map is not None:
                qualname_map[f"{part.submod_name}.{target}"] = node.target
        copied = part.graph.create_node(
            node.op,
            target,
            map_arg(node.args, part.environment.__getitem__),
            map_arg(node.kwargs, part.environment.__getitem__),
            name=node.name if self.options["keep_original_node_name"] else None,
            type_expr=node.type,
        )
        copied.meta = node.meta.copy()
        part.environment[node] = copied

    def add_output(self, part):
        values = tuple(part.environment[self.nodes[name]] for name in part.outputs)
        single = len(values) == 1 and not self.options["tuple_return"]
        part.graph.output(values[0] if single else values)

    # ---- the outer graph

    def add_outer(self, graph, node, made, attributes):
        """Add a placeholder or `get_attr` node to the outer graph."""
        if node.name in made or node.op not in ("placeholder", "get_attr"):
            return
        if node.op == "get_attr":
            made[node.name] = graph.get_attr(node.target)
            attributes[node.target] = _attribute(self.module, node.target)
        else:
            default = node.args[0] if node.args else inspect.Signature.empty
            name = node.name if self.options["keep_original_node_name"] else node.target
            made[node.name] = graph.placeholder(name, node.type, default)
        made[node.name].meta = node.meta.copy()

    def add_call(self, graph, part, made):
        inputs = tuple(made[name] for name in part.inputs)
        call = graph.call_module(part.submod_name, inputs)
        if len(part.outputs) == 1 and not self.options["tuple_return"]:
            made[next(iter(part.outputs))] = call
            return
        for number, name in enumerate(part.outputs):
            made[name] = Proxy(call)[number].node


def split_module(
    m, root_m, split_callback, qualname_map=None, keep_original_order=False,
    keep_original_node_name=False, keep_original_input_name=True, *, partition_affix=None,
    tuple_return=False,
):  # fmt: skip
    """Split a graph module into submodules that each compute a part of the graph.

    Parameters
    ----------
    m : GraphModule
    root_m : Module
        The traced module; ignored.
    split_callback : callable
        Called with a node; returns the number or name of its part.
    qualname_map : dict, optional
        If given, filled with the old name of each module by new name.
    keep_original_order : bool
        Whether the parts are called in the order of their first nodes.
    keep_original_node_name, keep_original_input_name : bool
        Whether nodes and inputs keep their names in the parts.
    partition_affix : str, optional
        Prefix for the names of the parts.
    tuple_return : bool
        Whether parts with one output return a tuple too.

    Returns
    -------
    GraphModule

    Raises
    ------
    RuntimeError
        If the parts depend on each other in a cycle.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.fx.passes.split_module import split_module
    >>> traced = torch.fx.symbolic_trace(lambda x: torch.relu(torch.neg(x)))
    >>> split = split_module(traced, None, lambda node: node.name)
    >>> print(split.code.strip())
    def forward(self, x):
        submod_neg = self.submod_neg(x);  x = None
        submod_relu = self.submod_relu(submod_neg);  submod_neg = None
        return submod_relu
    """
    options = {
        "keep_original_node_name": keep_original_node_name,
        "keep_original_input_name": keep_original_input_name,
        "tuple_return": tuple_return,
    }
    split = _Splitter(m, options)
    split.assign(split_callback, partition_affix)
    split.connect()
    order = split.order()
    for name in order:
        split.add_inputs(split.parts[name])
    for node in split.part_of:
        split.copy_node(node, qualname_map)
    graph, made, attributes = Graph(), {}, {}
    early = ("placeholder",) if keep_original_order else ("placeholder", "get_attr")
    for node in m.graph.nodes:
        if node.op in early:
            split.add_outer(graph, node, made, attributes)
    for name in split.parts if keep_original_order else order:
        part = split.parts[name]
        split.add_output(part)
        for needed in part.inputs:
            split.add_outer(graph, split.nodes[needed], made, attributes)
        attributes[part.submod_name] = GraphModule(part.targets, part.graph)
        split.add_call(graph, part, made)
    output = m.graph.output_node()
    for node in output.all_input_nodes:
        split.add_outer(graph, node, made, attributes)
    graph.output(map_arg(output.args[0], lambda node: made[node.name]))
    module = GraphModule(attributes, graph)
    module.meta["partition_names"] = {part.submod_name for part in split.parts.values()}
    return module
