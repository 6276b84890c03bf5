"""`Tracer`, which calls a program with proxies and records a graph."""

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
from minitorch._tensor import Tensor
from minitorch.composed.assertions import _assert
from minitorch.fx._names import as_torch, is_compiled
from minitorch.fx._patching import (
    _wrapped_fns_to_patch,
    autowrap_check,
    find_proxy,
    new_patcher,
    patch_wrapped_functions,
)
from minitorch.fx.graph import Graph, _PyTreeCodeGen, _PyTreeInfo
from minitorch.fx.node import base_types
from minitorch.fx.proxy import (
    ParameterProxy,
    Scope,
    ScopeContextManager,
    TracerBase,
)
from minitorch.nn import Module, Parameter, Sequential
from minitorch.utils import _pytree as pytree

__all__ = ["PH", "ProxyableClassMeta", "Tracer", "wrap"]

log = logging.getLogger("minitorch.fx._symbolic_trace")
_VARIABLE = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
_orig_module_call = Module.__call__
_orig_module_getattr = Module.__getattr__
_proxyable_classes: dict[type, None] = {}
_is_fx_tracing_flag = False

# constants of these types become attributes of the root with these name prefixes
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
    """Return whether a program is being traced."""
    _warn_of_two_meanings()
    return _is_fx_tracing_flag


def is_fx_symbolic_tracing():
    """Return whether a program is being traced with proxies, outside of compilation."""
    return _is_fx_tracing_flag and not compiler.is_compiling()


class ProxyableClassMeta(type):
    """Metaclass of classes whose construction is recorded during tracing.

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
    """Set ``module.__module__`` to PyTorch's name inside the block.

    User-defined tracers compare it with ``"torch.nn"``.
    """
    module.__dict__["__module__"] = as_torch(module.__module__)
    try:
        yield
    finally:
        del module.__dict__["__module__"]


class PHBase:
    """Placeholder for an input in containers of concrete arguments."""

    def __repr__(self):
        return "PH"


PH = PHBase()


class PHWithMeta(PHBase):
    """Placeholder whose attributes are copied to the node of the input.

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
    """Return a version of `fn` with `nargs` positional parameters and without ``*`` and ``**``."""
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
    """Wrap a callable whose code cannot be changed so that it takes only positional arguments."""
    total = code.co_argcount + code.co_kwonlyargcount

    def call(*args):
        names = code.co_varnames[code.co_argcount : total]
        named = dict(zip(names, args[code.co_argcount : total], strict=True))
        rest = args[total] if code.co_flags & inspect.CO_VARARGS else ()
        return fn(*args[: code.co_argcount], *rest, **named)

    return call


class Tracer(TracerBase):
    """Traces modules and functions; subclass it to change what is recorded.

    Parameters
    ----------
    autowrap_modules : tuple of module
        Modules whose functions are recorded as single nodes.
    autowrap_functions : tuple of callable
        Functions that are recorded as single nodes.
    param_shapes_constant : bool
        Whether the sizes of parameters are constants during tracing.

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

    # ---- conversion of values

    def get_fresh_qualname(self, prefix):
        """Return an unused attribute name of the root: the prefix followed by a number."""
        taken = hasattr(self.root, f"{prefix}0")
        number = self._qualname_counter[prefix] if taken else 0
        while hasattr(self.root, f"{prefix}{number}"):
            number += 1
        self._qualname_counter[prefix] = number + 1
        return f"{prefix}{number}"

    def create_arg(self, a):
        """Convert a value of the program to an argument of a node.

        Parameters, buffers, submodules and constant tensors become `get_attr` nodes.

        Raises
        ------
        NameError
            If `a` is a parameter that does not belong to the root.
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
        """Return whether to record a call of `m` as one node.

        By default true for the modules of `torch.nn` except `Sequential`.

        Parameters
        ----------
        m : Module
        module_qualified_name : str
            Dotted path of `m` from the root.
        """
        place = as_torch(m.__module__)
        ours = place.startswith(("torch.nn", "torch.ao.nn"))
        return ours and not isinstance(m, Sequential)

    def path_of_module(self, mod):
        """Return the dotted path of a module from the root.

        Raises
        ------
        NameError
            If `mod` is not a submodule of the root.
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
        """Record a call of a module as one node if it is a leaf, or else trace into it.

        Parameters
        ----------
        m : Module
        forward : callable
            Calls the module.
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
        """Return the value of a module's attribute: a proxy for a parameter, else `attr_val`.

        Buffers get proxies too if `proxy_buffer_attributes` is set.

        Parameters
        ----------
        attr : str
        attr_val : object
        parameter_proxy_cache : dict
            Proxies of the parameters by name; new ones are added.
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
        """Return the function to call and its arguments: proxies of its parameters.

        Parameters
        ----------
        root_fn : callable
        is_module : bool
            Whether the first parameter is the root module.
        concrete_args : dict or tuple, optional
            Fixed values for parameters, which are then not inputs. In containers, `PH` marks an
            input.
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
        """Flatten arguments that are containers of inputs and wrap the function accordingly."""
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
        """Return the argument for an input fixed to `value`, and record an assertion of it."""
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

    # ---- tracing

    def trace(self, root, concrete_args=None):
        """Trace a module or function and return its graph.

        Parameters
        ----------
        root : Module or callable
        concrete_args : dict, optional
            Fixed values for parameters, which are then not inputs. In containers, `PH` marks an
            input.

        Returns
        -------
        Graph

        Raises
        ------
        TraceError
            If control flow depends on the values of the inputs.
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
        """Set the root module and return the function to trace."""
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
        """Redirect module calls and attribute accesses to this tracer."""
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
    """Record calls of a function of the calling module as single nodes.

    Call it at the top level of the module, or use it there as a decorator. Tracers then record a
    call of the function instead of tracing into it.

    Parameters
    ----------
    fn_or_name : str or callable

    Returns
    -------
    str or callable
        `fn_or_name`.

    Raises
    ------
    RuntimeError
        If `fn_or_name` is neither a string nor callable.
    NotImplementedError
        If it is called inside a function instead of at the top level of a module.

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


@wrap
def _assert_is_none(value, msg):
    if value is not None:
        raise AssertionError(msg)


for _named in (
    PHBase,
    PHWithMeta,
    ProxyableClassMeta,
    Tracer,
    _assert_is_none,
    is_fx_symbolic_tracing,
    is_fx_tracing,
    wrap,
):
    _named.__module__ = "minitorch.fx._symbolic_trace"
