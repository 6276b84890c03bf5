"""The `Graph` class: nodes in execution order."""

import contextlib
import copy
import inspect
import logging
import warnings
from collections import defaultdict

from minitorch.fx._codegen import (  # noqa: F401
    CodeGen,
    PythonCode,
    _BoxedCodeGen,
    _PyTreeCodeGen,
    _PyTreeInfo,
    inplace_methods,
    magic_methods,
    reflectable_magic_methods,
)
from minitorch.fx._codegen import format_target as _format_target  # noqa: F401
from minitorch.fx._lines import _parse_stack_trace, _ParsedStackTrace  # noqa: F401
from minitorch.fx._names import Namespace as _Namespace
from minitorch.fx._names import snake_case as _snake_case
from minitorch.fx.immutable_collections import immutable_dict
from minitorch.fx.node import _LEGAL_OPS, Node, map_arg
from minitorch.nn import Module, Parameter
from minitorch.tensors.tensor_types import typename

__all__ = ["CodeGen", "Graph", "PythonCode"]

log = logging.getLogger(__name__)


class _InsertPoint:
    """Context manager that changes where new nodes are inserted, effective from construction."""

    def __init__(self, graph, new_insert):
        self.graph = graph
        self.orig_insert, graph._insert = graph._insert, new_insert

    def __enter__(self):
        pass

    def __exit__(self, kind, value, traceback):
        self.graph._insert = self.orig_insert


class _node_list:
    """Live view of the nodes of a graph."""

    def __init__(self, graph, direction="_next"):
        if direction not in ("_next", "_prev"):
            raise AssertionError(f"direction must be '_next' or '_prev', got {direction}")
        self.graph = graph
        self.direction = direction

    def __len__(self):
        return self.graph._len

    def __iter__(self):
        return self._walk(self.direction)

    def __reversed__(self):
        return self._walk("_prev" if self.direction == "_next" else "_next")

    def _walk(self, direction):
        root = self.graph._root
        node = getattr(root, direction)
        while node is not root:
            if not node._erased:
                yield node
            # Read the successor only now: the loop body may have moved or erased `node`.
            node = getattr(node, direction)


class _FindNodesLookupTable:
    """Index of nodes by `op` and, for functions, by target."""

    def __init__(self):
        self.table = defaultdict(dict)

    @staticmethod
    def _key(node):
        return node.op, node.target if node.op == "call_function" else None

    def __contains__(self, node):
        return node in self.table[self._key(node)]

    def insert(self, node):
        self.table[self._key(node)][node] = None

    def remove(self, node):
        self.table[self._key(node)].pop(node)

    def find_nodes(self, *, op, target=None):
        if op == "call_function":
            if target is None:
                raise AssertionError("target must not be None for call_function op")
            return list(self.table[op, target])
        return [node for node in self.table[op, None] if target is None or node.target == target]


def _has_attribute(module, qualified_name):
    """Return whether `module` has a parameter, buffer or submodule of this dotted name.

    Warns if the parent module does not exist.
    """
    path, _, name = qualified_name.rpartition(".")
    try:
        module = module.get_submodule(path)
    except AttributeError:
        warnings.warn(f"Failed to fetch module {path}!", stacklevel=3)
        return False
    found = getattr(module, name, None)
    return isinstance(found, (Module, Parameter)) or name in module._buffers


class Graph:
    """A program as a list of nodes: inputs, calls and one output.

    Parameters
    ----------
    owning_module : GraphModule, optional
    tracer_cls : type, optional
        The tracer class that created the graph.
    tracer_extras : dict, optional
        Keyword arguments for ``Tracer.trace`` when the graph is traced again.

    Examples
    --------
    >>> import minitorch as torch
    >>> graph = torch.fx.Graph()
    >>> x = graph.placeholder("x")
    >>> _ = graph.output(graph.call_function(torch.relu, (x,)))
    >>> print(graph)
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
        return relu
    """

    def __init__(self, owning_module=None, tracer_cls=None, tracer_extras=None):
        self._owning_module = owning_module
        self._root = Node(self, "", "root", "", (), {})
        self._insert = self._root.prepend
        self._len = 0
        self._graph_namespace = _Namespace()
        self._tracer_cls = tracer_cls
        self._tracer_extras = tracer_extras
        self._codegen = CodeGen()
        self._co_fields = {}
        self._find_nodes_lookup_table = _FindNodesLookupTable()

    @property
    def owning_module(self):
        """The `GraphModule` that runs the graph, or None."""
        return self._owning_module

    @owning_module.setter
    def owning_module(self, mod):
        self._owning_module = mod

    @property
    def nodes(self):
        """The nodes in order.

        The list itself is read-only, but nodes may be moved or erased during iteration.
        """
        return _node_list(self)

    def output_node(self):
        """Return the output node, which must be the last one."""
        node = next(iter(reversed(self.nodes)))
        if node.op != "output":
            raise AssertionError(f"Expected output node, got op={node.op}")
        return node

    def find_nodes(self, *, op, target=None, sort=True):
        """Return all nodes with this `op` and `target`.

        Parameters
        ----------
        op : str
        target : str or callable, optional
            Required if `op` is ``"call_function"``.
        sort : bool
            Whether to sort the nodes by their order in the graph.
        """
        found = self._find_nodes_lookup_table.find_nodes(op=op, target=target)
        return sorted(found) if sort else found

    # ---- copies

    def graph_copy(self, g, val_map, return_output_node=False):
        """Append copies of the nodes of graph `g`, except its output.

        Parameters
        ----------
        g : Graph
        val_map : dict
            Maps nodes of `g` to nodes of this graph. Nodes already in it are not copied;
            copied nodes are added.
        return_output_node : bool

        Returns
        -------
        object
            The output value of `g` in terms of the new nodes, or None if `g` has no output. With
            `return_output_node`, a pair of the value and the output node of `g`.
        """
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                value = map_arg(node.args[0], val_map.__getitem__)
                return (value, node) if return_output_node else value
            val_map[node] = self.node_copy(node, val_map.__getitem__)
        return None

    def __deepcopy__(self, memo=None):
        copied = Graph(tracer_cls=self._tracer_cls)
        output = copied.graph_copy(self, val_map=memo or {}, return_output_node=True)
        copied._codegen = copy.deepcopy(self._codegen)
        if output is not None:
            value, old = output
            copied.output(value, type_expr=old.type).meta = copy.copy(old.meta)
        return copied

    def node_copy(self, node, arg_transform=lambda x: x):
        """Add a copy of `node`, which may belong to another graph.

        Parameters
        ----------
        node : Node
        arg_transform : callable
            Maps each node in its arguments to a node of this graph.
        """
        args = map_arg(node.args, arg_transform)
        kwargs = map_arg(node.kwargs, arg_transform)
        copied = self.create_node(node.op, node.target, args, kwargs, node.name, node.type)
        copied.meta = copy.copy(node.meta)
        return copied

    # ---- new nodes

    def create_node(self, op, target, args=None, kwargs=None, name=None, type_expr=None):
        """Create a node and add it at the insertion point.

        Parameters
        ----------
        op : str
        target : str or callable
        args : tuple, optional
        kwargs : dict, optional
        name : str, optional
            A number is appended if the name is already used.
        type_expr : type, optional
        """
        args = args or ()
        kwargs = kwargs or immutable_dict()
        if not isinstance(args, tuple):
            raise AssertionError(f"args must be a tuple, got {type(args)}")
        if not isinstance(kwargs, dict):
            raise AssertionError(f"kwargs must be a dict, got {type(kwargs)}")
        candidate = self._target_to_str(target) if name is None else name
        name = self._graph_namespace.create_name(candidate, None)
        node = Node(self, name, op, target, args, kwargs, type_expr)
        for hook in getattr(self.owning_module, "_create_node_hooks", ()):
            hook(node)
        self._graph_namespace.associate_name_with_obj(name, node)
        self._insert(node)
        self._find_nodes_lookup_table.insert(node)
        self._len += 1
        return node

    @staticmethod
    def _target_to_str(target):
        name = target.__name__ if callable(target) else target
        if not callable(target) and name.startswith("__") and name.endswith("__"):
            name = name[2:-2]
        return _snake_case(name)

    def placeholder(self, name, type_expr=None, default_value=inspect.Signature.empty):
        """Add a placeholder node, an input of the graph.

        Parameters
        ----------
        name : str
        type_expr : type, optional
        default_value : object, optional
        """
        args = () if default_value is inspect.Signature.empty else (default_value,)
        return self.create_node("placeholder", name, args=args, type_expr=type_expr)

    def get_attr(self, qualified_name, type_expr=None):
        """Add a node that reads an attribute of the owning module by its dotted name."""
        if self.owning_module is not None and not _has_attribute(
            self.owning_module, qualified_name
        ):
            warnings.warn(
                "Attempted to insert a get_attr Node with no underlying reference in the owning "
                "GraphModule! Call GraphModule.add_submodule to add the necessary submodule, "
                "GraphModule.add_parameter to add the necessary Parameter, or "
                "nn.Module.register_buffer to add the necessary buffer",
                stacklevel=2,
            )
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_module(self, module_name, args=None, kwargs=None, type_expr=None):
        """Add a call of a submodule of the owning module, given its dotted name."""
        if self.owning_module is not None:
            self.owning_module.get_submodule(module_name)  # raises if it does not exist
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def call_method(self, method_name, args=None, kwargs=None, type_expr=None):
        """Add a call of a method of the first argument."""
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_function(self, the_function, args=None, kwargs=None, type_expr=None, name=None):
        """Add a call of a function."""
        given = {"name": name, "type_expr": type_expr}
        return self.create_node("call_function", the_function, args, kwargs, **given)

    def output(self, result, type_expr=None):
        """Add the output node; `result` is a node or a nested container of nodes."""
        return self.create_node("output", "output", args=(result,), type_expr=type_expr)

    # ---- the insertion point

    def inserting_before(self, n=None):
        """Insert new nodes before `n`, or at the beginning of the graph if it is None.

        Takes effect immediately; as a context manager, it restores the old position on exit.

        Examples
        --------
        >>> import minitorch as torch
        >>> graph = torch.fx.Graph()
        >>> y = graph.placeholder("y")
        >>> with graph.inserting_before(y):
        ...     _ = graph.placeholder("x")
        >>> list(graph.nodes)
        [x, y]
        """
        if n is None:
            return self.inserting_after(self._root)
        if n.graph is not self:
            raise AssertionError("Node to insert before is not in graph.")
        return _InsertPoint(self, n.prepend)

    def inserting_after(self, n=None):
        """Insert new nodes after `n`, or at the end of the graph if it is None.

        Takes effect immediately; as a context manager, it restores the old position on exit.
        """
        if n is None:
            return self.inserting_before(self._root)
        if n.graph is not self:
            raise AssertionError("Node to insert after is not in graph.")
        return _InsertPoint(self, n.append)

    def erase_node(self, to_erase):
        """Remove a node that has no users.

        Raises
        ------
        RuntimeError
            If the node has users or belongs to another graph.
        """
        if to_erase.users:
            raise RuntimeError(
                f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in "
                f"the graph: {to_erase.users}!"
            )
        if to_erase.graph is not self:
            raise RuntimeError(f"Attempting to remove {to_erase} from wrong graph!")
        if to_erase._erased:
            warnings.warn(f"erase_node({to_erase}) on an already erased node", stacklevel=2)
            return
        for hook in getattr(self.owning_module, "_erase_node_hooks", ()):
            hook(to_erase)
        self._find_nodes_lookup_table.remove(to_erase)
        to_erase._remove_from_list()
        to_erase._erased = True
        self._len -= 1
        to_erase._update_args_kwargs(
            map_arg(to_erase.args, lambda node: None), map_arg(to_erase.kwargs, lambda node: None)
        )

    # ---- code and text

    def process_inputs(self, *args):
        """Convert the arguments of the generated function to inputs of the graph."""
        return self._codegen.process_inputs(*args)

    def process_outputs(self, out):
        """Convert the output of the graph to the result of the generated function."""
        return self._codegen.process_outputs(out)

    def set_codegen(self, codegen):
        """Set the `CodeGen` that writes the function."""
        self._codegen = codegen

    def on_generate_code(self, make_transformer):
        """Register a transformation of the lines of the generated function.

        Takes effect immediately; as a context manager, it is removed on exit.

        Parameters
        ----------
        make_transformer : callable
            Called with the current transformation or None; returns the new one. A
            transformation takes a list of lines and returns a list of lines.
        """
        before = self._codegen._body_transformer
        self._codegen._body_transformer = make_transformer(before)

        @contextlib.contextmanager
        def block():
            try:
                yield
            finally:
                self._codegen._body_transformer = before

        return block()

    def python_code(
        self, root_module, *, verbose=False, include_stride=False, include_device=False,
        colored=False, expanded_def=False, record_func=False, additional_meta=None,
    ):  # fmt: skip
        """Return the source of a function that computes the graph.

        Parameters
        ----------
        root_module : str
            Name of the owning module in the source, usually ``"self"``.
        verbose : bool
            Whether to add comments with stack traces and annotations of the values.
        include_stride, include_device : bool
            Whether these annotations include strides and devices.
        colored : bool
        expanded_def : bool
            Whether to write each parameter on its own line.
        record_func : bool
            Whether to record each call for the profiler.
        additional_meta : list of str, optional
            Keys of ``meta`` to include in the comments.

        Returns
        -------
        PythonCode
        """
        options = {
            "verbose": verbose, "include_stride": include_stride, "include_device": include_device,
            "colored": colored, "expanded_def": expanded_def, "record_func": record_func,
            "additional_meta": additional_meta,
        }  # fmt: skip
        namespace = _Namespace()
        with self._named_by(lambda node: namespace.create_name(node.name, node)):
            return self._python_code(root_module, namespace, **options)

    @contextlib.contextmanager
    def _named_by(self, function):
        before = {node: node._repr_fn for node in self.nodes}
        for node in before:
            node._repr_fn = function
        try:
            yield
        finally:
            for node, old in before.items():
                node._repr_fn = old

    def _python_code(self, root_module, namespace, **options):
        return self._codegen._gen_python_code(self.nodes, root_module, namespace, **options)

    def __str__(self):
        names = []
        lines = [node.format_node(names) for node in self.nodes]
        return "\n    ".join([f"graph({', '.join(names)}):", *filter(None, lines)])

    def print_tabular(self):
        """Print the nodes as a table; requires the package tabulate."""
        try:
            from tabulate import tabulate  # type: ignore[import-untyped]
        except ImportError:
            print(
                "`print_tabular` relies on the library `tabulate`, which could not be found on "
                "this machine. Run `pip install tabulate` to install the library."
            )
            raise
        rows = [[node.op, node.name, node.target, node.args, node.kwargs] for node in self.nodes]
        print(tabulate(rows, headers=["opcode", "name", "target", "args", "kwargs"]))

    # ---- checks and dead code

    def lint(self):
        """Check that nodes use only earlier nodes and that their targets exist.

        Raises
        ------
        RuntimeError
            If a node is not valid.
        """
        names = set()
        seen = set()
        for node in self.nodes:
            self._check_node(node, names)
            for arg in node._input_nodes:
                self._check_argument(arg, node, seen)
            seen.add(node)
            names.add(node.name)
        if self.owning_module is not None:
            for node in self.nodes:
                _check_target(node, self.owning_module)

    def _check_node(self, node, names):
        if node.op not in _LEGAL_OPS:
            raise RuntimeError(f"Node {node} had unknown opcode {node.op}!")
        if node.graph is not self:
            raise RuntimeError(f"Node '{node}' does not belong to this Graph!")
        if node not in self._find_nodes_lookup_table:
            raise RuntimeError(f"Node '{node}' is not added to the side table")
        if node.name in names:
            raise RuntimeError(f"Node redefined name {node.name}!")

    def _check_argument(self, arg, node, seen):
        if arg.graph is not self:
            raise RuntimeError(
                f"Argument '{arg}' of Node '{node}' does not belong to this Graph, but was used as "
                "an argument! If you are copying nodes from another graph, make sure to use "
                f"``arg_transform`` on node_copy() to remap values\n{self}"
            )
        if arg not in seen:
            raise RuntimeError(
                f"Argument '{arg}' of Node '{node}' was used before it has been defined! Please "
                f"check that Nodes in the graph are topologically ordered\n{self}"
            )

    def eliminate_dead_code(self, is_impure_node=None):
        """Remove nodes that have no users and no side effects.

        Parameters
        ----------
        is_impure_node : callable, optional
            Returns whether to keep a node without users; by default `Node.is_impure`.

        Returns
        -------
        bool
            Whether any node was removed.
        """
        self.lint()
        stays = is_impure_node or Node.is_impure
        removed = set()
        for node in reversed(self.nodes):
            if not node.users and not stays(node):
                self.erase_node(node)
                removed.add(node.name)
        if removed:
            log.info("The following nodes were dead code eliminated: %s", removed)
        changed = bool(removed)
        if self.owning_module is not None:
            read = {node.target for node in self.find_nodes(op="get_attr")}
            for name, child in self.owning_module.named_children():
                if name in read and isinstance(getattr(child, "graph", None), Graph):
                    changed |= child.graph.eliminate_dead_code()
                    child.recompile()
        return changed

    def _clear_nodes(self):
        for node in reversed(self.nodes):
            node.meta.clear()
            self.erase_node(node)


def _check_target(node, module):
    if node.op == "call_function":
        if not callable(node.target):
            raise ValueError(
                f"Node {node} target {node.target} has type {typename(node.target)} but a "
                "Callable is expected"
            )
        return
    if not isinstance(node.target, str):
        raise ValueError(
            f"Node {node} target {node.target} has type {typename(node.target)} but a str is "
            "expected"
        )
    if node.op not in ("get_attr", "call_module"):
        return
    parts = node.target.split(".")
    for k, part in enumerate(parts):
        module = getattr(module, part, None)
        path = ".".join(parts[:k])
        if module is None:
            raise RuntimeError(
                f"Node {node} target {node.target} references nonexistent attribute {part} of "
                f"{path}"
            )
        if node.op == "call_module" and not isinstance(module, Module):
            raise RuntimeError(
                f"Node {node} target {node.target} {part} of {path} does not reference an nn.Module"
            )
