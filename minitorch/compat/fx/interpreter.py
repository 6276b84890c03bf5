"""`Interpreter`, which runs a graph node by node, and `Transformer`, which rewrites it."""

import inspect
from contextlib import contextmanager

from minitorch.fx import traceback as fx_traceback
from minitorch.fx._tracer import Tracer
from minitorch.fx.graph import Graph
from minitorch.fx.graph_module import GraphModule
from minitorch.fx.node import map_aggregate, map_arg
from minitorch.fx.proxy import Proxy

__all__ = ["Interpreter", "Transformer"]

_ADVICE = (
    "\nUse tlparse to see full graph. "
    "(https://github.com/pytorch/tlparse?tab=readme-ov-file#tlparse-parse-structured-pt2-logs)"
)


class Interpreter:
    """Runs a graph node by node; subclass it to change how nodes are computed.

    Parameters
    ----------
    module : GraphModule
    garbage_collect_values : bool
        Whether to release each value after its last use.
    graph : Graph, optional
        By default ``module.graph``.

    Examples
    --------
    >>> import minitorch as torch
    >>> traced = torch.fx.symbolic_trace(lambda x: torch.neg(x) + 1)
    >>> class Positive(torch.fx.Interpreter):
    ...     def call_function(self, target, args, kwargs):
    ...         return args[0] if target is torch.neg else super().call_function(target, args, kwargs)
    >>> Positive(traced).run(torch.ones(1))
    tensor([2.])
    """

    def __init__(self, module, garbage_collect_values=True, graph=None):
        self.module = module
        self.submodules = dict(module.named_modules())
        self.graph = module.graph if graph is None else graph
        self.env = {}
        self.name = "Interpreter"
        self.garbage_collect_values = garbage_collect_values
        self.extra_traceback = True
        if garbage_collect_values:
            self.user_to_last_uses = self._last_uses()

    def _last_uses(self):
        seen, uses = set(), {}
        for user in reversed(self.graph.nodes):
            for node in user._input_nodes:
                if node not in seen:
                    seen.add(node)
                    uses.setdefault(user, []).append(node)
        return uses

    def run(self, *args, initial_env=None, enable_io_processing=True):
        """Run the graph.

        Parameters
        ----------
        *args
            The inputs.
        initial_env : dict, optional
            Known values of nodes; these nodes are not computed.
        enable_io_processing : bool
            Whether inputs and output have the form of the module's arguments and result,
            rather than the flat form of the graph.

        Returns
        -------
        object
            The output.
        """
        self.env = {} if initial_env is None else initial_env
        if enable_io_processing:
            args = self.graph.process_inputs(*args)
        self.args_iter = iter(args)
        for node in self.graph.nodes:
            if node in self.env:
                continue
            self.env[node] = self._run_and_tell(node)
            if self.garbage_collect_values:
                for unneeded in self.user_to_last_uses.get(node, ()):
                    del self.env[unneeded]
            if node.op == "output":
                output = self.env[node]
                return self.graph.process_outputs(output) if enable_io_processing else output
        return None

    def _run_and_tell(self, node):
        try:
            return self.run_node(node)
        except Exception as error:
            if self.extra_traceback:
                self._add_place(error, node)
                if isinstance(error, KeyError):  # a KeyError shows the repr of its message
                    raise RuntimeError(*error.args) from error
            raise

    def _add_place(self, error, node):
        text = f"While executing {node.format_node()}"
        text = f"{error.args[0]}\n\n{text}" if error.args else text
        text += f"\nOriginal traceback:\n{node.stack_trace}{_ADVICE}"
        error.args = (text, *error.args[1:])

    def boxed_run(self, args_list):
        """Run the graph with a list of inputs and clear the list."""
        inputs = [node for node in self.graph.nodes if node.op == "placeholder"]
        if len(args_list) != len(inputs):
            kind = "extra" if len(args_list) > len(inputs) else "missing"
            raise RuntimeError(
                f"Interpreter.boxed_run expected {len(inputs)} arguments for placeholders but "
                f"received {len(args_list)} ({kind} arguments)"
            )
        env = dict(zip(inputs, args_list, strict=True))
        args_list.clear()
        return self.run(initial_env=env)

    @contextmanager
    def _set_current_node(self, node):
        with fx_traceback.set_current_meta(node, f"Interpreter_{type(self).__name__}"):
            yield

    def run_node(self, n):
        """Compute one node by calling the method named after its ``op``."""
        with self._set_current_node(n):
            args, kwargs = self.fetch_args_kwargs_from_env(n)
            return getattr(self, n.op)(n.target, args, kwargs)

    def placeholder(self, target, args, kwargs):
        """Return the next input."""
        if target.startswith("*"):
            return list(self.args_iter)
        for value in self.args_iter:
            return value
        if args:
            return args[0]
        raise RuntimeError(
            f"Expected positional argument for parameter {target}, but one was not passed in!"
        )

    def get_attr(self, target, args, kwargs):
        """Return an attribute of the module."""
        return self.fetch_attr(target)

    def call_function(self, target, args, kwargs):
        """Call a function."""
        if isinstance(target, str):
            raise AssertionError("target should not be a string for call_function")
        return target(*args, **kwargs)

    def call_method(self, target, args, kwargs):
        """Call a method of the first argument."""
        receiver, *rest = args
        return getattr(receiver, target)(*rest, **kwargs)

    def call_module(self, target, args, kwargs):
        """Call a submodule."""
        return self.fetch_attr(target)(*args, **kwargs)

    def output(self, target, args, kwargs):
        """Return the output."""
        return args[0]

    def fetch_attr(self, target):
        """Return the attribute of the module with this dotted name."""
        found = self.module
        parts = target.split(".")
        for k, part in enumerate(parts):
            if not hasattr(found, part):
                path = ".".join(parts[: k + 1])
                raise RuntimeError(f"Node referenced nonexistent target {path}")
            found = getattr(found, part)
        return found

    def fetch_args_kwargs_from_env(self, n):
        """Return the values of a node's arguments and keyword arguments."""
        return self.map_nodes_to_values(n.args, n), self.map_nodes_to_values(n.kwargs, n)

    def map_nodes_to_values(self, args, n):
        """Return `args` with each node replaced by its value.

        Parameters
        ----------
        args : object
        n : Node
            The node that the arguments belong to, for error messages.
        """

        def value(node):
            if node not in self.env:
                raise RuntimeError(
                    f"Node {n} referenced nonexistent value {node}! Run Graph.lint() to diagnose "
                    "such issues"
                )
            return self.env[node]

        return map_arg(args, value)


class _TransformerTracer(Tracer):
    def __init__(self, graph, root):
        super().__init__()
        self.graph = graph
        self.root = root
        self.tensor_attrs = {}

    def is_leaf_module(self, m, module_qualified_name):
        return True


class Transformer(Interpreter):
    """Creates a new graph by running a graph with proxies; subclass it to change nodes.

    Parameters
    ----------
    module : GraphModule

    Examples
    --------
    >>> import minitorch as torch
    >>> class Negative(torch.fx.Transformer):
    ...     def call_function(self, target, args, kwargs):
    ...         return super().call_function(torch.neg if target is torch.abs else target, args, kwargs)
    >>> Negative(torch.fx.symbolic_trace(lambda x: torch.abs(x))).transform()(torch.ones(1))
    tensor([-1.])
    """

    def __init__(self, module):
        super().__init__(module)
        self.new_graph = Graph()
        self.new_graph.set_codegen(module.graph._codegen)
        self.tracer = _TransformerTracer(self.new_graph, module)

    def placeholder(self, target, args, kwargs):
        """Add a placeholder to the new graph."""
        default = args[0] if args else inspect.Signature.empty
        return Proxy(self.new_graph.placeholder(target, default_value=default), self.tracer)

    def get_attr(self, target, args, kwargs):
        """Record an attribute access in the new graph."""
        return self.tracer.create_proxy("get_attr", target, args, kwargs)

    def call_module(self, target, args, kwargs):
        """Record a module call in the new graph."""
        module = self.fetch_attr(target)
        return self.tracer.call_module(module, module.forward, args, kwargs)

    def call_function(self, target, args, kwargs):
        """Record a function call in the new graph."""
        return self.tracer.create_proxy("call_function", target, args, kwargs)

    def transform(self):
        """Run the graph and return a module with the new graph.

        Returns
        -------
        GraphModule
        """
        with fx_traceback.preserve_node_meta():
            result = super().run(enable_io_processing=False)
        if result is not None:
            output = self.new_graph.output(
                map_aggregate(result, lambda leaf: leaf.node if isinstance(leaf, Proxy) else leaf)
            )
            output.meta.update(self.graph.output_node().meta)
        return GraphModule(self.module, self.new_graph)
