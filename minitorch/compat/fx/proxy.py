"""`Proxy`, which represents a value during tracing, and `TracerBase`, which records calls."""

import collections
import copy
import enum
import logging
import operator
import os
import sys
import traceback
from dataclasses import fields, is_dataclass

from minitorch.fx import traceback as fx_traceback
from minitorch.fx._calling_code import asserts, unpacked_into
from minitorch.fx.graph import magic_methods, reflectable_magic_methods
from minitorch.fx.node import _operator_class, base_types, map_arg
from minitorch.nn import Parameter
from minitorch.overrides import is_tensor_method_or_property
from minitorch.utils._pytree import tree_map_

__all__ = ["Attribute", "GraphAppendingTracer", "ParameterProxy", "Proxy", "Scope",
           "ScopeContextManager", "TraceError", "TracerBase"]  # fmt: skip

log = logging.getLogger(__name__)
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_BASE_TYPES = (*base_types, enum.Enum, type(None), type(...))


class Scope:
    """The path and the type of the module being traced.

    Parameters
    ----------
    module_path : str
    module_type : type
    """

    def __init__(self, module_path, module_type):
        self.module_path = module_path
        self.module_type = module_type


class ScopeContextManager:
    """Context manager that sets the fields of `scope` to those of `current_scope`.

    On exit, the old fields are restored.

    Parameters
    ----------
    scope : Scope
        The scope to change in place.
    current_scope : Scope
    """

    def __init__(self, scope, current_scope):
        self._prev_scope = copy.copy(scope)
        vars(scope).update(vars(current_scope))
        self._scope = scope

    def __enter__(self):
        return self._scope

    def __exit__(self, *args):
        vars(self._scope).update(vars(self._prev_scope))


class TraceError(ValueError):
    """The traced program depends on a value that is unknown during tracing."""


def assert_fn(x):
    """Raise `AssertionError` if `x` is false; traced ``assert`` statements call it."""
    if not x:
        raise AssertionError("Assertion failed")


class TracerBase:
    """Base class of tracers, which turn calls into nodes of a graph."""

    record_stack_traces = False
    _record_forward_stack_traces_only = False
    check_mutable_operations = False
    trace_asserts = False
    proxy_buffer_attributes = False
    traced_func_name = "forward"

    def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
        """Add a node to the graph, with nodes and constants as arguments.

        Parameters
        ----------
        kind : str
            The node's ``op``.
        target : str or callable
        args : tuple
        kwargs : dict
        name : str, optional
        type_expr : type, optional
        """
        if kind == "call_function" and self.check_mutable_operations:
            from minitorch.fx.operator_schemas import check_for_mutable_operation

            check_for_mutable_operation(target, args, kwargs)
        node = self.graph.create_node(kind, target, args, kwargs, name, type_expr)
        self.node_name_to_scope[node.name] = self.scope.module_path, self.scope.module_type
        if fx_traceback.has_preserved_node_meta():
            fx_traceback.copy_to(node)
        elif self.module_stack:
            node.meta["nn_module_stack"] = copy.copy(self.module_stack)
        if self.record_stack_traces and not node.stack_trace:
            frames = self._filter_traceback_frames(traceback.extract_stack())
            if frames:
                node.stack_trace = "".join(traceback.format_list(frames)).strip()
        log.debug("create_node %s", node)
        return node

    def _filter_traceback_frames(self, frames):
        """Return the frames of the user's program, starting at the first ``forward``."""
        names = [frame.name for frame in frames]
        if "forward" not in names:
            return []
        frames = frames[names.index("forward") :]
        if self._record_forward_stack_traces_only:
            frames = [frame for frame in frames if frame.name == "forward"]
        return [frame for frame in frames if not _is_ours(frame.filename)]

    def proxy(self, node):
        """Return a proxy for the value of `node`."""
        return Proxy(node, self)

    def create_proxy(
        self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None
    ):
        """Convert the arguments with `create_arg`, add a node, and return a proxy for its value.

        Parameters
        ----------
        kind, target, args, kwargs, name, type_expr
            See `create_node`.
        proxy_factory_fn : callable, optional
            Called with the node to create the proxy; by default `proxy` is used.
        """
        node = self.create_node(
            kind, target, self.create_arg(args), self.create_arg(kwargs), name, type_expr
        )
        return proxy_factory_fn(node) if proxy_factory_fn else self.proxy(node)

    def create_arg(self, a):
        """Convert a value of the program to an argument of a node.

        Proxies become their nodes; containers are converted recursively.

        Raises
        ------
        NotImplementedError
            If the type of `a` is not supported.
        """
        if isinstance(a, Proxy):
            return a.node
        if hasattr(a, "__fx_create_arg__"):
            return a.__fx_create_arg__(self)
        if isinstance(a, tuple):
            items = [self.create_arg(item) for item in a]
            return type(a)(*items) if hasattr(a, "_fields") else type(a)(items)
        if isinstance(a, list):
            return [self.create_arg(item) for item in a]
        if isinstance(a, dict):
            return {self._key(key): self.create_arg(value) for key, value in a.items()}
        if isinstance(a, (slice, range)):
            return type(a)(*(self.create_arg(end) for end in (a.start, a.stop, a.step)))
        if isinstance(a, (*_BASE_TYPES, _operator_class())):
            return a
        if is_dataclass(a):
            values = {field.name: self.create_arg(getattr(a, field.name)) for field in fields(a)}
            return self.create_node("call_function", a.__class__, (), values)
        raise NotImplementedError(f"argument of type: {type(a)}")

    def _key(self, key):
        if isinstance(key, str):
            return key
        key = self.create_arg(key)
        map_arg(key, _reject_node_as_key)
        return key

    def to_bool(self, obj):
        """Return the truth value of the proxy `obj`; override if it is known.

        Raises
        ------
        TraceError
            Unless overridden.
        """
        raise TraceError("symbolically traced variables cannot be used as inputs to control flow")

    def iter(self, obj):
        """Return an iterator over the proxy `obj`; override if its length is known.

        Raises
        ------
        TraceError
            Unless overridden.
        """
        raise TraceError(
            "Proxy object cannot be iterated. This can be attempted when the Proxy is used in a "
            "loop or as a *args or **kwargs function argument. See the torch.fx docs on "
            "pytorch.org for a more detailed explanation of what types of control flow can be "
            "traced, and check out the Proxy docstring for help troubleshooting Proxy iteration "
            "errors"
        )

    def keys(self, obj):
        """Record a call of ``obj.keys()``; Python calls this for ``**proxy``."""
        return Attribute(obj, "keys")()


def _reject_node_as_key(node):
    raise RuntimeError(
        f"Keys for dictionaries used as an argument cannot contain a Node. Got key: {node}"
    )


def _is_ours(filename):
    return filename.startswith(_PACKAGE) or filename.endswith((".pyx", ".pxd"))


class GraphAppendingTracer(TracerBase):
    """Tracer that appends nodes to an existing graph.

    Parameters
    ----------
    graph : Graph
    """

    def __init__(self, graph):
        self.graph = graph
        self.scope = Scope("", None)
        self.module_stack = collections.OrderedDict()
        self.node_name_to_scope = {}


class Proxy:
    """The value of a node during tracing; each operation on it adds a node.

    Parameters
    ----------
    node : Node
    tracer : TracerBase, optional
        By default a `GraphAppendingTracer` for the graph of `node`.

    Examples
    --------
    >>> import minitorch as torch
    >>> graph = torch.fx.Graph()
    >>> x = torch.fx.Proxy(graph.placeholder("x"))
    >>> torch.relu(x) + 1
    Proxy(add)
    """

    def __init__(self, node, tracer=None):
        self.tracer = GraphAppendingTracer(node.graph) if tracer is None else tracer
        self.node = node

    def __repr__(self):
        return f"Proxy({self.node.name})"

    def __getattr__(self, k):
        # Recorded only when used, because calling it becomes a `call_method` node instead.
        return Attribute(self, k)

    def __getstate__(self):
        return self.__dict__

    def __setstate__(self, state):
        self.__dict__ = state

    def __deepcopy__(self, memo):
        state = {}
        for name, value in self.__dict__.items():
            try:
                state[name] = copy.deepcopy(value, memo)
            except Exception:  # noqa: BLE001 (whatever its class raises)
                log.warning(
                    "Shallow copy %s of Proxy because it cannot be deepcopied. Proxy is created "
                    "for node %s",
                    name,
                    self.node.name,
                )
                state[name] = copy.copy(value)
        copied = Proxy(state["node"], state["tracer"])
        copied.__dict__.update(state)
        return copied

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", "__call__", (self, *args), kwargs)

    def __iter__(self):
        count = unpacked_into(sys._getframe(1))
        if count is not None:
            return (self[k] for k in range(count))
        return self.tracer.iter(self)

    def __abs__(self):
        return self.tracer.create_proxy("call_function", operator.abs, (self,), {})

    def __bool__(self):
        if self.tracer.trace_asserts and asserts(sys._getframe(1)):
            self.tracer.create_proxy("call_function", assert_fn, (self,), {})
            return True
        return self.tracer.to_bool(self)

    def keys(self):
        """Record a call of ``keys``; Python calls this for ``**proxy``."""
        return self.tracer.keys(self)

    def __len__(self):
        raise RuntimeError(
            "'len' is not supported in symbolic tracing by default. If you want this call to be "
            "recorded, please call torch.fx.wrap('len') at module scope"
        )

    @classmethod
    def __torch_function__(cls, orig_method, types, args=None, kwargs=None):
        args, kwargs = args or (), kwargs or {}
        tracer = _tracer_of(orig_method, cls, args, kwargs)
        name = orig_method.__name__
        if is_tensor_method_or_property(orig_method):
            return tracer.create_proxy("call_method", name, args, kwargs)
        name = tracer.graph._target_to_str(name)
        return tracer.create_proxy("call_function", orig_method, args, kwargs, name=name)


def _tracer_of(function, cls, args, kwargs):
    tracers = {}

    def note(leaf):
        if isinstance(leaf, cls):
            tracers[leaf.tracer] = None

    tree_map_(note, args)
    tree_map_(note, kwargs)
    if len(tracers) > 1:
        raise RuntimeError(
            f"Found multiple different tracers {list(tracers)} while trying to trace operations "
            f"{function}"
        )
    return next(iter(tracers))


class Attribute(Proxy):
    """Proxy for an attribute of another proxy.

    Parameters
    ----------
    root : Proxy
    attr : str
    """

    def __init__(self, root, attr):
        self.root = root
        self.attr = attr
        self.tracer = root.tracer
        self._node = None

    @property
    def node(self):
        """The node that reads the attribute, created on first access."""
        if self._node is None:
            given = self.root, self.attr
            self._node = self.tracer.create_proxy("call_function", getattr, given, {}).node
        return self._node

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", self.attr, (self.root, *args), kwargs)


class ParameterProxy(Proxy):
    """Proxy for a parameter whose sizes are known during tracing.

    Parameters
    ----------
    tracer : TracerBase
    node : Node
    name : str
    param : Parameter
    """

    def __init__(self, tracer, node, name, param):
        super().__init__(node, tracer)
        if not isinstance(param, Parameter):
            raise AssertionError(f"Expected Parameter, got {type(param)}")
        self.param = param
        self.name = name

    def __repr__(self):
        return f"ParameterProxy({self.name})"

    @property
    def shape(self):
        """The sizes of the parameter."""
        return self.param.shape

    def size(self):
        """Return the sizes of the parameter."""
        return self.param.size()

    def dim(self):
        """Return the number of dimensions of the parameter."""
        return self.param.dim()

    @property
    def ndim(self):
        """The number of dimensions of the parameter."""
        return self.param.ndim

    def numel(self):
        """Return the number of elements of the parameter."""
        return self.param.numel()

    def nelement(self):
        """Return the number of elements of the parameter."""
        return self.param.nelement()


def _recording(name):
    target = getattr(operator, name)

    def impl(*args, **kwargs):
        return args[0].tracer.create_proxy("call_function", target, args, kwargs)

    return impl


def _recording_reflected(name):
    target = getattr(operator, name)

    def impl(self, rhs):
        return self.tracer.create_proxy("call_function", target, (rhs, self), {})

    return impl


def _install(name, method):
    method.__name__ = method.__qualname__ = name
    setattr(Proxy, name, method)


for _name in magic_methods:
    if hasattr(operator, _name):  # Python 3 has no `operator.div`
        _install(f"__{_name.strip('_')}__", _recording(_name))
for _name in reflectable_magic_methods:
    if hasattr(operator, _name):
        _install(f"__r{_name.strip('_')}__", _recording_reflected(_name))
