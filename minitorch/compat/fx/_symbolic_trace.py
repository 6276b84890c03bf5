"""`symbolic_trace` and `Tracer`: a program is called with proxies, and what it does becomes a graph."""

import collections
import contextlib
import copy
import functools
import inspect
import logging
import math
import sys
import warnings
from itertools import chain
from types import FunctionType

from minitorch import compiler
from minitorch._C import ScriptObject  # noqa: F401 - tracers of packages
from minitorch._tensor import Tensor
from minitorch.composed.assertions import _assert
from minitorch.fx._compatibility import compatibility  # noqa: F401 - tracers of packages
from minitorch.fx._names import as_torch, is_compiled
from minitorch.fx._patching import (  # noqa: F401
    _maybe_revert_all_patches,
    _wrapped_fns_to_patch,
    _wrapped_methods_to_patch,
    autowrap_check,
    find_proxy,
    new_patcher,
    patch_wrapped_functions,
)
from minitorch.fx.graph import Graph, _PyTreeCodeGen, _PyTreeInfo
from minitorch.fx.graph_module import GraphModule
from minitorch.fx.node import base_types
from minitorch.fx.proxy import (  # noqa: F401
    ParameterProxy,
    Proxy,
    Scope,
    ScopeContextManager,
    TracerBase,
)
from minitorch.nn import Module, Parameter, Sequential
from minitorch.utils import _pytree as pytree

__all__ = ["PH", "ProxyableClassMeta", "Tracer", "symbolic_trace", "wrap"]

# what tracers of packages call these
_Patcher = new_patcher
_patch_wrapped_functions = patch_wrapped_functions
_autowrap_check = autowrap_check

log = logging.getLogger(__name__)
_VARIABLE = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
_orig_module_call = Module.__call__
_orig_module_getattr = Module.__getattr__
_proxyable_classes: dict[type, None] = {}
_is_fx_tracing_flag = False

# what a tracer makes an attribute of the root when a program has it as a constant
_CONSTANTS = {Tensor: "_tensor_constant", pytree.TreeSpec: "_tree_spec_constant"}
_constant_attribute_types = tuple(_CONSTANTS)


@functools.lru_cache
def _warn_of_two_meanings():
    log.warning(
        "is_fx_tracing will return true for both fx.symbolic_trace and torch.export. Please use "
        "is_fx_tracing_symbolic_tracing() for specifically fx.symbolic_trace or "
        "torch.compiler.is_compiling() for specifically torch.export/compile."
    )


def is_fx_tracing():
    """Whether a program is being traced."""
    _warn_of_two_meanings()
    return _is_fx_tracing_flag


def is_fx_symbolic_tracing():
    """Whether a program is being traced with proxies."""
    return _is_fx_tracing_flag and not compiler.is_compiling()


class ProxyableClassMeta(type):
    """The metaclass of classes whose construction is recorded.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Pair(metaclass=torch.fx.ProxyableClassMeta):
    ...     def __init__(self, left, right):
    ...         self.left, self.right = left, right
    >>> Pair(1, 2).right
    2
    """

    def __init__(cls, name, bases, attrs):
        _proxyable_classes.setdefault(cls)
        super().__init__(name, bases, attrs)

    def __call__(cls, *args, **kwargs):
        instance = cls.__new__(cls)
        proxy = find_proxy(args, kwargs) if _is_fx_tracing_flag else None
        if proxy is not None:
            return proxy.tracer.create_proxy("call_function", cls, args, kwargs)
        cls.__init__(instance, *args, **kwargs)
        return instance


@contextlib.contextmanager
def _named_as_pytorchs(module):
    """Inside, ``module.__module__`` is the name that tracers of programs compare with ``"torch.nn"``."""
    module.__dict__["__module__"] = as_torch(module.__module__)
    try:
        yield
    finally:
        del module.__dict__["__module__"]


class PHBase:
    """In containers of concrete arguments, the place of an input."""

    def __repr__(self):
        return "PH"


PH = PHBase()


class PHWithMeta(PHBase):
    """The place of an input whose node takes these attributes.

    Parameters
    ----------
    ph_key : str, optional
    """

    def __init__(self, ph_key=None):
        self.ph_key = ph_key


def _transfer_attrs(fr, to):
    for name in dir(fr):
        value = getattr(fr, name)
        if not callable(value) and not name.startswith("__") and not hasattr(to, name):
            setattr(to, name, value)


def _patch_function(fn, nargs):
    """The function with as many positional parameters, and without ``*`` and ``**``."""
    if not isinstance(fn, FunctionType):
        return _by_position(fn, inspect.unwrap(fn).__code__)
    code = fn.__code__.replace(
        co_argcount=nargs,
        co_posonlyargcount=0,
        co_kwonlyargcount=0,
        co_flags=fn.__code__.co_flags & ~_VARIABLE,
    )
    return FunctionType(code, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)


def _by_position(fn, code):
    """A function of positional arguments alone that calls one whose code cannot be changed."""
    total = code.co_argcount + code.co_kwonlyargcount

    def call(*args):
        names = code.co_varnames[code.co_argcount : total]
        named = dict(zip(names, args[code.co_argcount : total], strict=True))
        rest = args[total] if code.co_flags & inspect.CO_VARARGS else ()
        return fn(*args[: code.co_argcount], *rest, **named)

    return call


class Tracer(TracerBase):
    """Traces modules and functions; derive from it to change what is recorded.

    Parameters
    ----------
    autowrap_modules : tuple of module
        Whose functions are not looked into.
    autowrap_functions : tuple of callable
        That are not looked into.
    param_shapes_constant : bool
        Whether the sizes of parameters are numbers in the program.

    Examples
    --------
    >>> import minitorch as torch
    >>> graph = torch.fx.Tracer().trace(lambda x: x.neg())
    >>> [node.op for node in graph.nodes]
    ['placeholder', 'call_method', 'output']
    """

    _qualname_counter: dict[str, int] = collections.defaultdict(int)

    def __init__(
        self, autowrap_modules=(math,), autowrap_functions=(), param_shapes_constant=False
    ):
        members = chain.from_iterable(vars(module).items() for module in autowrap_modules)
        ids = {id(value) for name, value in members if not name.startswith("_") and callable(value)}
        self._autowrap_function_ids = ids | {id(function) for function in autowrap_functions}
        self._autowrap_search = list(autowrap_modules)
        self.param_shapes_constant = param_shapes_constant
        self.submodule_paths = None
        self.root_module_name = ""
        self.scope = Scope("", None)
        self.module_stack = collections.OrderedDict()
        self.num_calls = {}
        self.node_name_to_scope = {}

    # ---- values of the program

    def get_fresh_qualname(self, prefix):
        """A name that the root has no attribute of: the prefix and a number."""
        taken = hasattr(self.root, f"{prefix}0")
        number = self._qualname_counter[prefix] if taken else 0
        while hasattr(self.root, f"{prefix}{number}"):
            number += 1
        self._qualname_counter[prefix] = number + 1
        return f"{prefix}{number}"

    def create_arg(self, a):
        """What stands among a node's arguments for a value: for a tensor, the attribute that it is.

        Raises
        ------
        NameError
            If it is a parameter that the root does not have.
        """
        name = self._name_in_root(a)
        if name is not None:
            return self.create_node("get_attr", name, (), {})
        if isinstance(a, tuple) and hasattr(a, "_fields"):
            args = tuple(self.create_arg(item) for item in a)
            return self.create_node("call_function", a.__class__, args, {})
        for kind, prefix in _CONSTANTS.items():
            if isinstance(a, kind):
                return self._constant(a, prefix)
        if type(a) in _proxyable_classes:
            name = self.get_fresh_qualname(f"_{a.__class__.__name__}_constant_")
            setattr(self.root, name, a)
            return self.create_node("get_attr", name, (), {})
        return super().create_arg(a)

    def _name_in_root(self, a):
        if isinstance(a, Parameter):
            members = self.root.named_parameters()
        elif isinstance(a, Tensor):
            members = self.root.named_buffers()
        elif isinstance(a, Module):
            members = self.root.named_modules()
        else:
            return None
        for name, member in members:
            if member is a:
                return name
        if isinstance(a, Parameter):
            raise NameError("parameter is not a member of this module")
        return None

    def _constant(self, a, prefix):
        name = self.tensor_attrs.get(a)
        if not name:
            name = self.get_fresh_qualname(prefix)
            self.tensor_attrs[a] = name
            setattr(self.root, name, a)
        return self.create_node("get_attr", name, (), {})

    # ---- modules

    def is_leaf_module(self, m, module_qualified_name):
        """Whether a call of this module is one node: it is for the modules of `torch.nn`.

        Parameters
        ----------
        m : Module
        module_qualified_name : str
            Its path from the root.
        """
        place = as_torch(m.__module__)
        ours = place.startswith(("torch.nn", "torch.ao.nn"))
        return ours and not isinstance(m, Sequential)

    def path_of_module(self, mod):
        """The path to a module from the root.

        Raises
        ------
        NameError
            If there is none.
        """
        if self.submodule_paths:
            path = self.submodule_paths.get(mod)
        else:
            named = self.root.named_modules()
            path = next((name for name, module in named if module is mod), None)
        if path is None:
            raise NameError("module is not installed as a submodule")
        return path

    def call_module(self, m, forward, args, kwargs):
        """Record a call of a module, or what it does.

        Parameters
        ----------
        m : Module
        forward : callable
            Does it.
        args : tuple
        kwargs : dict
        """
        path = self.path_of_module(m)
        with ScopeContextManager(self.scope, Scope(path, type(m))) as scope:
            calls = self.num_calls.get(path, 0)
            self.num_calls[path] = calls + 1
            key = f"{scope.module_path}@{calls}" if calls else scope.module_path
            self.module_stack[key] = path, scope.module_type
            with _named_as_pytorchs(m):
                leaf = self.is_leaf_module(m, path)
            if leaf:
                result = self.create_proxy("call_module", path, args, kwargs)
            else:
                result = forward(*args, **kwargs)
            self.module_stack.popitem(last=True)
        return result

    def getattr(self, attr, attr_val, parameter_proxy_cache):
        """What a module's attribute is for the program: a proxy, for a parameter of the root.

        Parameters
        ----------
        attr : str
        attr_val : object
        parameter_proxy_cache : dict
            The proxies of the parameters, by their names.
        """
        members = ()
        if isinstance(attr_val, Parameter):
            members = self.root.named_parameters()
        elif self.proxy_buffer_attributes and isinstance(attr_val, Tensor):
            members = self.root.named_buffers()
        for name, member in members:
            if member is attr_val:
                if name not in parameter_proxy_cache:
                    parameter_proxy_cache[name] = self._proxy_of_member(name, attr_val)
                return parameter_proxy_cache[name]
        return attr_val

    def _proxy_of_member(self, name, value):
        if not self.param_shapes_constant:
            return self.create_proxy("get_attr", name, (), {})

        def known(node):
            return ParameterProxy(self, node, name, value)

        return self.create_proxy("get_attr", name, (), {}, proxy_factory_fn=known)

    # ---- arguments of the root

    def create_args_for_root(self, root_fn, is_module, concrete_args=None):
        """The function to call, and what to call it with: proxies of its parameters.

        Parameters
        ----------
        root_fn : callable
        is_module : bool
            Whether its first parameter is the root.
        concrete_args : dict or tuple, optional
            Parameters that are no inputs but have these values.
        """
        analysed = inspect.unwrap(root_fn)
        code = analysed.__code__
        total = code.co_argcount + code.co_kwonlyargcount
        if is_module and total == 0:
            raise RuntimeError("``self`` argument cannot be part of *args expansion!")
        names = list(code.co_varnames)
        args = [self.root] if is_module else []
        variable = code.co_flags & _VARIABLE
        if isinstance(concrete_args, tuple) and concrete_args and variable and total == 1:
            return root_fn, args + self._numbered_inputs(concrete_args)
        inputs = names[len(args) : total]
        if isinstance(concrete_args, tuple):
            if len(inputs) != len(concrete_args):
                raise RuntimeError(
                    f"Tracing expected {len(inputs)} arguments but got {len(concrete_args)} "
                    "concrete arguments"
                )
            concrete_args = dict(zip(inputs, concrete_args, strict=True))
        if code.co_flags & inspect.CO_VARARGS:
            inputs.append(f"*{names[total]}")
        if code.co_flags & inspect.CO_VARKEYWORDS:
            inputs.append(f"**{names[total + bool(code.co_flags & inspect.CO_VARARGS)]}")
        signature = inspect.signature(analysed)
        for name in inputs:
            args.append(self._proxy_placeholder(name, concrete_args, signature, analysed))
        if code.co_kwonlyargcount or variable:
            root_fn = _patch_function(root_fn, len(args))
        return self._with_flat_arguments(root_fn, args, names[:total])

    def _numbered_inputs(self, concrete_args):
        proxies = []
        for number, value in enumerate(concrete_args):
            proxy = self.create_proxy("placeholder", f"input_{number}", (), {})
            if isinstance(value, PHBase) and value is not PH:
                _transfer_attrs(fr=value, to=proxy.node)
            proxies.append(proxy)
        return proxies

    def _with_flat_arguments(self, root_fn, args, names):
        """Where arguments are containers with inputs in them, a function of the leaves."""
        leaves, structure = pytree.tree_flatten(tuple(args))
        if all(child.is_leaf() for child in structure.children()):
            return root_fn, args
        codegen = self.graph._codegen = _PyTreeCodeGen(_PyTreeInfo(names, structure, None))

        def flat(*args):
            result = root_fn(*pytree.tree_unflatten(list(args), structure))
            leaves, out_spec = pytree.tree_flatten(result)
            codegen.pytree_info = codegen.pytree_info._replace(out_spec=out_spec)
            return leaves

        return flat, leaves

    def _proxy_placeholder(self, name, concrete_args, sig, fn_for_analysis):
        default = ()
        if name[0] != "*" and sig.parameters[name].default is not inspect.Parameter.empty:
            default = (sig.parameters[name].default,)
        if concrete_args is None or name not in concrete_args:
            kind = fn_for_analysis.__annotations__.get(name)
            return self.create_proxy("placeholder", name, default, {}, type_expr=kind)
        number = 0

        def replaced(value):
            nonlocal number
            number += 1
            proxy = self.create_proxy("placeholder", f"{name}_{number}", default, {})
            return self._specialized(name, proxy, value)

        return pytree.tree_map(replaced, concrete_args[name])

    def _specialized(self, name, proxy, value):
        """What the program gets for an input that has to have this value."""
        if isinstance(value, PHBase):
            if value is not PH:
                _transfer_attrs(fr=value, to=proxy.node)
            return proxy
        other = "but got another value"
        if type(value) in base_types and type(value) is not Tensor:
            text = f"{name} has been specialized to have value {value} {other}"
            _assert(proxy == value, text)
        elif value is None:
            text = f"{name} has been specialized to have value None {other}"
            self.create_proxy("call_function", _assert_is_none, (proxy, text), {})
        else:
            warnings.warn(
                f"Was not able to add assertion to guarantee correct input {name} to specialized "
                "function. It is up to the user to make sure that your inputs match the inputs "
                "you specialized the function with.",
                stacklevel=2,
            )
        return value

    # ---- the trace

    def trace(self, root, concrete_args=None):
        """The graph of what a module or function does.

        Parameters
        ----------
        root : Module or callable
        concrete_args : dict, optional
            Parameters that are no inputs but have these values; in containers, `PH` is an input.

        Returns
        -------
        Graph

        Raises
        ------
        TraceError
            If what it does depends on the values of its inputs.
        """
        global _is_fx_tracing_flag
        before, _is_fx_tracing_flag = _is_fx_tracing_flag, True
        try:
            self._trace(root, concrete_args)
        finally:
            _is_fx_tracing_flag = before
        return self.graph

    def _trace(self, root, concrete_args):
        fn = self._set_root(root)
        self.graph = Graph(tracer_cls=type(self))
        code = getattr(fn, "__code__", None)
        if code is not None:
            names = "co_name", "co_filename", "co_firstlineno"
            self.graph._co_fields = {name: getattr(code, name) for name in names}
        self.tensor_attrs = {}
        self._collect_constants(self.root, [])
        if not isinstance(inspect.unwrap(fn), FunctionType) or is_compiled(fn):
            raise AssertionError(f"Expected FunctionType, got {type(fn)}")
        names = inspect.unwrap(fn).__globals__
        fn, args = self.create_args_for_root(fn, isinstance(root, Module), concrete_args)
        with new_patcher() as patcher:
            self._patch_modules(patcher)
            patch_wrapped_functions(patcher)
            for place in (names, *map(vars, self._autowrap_search)):
                autowrap_check(patcher, place, self._autowrap_function_ids)
            kind = inspect.get_annotations(inspect.unwrap(fn)).get("return")
            result = self.create_arg(fn(*args))
            self.create_node("output", "output", (result,), {}, type_expr=kind)
        self.submodule_paths = None

    def _set_root(self, root):
        """Make this the root; returns the function to trace."""
        if not isinstance(root, Module):
            self.root = Module()
            return root
        name = self.traced_func_name
        if not hasattr(type(root), name):
            raise AssertionError(f"traced_func_name={name} doesn't exist in {type(root).__name__}")
        self.root = root
        self.root_module_name = root._get_name()
        self.submodule_paths = {module: path for path, module in root.named_modules()}
        return getattr(type(root), name)

    def _collect_constants(self, module, path):
        for name, value in module.__dict__.items():
            if isinstance(value, _constant_attribute_types):
                self.tensor_attrs[value] = ".".join([*path, name])
        for name, child in module.named_children():
            self._collect_constants(child, [*path, name])

    def _patch_modules(self, patcher):
        """Let calls of modules and their attributes come here."""
        proxies = {}

        @functools.wraps(_orig_module_getattr)
        def getattr_(module, attr):
            return self.getattr(attr, _orig_module_getattr(module, attr), proxies)

        @functools.wraps(_orig_module_call)
        def call(module, *args, **kwargs):
            def forward(*args, **kwargs):
                return _orig_module_call(module, *args, **kwargs)

            names = getattr(getattr(module, "forward", module), "__globals__", {})
            autowrap_check(patcher, names, self._autowrap_function_ids)
            return self.call_module(module, forward, args, kwargs)

        patcher.patch_method(Module, "__getattr__", getattr_, deduplicate=False)
        patcher.patch_method(Module, "__call__", call, deduplicate=False)

    def __deepcopy__(self, memo):
        copied = Tracer.__new__(Tracer)
        for name, value in self.__dict__.items():
            shallow = name == "_autowrap_search"
            copied.__dict__[name] = copy.copy(value) if shallow else copy.deepcopy(value, memo)
        return copied


def wrap(fn_or_name):
    """Mark a function of the calling module as one that a tracer does not look into.

    It is called at the top of the module, or decorates the function there. A call of the function then
    becomes a node of the graph.

    Parameters
    ----------
    fn_or_name : str or callable

    Returns
    -------
    str or callable
        The argument.

    Raises
    ------
    RuntimeError
        If it is neither.
    NotImplementedError
        When it is called in a function, where the name would be the function's own.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fx.wrap("len")
    'len'
    """
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError(
            "Unsupported type for global function! Must be either a callable or string name"
        )
    name = fn_or_name.__name__ if callable(fn_or_name) else fn_or_name
    frame = sys._getframe(1)
    if frame.f_code.co_name != "<module>":
        raise NotImplementedError("wrap must be called at the top level of a module")
    _wrapped_fns_to_patch[id(frame.f_globals), name] = frame.f_globals
    return fn_or_name


def symbolic_trace(root, concrete_args=None):
    """A module with the graph of what another module or a function does.

    Parameters
    ----------
    root : Module or callable
    concrete_args : dict, optional
        Parameters that are no inputs but have these values; in containers, ``torch.fx.PH`` is an input.

    Returns
    -------
    GraphModule

    Examples
    --------
    >>> import minitorch as torch
    >>> traced = torch.fx.symbolic_trace(lambda x: torch.relu(x) + 1)
    >>> traced(torch.tensor([-1.0, 2.0]))
    tensor([1., 3.])
    >>> print(traced.code.strip())
    def forward(self, x):
        relu = torch.relu(x);  x = None
        add = relu + 1;  relu = None
        return add
    """
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, Module) else root.__name__
    return GraphModule(tracer.root, graph, name)


@wrap
def _assert_is_none(value, msg):
    if value is not None:
        raise AssertionError(msg)
