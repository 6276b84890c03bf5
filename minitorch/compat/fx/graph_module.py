"""The `GraphModule` class: a module whose `forward` is generated from a graph."""

import contextlib
import copy
import itertools
import sys
import traceback

from minitorch._tensor import Tensor
from minitorch.fx._source import (
    CodeOnlyModule,
    _exec_with_source,  # noqa: F401
    _loader,  # noqa: F401
    _method_from_src,
    error_in_source,
    import_block,
    innermost_frame,
    write_folder,
)
from minitorch.fx._tracer import Tracer
from minitorch.fx.graph import Graph, _BoxedCodeGen, _PyTreeCodeGen
from minitorch.nn import Module, Parameter
from minitorch.nn.modules.module import _addindent

__all__ = ["GraphModule", "reduce_graph_module"]

_CodeOnlyModule = CodeOnlyModule
_USER_PRESERVED_ATTRIBUTES_KEY = "_user_preserved_attributes"
_HOOKS = ("_replace_hooks", "_create_node_hooks", "_erase_node_hooks", "_deepcopy_hooks")


# ---- attributes by dotted names


def _put(module, name, value):
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        module.register_buffer(name, value)
    else:
        setattr(module, name, value)


def _copy_attr(from_module, to_module, target):
    """Copy an attribute to another module, creating empty modules along the dotted path."""
    *path, field = target.split(".")
    for name in path:
        source, copied = getattr(from_module, name), getattr(to_module, name, None)
        if source is copied:
            return  # a shared module already has the attribute
        if copied is None:
            copied = Module()
            setattr(to_module, name, copied)
        from_module, to_module = source, copied
    _put(to_module, field, getattr(from_module, field))


def _assign_attr(from_obj, to_module, target):
    *path, field = target.split(".")
    for name in path:
        if getattr(to_module, name, None) is None:
            setattr(to_module, name, Module())
        to_module = getattr(to_module, name)
    _put(to_module, field, from_obj)


def _get_attr(model, attr_name):
    *path, field = attr_name.split(".")
    for name in path:
        model = getattr(model, name, None)
        if model is None:
            raise AssertionError(f"Attribute '{name}' not found in model")
    return getattr(model, field)


def _del_attr(model, attr_name):
    path, _, field = attr_name.rpartition(".")
    delattr(_get_attr(model, path) if path else model, field)


def _has_attr(model, attr_name):
    for name in attr_name.split("."):
        if not hasattr(model, name):
            return False
        model = getattr(model, name)
    return True


# ---- calls


class _WrappedCall:
    """Call a graph module; on an error, print the line of the generated source that failed."""

    def __init__(self, cls, cls_call):
        self.cls = cls
        self.cls_call = cls_call

    def __call__(self, obj, *args, **kwargs):
        try:
            if self.cls_call is not None:
                return self.cls_call(obj, *args, **kwargs)
            return super(self.cls, obj).__call__(*args, **kwargs)
        except Exception as error:
            innermost = innermost_frame(error)
            if innermost is None or "eval_with_key" not in innermost.filename:
                raise
            print(error_in_source(innermost, traceback.format_exc()), file=sys.stderr)
            raise error.with_traceback(None)  # noqa: B904


class GraphModule(Module):
    """Module that computes a graph.

    Parameters
    ----------
    root : Module or dict
        Provides the graph's modules, parameters and buffers: a module with these attributes,
        or a dictionary that maps dotted names to them.
    graph : Graph
    class_name : str

    Examples
    --------
    >>> import minitorch as torch
    >>> graph = torch.fx.Graph()
    >>> x = graph.placeholder("x")
    >>> _ = graph.output(graph.call_module("twice", (x,)))
    >>> class Double(torch.nn.Module):
    ...     def forward(self, x):
    ...         return x * 2
    >>> module = torch.fx.GraphModule({"twice": Double()}, graph)
    >>> module(torch.ones(2))
    tensor([2., 2.])
    """

    __jit_unused_properties__ = ["graph", "_boxed_call"]

    def __new__(cls, *args, **kwargs):
        # Each instance gets its own class, which holds its generated `forward`.
        for base in cls.__mro__:
            if base.__qualname__.split(".")[-1] != "GraphModuleImpl":
                cls = base
                break
        impl = type("GraphModuleImpl", (cls,), {"__module__": __name__})
        impl.__qualname__ = "GraphModule.__new__.<locals>.GraphModuleImpl"
        return super().__new__(impl)

    def __init__(self, root, graph, class_name="GraphModule"):
        super().__init__()
        type(self).__name__ = class_name
        targets = [n.target for n in graph.nodes if n.op in ("get_attr", "call_module")]
        if isinstance(root, Module):
            self._copy_from(root, targets)
        elif isinstance(root, dict):
            self._assign_from(root, graph)
        else:
            raise RuntimeError(f"Unsupported type {root} passed for root!")
        self.graph = graph
        maker = graph._tracer_cls
        local = maker is None or "<locals>" in maker.__qualname__
        self._tracer_cls = None if local else maker
        self._tracer_extras = graph._tracer_extras or {}
        self.meta = {}
        for name in _HOOKS:
            setattr(self, name, [])
        self.shape_env = None

    def _copy_from(self, root, targets):
        self.training = getattr(root, "training", self.training)
        if isinstance(root, CodeOnlyModule):
            # An unpickled module also keeps attributes that its graph does not use.
            for members in (root.named_children(), root.named_buffers(), root.named_parameters()):
                for name, _ in list(members):
                    _copy_attr(root, self, name)
        for target in targets:
            _copy_attr(root, self, target)

    def _assign_from(self, root, graph):
        targets = []
        for node in graph.nodes:
            if node.op in ("get_attr", "call_module"):
                if node.target not in root:
                    raise RuntimeError(
                        f"Node {node} referenced target {node.target} but that target was not "
                        "provided in ``root``!"
                    )
                targets.append(node.target)
        # Assign parents before their children.
        for target in sorted(targets, key=lambda target: target.count(".")):
            _assign_attr(root[target], self, target)

    @property
    def graph(self):
        """The graph; assign a new one, or call `recompile` after changing it."""
        return self._graph

    @graph.setter
    def graph(self, g):
        if not isinstance(g, Graph):
            raise AssertionError(f"Expected a Graph instance, but got {type(g)}")
        self._graph = g
        g.owning_module = self
        self.recompile()

    @property
    def _boxed_call(self):
        return isinstance(self._graph._codegen, _BoxedCodeGen)

    @property
    def code(self):
        """The generated source of `forward`."""
        if not hasattr(self, "_code"):
            raise RuntimeError("Code has not been generated! Please report a bug to PyTorch")
        return self._code

    def recompile(self):
        """Regenerate `forward` after a change of the graph.

        Returns
        -------
        PythonCode
        """
        codegen = self._graph._codegen
        if isinstance(codegen, _PyTreeCodeGen):
            self._in_spec = codegen.pytree_info.in_spec
            self._out_spec = codegen.pytree_info.out_spec
        python_code = self._graph.python_code(root_module="self")
        self._code = python_code.src
        self._lineno_map = python_code._lineno_map
        self._prologue_start = python_code._prologue_start
        cls = type(self)
        where = getattr(self._graph, "_co_fields", {})
        cls.forward = _method_from_src("forward", self._code, python_code.globals, where)
        if "_wrapped_call" not in vars(cls):
            cls._wrapped_call = _WrappedCall(cls, vars(cls).get("__call__"))
        self._recompile_submodules()

        def call_wrapped(self, *args, **kwargs):
            return self._wrapped_call(self, *args, **kwargs)

        cls.__call__ = call_wrapped
        return python_code

    def _recompile_submodules(self):
        children = self.named_children()
        return [(name, m.recompile()) for name, m in children if isinstance(m, GraphModule)]

    # ---- submodules

    def add_submodule(self, target, m):
        """Add a submodule under a dotted name, creating empty modules along the path.

        Returns
        -------
        bool
            False if an attribute along the path is not a module.
        """
        *path, field = target.split(".")
        module = self
        for name in path:
            child = getattr(module, name, None)
            if child is None:
                child = Module()
                setattr(module, name, child)
            if not isinstance(child, Module):
                return False
            module = child
        module.add_module(field, m)
        return True

    def delete_submodule(self, target):
        """Remove the submodule with this dotted name.

        Returns
        -------
        bool
            Whether the submodule existed.
        """
        *path, field = target.split(".")
        module = self
        for name in path:
            module = getattr(module, name, None)
            if not isinstance(module, Module):
                return False
        if not isinstance(getattr(module, field, None), Module):
            return False
        delattr(module, field)
        return True

    def delete_all_unused_submodules(self):
        """Remove the submodules that no node calls or reads."""
        used = {""}
        for node in self.graph.nodes:
            if node.op in ("call_module", "get_attr"):
                used.update(itertools.accumulate(node.target.split("."), "{}.{}".format))
            if node.op == "call_module" and _has_attr(self, node.target):
                inside = self.get_submodule(node.target).named_modules(prefix=node.target)
                used.update(name for name, _ in inside)
        for name in [name for name, _ in self.named_modules() if name not in used]:
            self.delete_submodule(name)

    # ---- copies and files

    def __reduce__(self):
        state = self.__dict__.copy()
        python_code = self.recompile()
        del state["_graph"]
        return reduce_graph_module, (state, import_block(python_code.globals))

    def _deepcopy_init(self):
        return GraphModule.__init__

    def __deepcopy__(self, memo):
        copied = type(self).__new__(type(self))
        memo[id(self)] = copied
        root = CodeOnlyModule(copy.deepcopy(self.__dict__, memo))
        self._deepcopy_init()(copied, root, root.__dict__["_graph"])
        kept = "_state_dict_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks"
        for name in (*kept, *_HOOKS):
            if name in self.__dict__:
                setattr(copied, name, copy.deepcopy(self.__dict__[name], memo))
        copied.meta = copy.deepcopy(getattr(self, "meta", {}), memo)
        for name, value in copied.meta.get(_USER_PRESERVED_ATTRIBUTES_KEY, {}).items():
            setattr(copied, name, value)
        for hook in getattr(self, "_deepcopy_hooks", ()):
            hook(copied)
        return copied

    def __copy__(self):
        copied = GraphModule(self, self.graph)
        copied.meta = getattr(self, "meta", {})
        return copied

    def _replicate_for_data_parallel(self):
        copied = self.__copy__()
        object.__setattr__(copied, "_is_replica", True)
        return copied

    def to_folder(self, folder, module_name="FxModule"):
        """Write the module as a package that contains its source and parameters.

        Parameters
        ----------
        folder : str or Path
        module_name : str
            Name of the class in the package.
        """
        write_folder(self, folder, module_name)

    # ---- text

    def print_readable(
        self, print_output=True, include_stride=False, include_device=False, colored=False, *,
        fast_sympy_print=False, expanded_def=False, additional_meta=None,
    ):  # fmt: skip
        """Print and return the source, annotated with types and stack traces.

        Parameters
        ----------
        print_output : bool
            Whether to print the source.
        include_stride, include_device, colored, expanded_def, additional_meta
            See `Graph.python_code`.
        fast_sympy_print : bool
            Ignored, because minitorch has no symbolic sizes.
        """
        options = {
            "include_stride": include_stride, "include_device": include_device, "colored": colored,
            "additional_meta": additional_meta,
        }  # fmt: skip
        text = _readable(self, self._get_name(), expanded_def, options)
        if print_output:
            print(text)
        return text

    def __str__(self):
        reminder = "# To see more debug info, please use `graph_module.print_readable()`"
        return "\n".join([super().__str__(), self._code, reminder])

    # ---- hooks

    @contextlib.contextmanager
    def _set_replace_hook(self, f):
        if not callable(f):
            raise AssertionError("Replace hook must be a callable.")
        self._register_replace_node_hook(f)
        try:
            yield
        finally:
            self._unregister_replace_node_hook(f)


def _hook_methods(table, kind):
    def check(f):
        if not callable(f):
            raise AssertionError(f"{kind} hook must be a callable.")

    def register(self, f):
        check(f)
        getattr(self, table).append(f)

    def unregister(self, f):
        check(f)
        getattr(self, table).remove(f)

    return register, unregister


for _table, _name, _kind in (
    ("_replace_hooks", "replace_node", "create_node"),
    ("_create_node_hooks", "create_node", "create_node"),
    ("_erase_node_hooks", "erase_node", "erase_node"),
    ("_deepcopy_hooks", "deepcopy", "deepcopy"),
):
    _register, _unregister = _hook_methods(_table, _kind)
    setattr(GraphModule, f"_register_{_name}_hook", _register)
    setattr(GraphModule, f"_unregister_{_name}_hook", _unregister)


def _readable(module, name, expanded_def, options):
    source = module.graph.python_code("self", verbose=True, expanded_def=expanded_def, **options)
    head = f"class {name}(torch.nn.Module):\n"
    inner = [""]
    for child_name, child in module.named_children():
        if isinstance(child, GraphModule):
            inner.append(_readable(child, child_name, False, options))
    return _addindent(head + source.src.lstrip("\n"), 4) + _addindent("\n".join(inner), 4)


def reduce_graph_module(body, import_block):
    """Rebuild a pickled graph module from its attributes and the imports of its source.

    Parameters
    ----------
    body : dict
    import_block : str

    Returns
    -------
    GraphModule
    """
    source = body.get("_code") or body["code"]
    forward = _method_from_src("forward", import_block + source, {})
    return _deserialize_graph_module(forward, body)


def _deserialize_graph_module(forward, body, graph_module_cls=None):
    """Rebuild the graph by tracing `forward` with every submodule as a leaf."""
    tracer_cls = body.get("_tracer_cls") or Tracer

    class KeepModules(tracer_cls):
        def is_leaf_module(self, m, module_qualified_name):
            return True

    root = type("CodeOnlyModule", (CodeOnlyModule,), {"forward": forward})(body)
    graph = KeepModules().trace(root, **body.get("_tracer_extras", {}))
    traces = body.pop("_graphmodule_graph_node_meta_stack_trace", None) or {}
    for node in graph.nodes:
        if traces.get(node.name) is not None:
            node.stack_trace = traces[node.name]
    graph._tracer_cls = tracer_cls
    made = graph_module_cls or GraphModule
    module = made(root, graph, class_name=body.get("_graphmodule_cls_name", "GraphModule"))
    for name, value in body.items():
        if not hasattr(module, name):
            setattr(module, name, value)
    return module
