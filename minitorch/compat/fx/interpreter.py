"""`Interpreter`, which computes a graph node by node, and `Transformer`, which makes another graph of it."""

import inspect
from contextlib import contextmanager

from minitorch.fx import traceback as fx_traceback
from minitorch.fx._symbolic_trace import Tracer
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
    """Computes a graph; derive from it to change what a node does.

    Parameters
    ----------
    module : GraphModule
    garbage_collect_values : bool
        Whether a value is let go after its last use.
    graph : Graph, optional
        By default that of the module.

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
        """Compute the graph.

        Parameters
        ----------
        *args
            Its inputs.
        initial_env : dict, optional
            Values of nodes that are not computed.
        enable_io_processing : bool
            Whether the arguments are those of the module, and not of the graph.

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
                if isinstance(error, KeyError):  # which would show the text's repr
                    raise RuntimeError(*error.args) from error
            raise

    def _add_place(self, error, node):
        text = f"While executing {node.format_node()}"
        text = f"{error.args[0]}\n\n{text}" if error.args else text
        text += f"\nOriginal traceback:\n{node.stack_trace}{_ADVICE}"
        error.args = (text, *error.args[1:])

    def boxed_run(self, args_list):
        """Compute the graph of a list of inputs, which is emptied."""
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
        """The value of one node, by the method that is called as its ``op``."""
        with self._set_current_node(n):
            args, kwargs = self.fetch_args_kwargs_from_env(n)
            return getattr(self, n.op)(n.target, args, kwargs)

    def placeholder(self, target, args, kwargs):
        """The next input."""
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
        """An attribute of the module."""
        return self.fetch_attr(target)

    def call_function(self, target, args, kwargs):
        """What a function returns."""
        if isinstance(target, str):
            raise AssertionError("target should not be a string for call_function")
        return target(*args, **kwargs)

    def call_method(self, target, args, kwargs):
        """What a method of the first argument returns."""
        receiver, *rest = args
        return getattr(receiver, target)(*rest, **kwargs)

    def call_module(self, target, args, kwargs):
        """What a module in the module returns."""
        return self.fetch_attr(target)(*args, **kwargs)

    def output(self, target, args, kwargs):
        """The output."""
        return args[0]

    def fetch_attr(self, target):
        """What a dotted name leads to, from the module on."""
        found = self.module
        parts = target.split(".")
        for k, part in enumerate(parts):
            if not hasattr(found, part):
                path = ".".join(parts[: k + 1])
                raise RuntimeError(f"Node referenced nonexistent target {path}")
            found = getattr(found, part)
        return found

    def fetch_args_kwargs_from_env(self, n):
        """The values of a node's arguments."""
        return self.map_nodes_to_values(n.args, n), self.map_nodes_to_values(n.kwargs, n)

    def map_nodes_to_values(self, args, n):
        """Arguments with values in the place of nodes.

        Parameters
        ----------
        args : object
        n : Node
            Whose arguments they are.
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
    """Makes a new graph by computing one with proxies; derive from it to say what nodes become.

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
        """An input of the new graph."""
        default = args[0] if args else inspect.Signature.empty
        return Proxy(self.new_graph.placeholder(target, default_value=default), self.tracer)

    def get_attr(self, target, args, kwargs):
        """An attribute in the new graph."""
        return self.tracer.create_proxy("get_attr", target, args, kwargs)

    def call_module(self, target, args, kwargs):
        """A call of a module in the new graph."""
        module = self.fetch_attr(target)
        return self.tracer.call_module(module, module.forward, args, kwargs)

    def call_function(self, target, args, kwargs):
        """A call of a function in the new graph."""
        return self.tracer.create_proxy("call_function", target, args, kwargs)

    def transform(self):
        """Make the new graph.

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
