"""`make_fx`: record the operators that a function calls as a graph.

Unlike `fx.symbolic_trace`, it runs the function on real or fake tensors, and a
``__torch_dispatch__`` mode records the operators. So the graph also contains the operators that
gradients and function transforms call.
"""

import functools
import inspect
from contextlib import contextmanager, nullcontext

from minitorch._dispatch import modes as _modes
from minitorch._dispatch.operators import Tag, ops
from minitorch._subclasses.fake_tensor import (
    FakeTensor,
    FakeTensorMode,
    maybe_get_fake_mode,
    unset_fake_temporarily,
)
from minitorch._tensor import Tensor
from minitorch.autograd.grad_mode import no_grad
from minitorch.autograd.observe.profiled_blocks import Label
from minitorch.autograd.python_dispatch import identity
from minitorch.fx import PH, GraphModule, Proxy, Tracer
from minitorch.fx.passes.shape_prop import _extract_tensor_metadata
from minitorch.nn import Module, Parameter
from minitorch.utils._python_dispatch import TorchDispatchMode
from minitorch.utils._pytree import tree_flatten, tree_map, tree_map_only, tree_unflatten

__all__ = [
    "ProxyTorchDispatchMode",
    "PythonKeyTracer",
    "disable_proxy_modes_tracing",
    "dispatch_trace",
    "get_innermost_proxy_mode",
    "get_isolated_graphmodule",
    "get_proxy_mode",
    "handle_sym_dispatch",
    "make_fx",
    "maybe_disable_fake_tensor_mode",
    "py_sym_types",
    "track_tensor",
    "track_tensor_tree",
]

CONSTANT_NUMEL_LIMIT = 1
py_sym_types = ()
_aten = ops.aten


class _ProxyTensor:
    """A tracked tensor: its proxy, and its value if it is a known constant."""

    def __init__(self, proxy, constant, tensor):
        self.proxy = proxy
        self.constant = constant
        self.tensor = tensor  # kept alive so that its identity is not reused


class PythonKeyTracer(Tracer):
    """Tracer that records operators and traces into all modules."""

    def __init__(self):
        super().__init__(autowrap_modules=())
        self.tensor_tracker = {}
        self.script_object_tracker = {}  # labels of profiler blocks -> proxies
        self._by_memory = {}
        self.enable_thunkify = False
        self.fake_mode = FakeTensorMode(allow_non_fake_inputs=True)

    def call_module(self, m, forward, args, kwargs):
        """Call `forward` without recording the module."""
        return forward(*args, **kwargs)

    def getattr(self, attr, attr_val, parameter_proxy_cache):
        """Return the attribute unchanged."""
        return attr_val

    def create_arg(self, a):
        """Convert a value to an argument of a node.

        A parameter that does not belong to the root is added to it as an attribute.
        """
        if isinstance(a, Parameter) or isinstance(a, Tensor) and getattr(a, "_is_param", False):
            for name, p in self.root.named_parameters():
                if p is a:
                    return self.create_node("get_attr", name, (), {})
            name = self.get_fresh_qualname("_param_constant")
            setattr(self.root, name, a)
            return self.create_node("get_attr", name, (), {})
        if isinstance(a, tuple) and type(a).__module__.endswith("return_types"):
            a = tuple(a)
        return super().create_arg(a)

    def track(self, t, known):
        """Track a tensor."""
        self.tensor_tracker[identity(t)] = known
        if t.numel():
            self._by_memory[_place(t)] = known

    def known(self, t):
        """Return the entry of a tensor, or of another view of the same elements, or None."""
        found = self.tensor_tracker.get(identity(t))
        if found is None and t.numel() and not isinstance(t, Parameter):
            found = self._by_memory.get(_place(t))
        return found

    def unwrap_proxy(self, e):
        """Return the proxy of a tensor or label; other values are returned unchanged."""
        if isinstance(e, Label):
            return self.script_object_tracker.get(e, e)
        known = self.known(e) if isinstance(e, Tensor) else None
        return e if known is None else known.proxy


def _place(t):
    """Return a key for the memory and layout of a tensor."""
    storage = t.untyped_storage()
    return storage._cdata, t.dtype, t.storage_offset(), tuple(t.shape), t.stride()


def set_proxy_slot(t, tracer, proxy):
    """Track a tensor with a tracer."""
    tracer.track(t, proxy)


def get_proxy_slot(t, tracer, *default):
    """Return the tracking entry of a tensor.

    Raises
    ------
    RuntimeError
        If the tensor is not tracked and no default is given.
    """
    known = tracer.known(t)
    if known is None:
        if default:
            return default[0]
        raise RuntimeError(f"{t} is not tracked with proxy for {tracer}")
    return known


def has_proxy_slot(t, tracer):
    """Return whether a tracer tracks a tensor."""
    return tracer.known(t) is not None


def set_meta(proxy, value, tracer):
    """Store the metadata of a result in ``meta`` of its node."""
    if isinstance(value, Tensor) and type(value) in (Tensor, Parameter, FakeTensor):
        with _modes.disabled(), no_grad():
            proxy.node.meta["val"] = _described(tracer, value)
            proxy.node.meta["tensor_meta"] = _extract_tensor_metadata(value)
    return proxy


def _described(tracer, value):
    if isinstance(value, FakeTensor):
        return FakeTensor(value.fake_mode, value.elem, value.fake_device)
    mode = tracer.fake_mode
    elem = value if value.is_meta else mode.fake_tensor_converter._elem(value)
    return FakeTensor(mode, elem, value.device)


def track_tensor(tensor, proxy, *, constant, tracer):
    """Track a tensor with a proxy."""
    set_proxy_slot(tensor, tracer, _ProxyTensor(proxy, constant, tensor))


def track_tensor_tree(inner_res, proxy_res, *, constant, tracer):
    """Track the tensors in nested lists, tuples and dicts with the items of a proxy."""

    def follow(value, proxy, constant):
        if isinstance(value, Tensor):
            track_tensor(value, proxy, tracer=tracer, constant=constant)
            if isinstance(proxy, Proxy):
                set_meta(proxy, value, tracer)
        elif isinstance(value, (tuple, list)):
            for index, item in enumerate(value):
                follow(item, proxy[index], constant[index] if constant is not None else None)
        elif isinstance(value, dict):
            for key, item in value.items():
                follow(item, proxy[key], constant[key] if constant is not None else None)

    follow(inner_res, proxy_res, constant)
    return inner_res


_NO_VALUE = (
    "It appears that you're trying to get value out of a tracing tensor with {} - erroring out! It's likely that "
    "this is caused by data-dependent control flow or similar.  It may be possible to trace this with dynamic "
    "shapes; try setting tracing_mode='symbolic' in your make_fx call."
)


class ProxyTorchDispatchMode(TorchDispatchMode):
    """Dispatch mode that records operators with a tracer.

    Parameters
    ----------
    tracer : PythonKeyTracer
    tracing_mode : str
    """

    _mode_key = "proxy"

    def __init__(
        self,
        tracer,
        tracing_mode="real",
        pre_dispatch=False,
        _allow_fake_constant=False,
        _error_on_data_dependent_ops=True,
        decomposition_table=None,
    ):
        super().__init__()
        self.tracer = tracer
        self.tracing_mode = tracing_mode
        self.enable_tracing = True
        self._error_on_data_dependent_ops = _error_on_data_dependent_ops
        self.decomposition_table = decomposition_table or {}

    @classmethod
    def is_infra_mode(cls):
        """Return True: user-defined modes are called before this one."""
        return True

    __exit__ = _modes.exit_this

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        """Compute `func` and record it.

        Returns NotImplemented if an argument belongs to another tensor subclass.
        """
        if any(not issubclass(cls, FakeTensor) for cls in types):
            return NotImplemented
        kwargs = kwargs or {}
        table = self.decomposition_table
        rule = table.get(func, table.get(func.overloadpacket))
        if rule is not None:
            with self:
                result = rule(*args, **kwargs)
            if result is not NotImplemented:
                return result
        with self:
            result = func.decompose(*args, **kwargs)
        return self._noted(func, args, kwargs) if result is NotImplemented else result

    def _noted(self, func, args, kwargs):
        leaves = tree_flatten((args, kwargs))[0]
        known = [
            get_proxy_slot(t, self.tracer, None) if isinstance(t, Tensor) else None for t in leaves
        ]
        tensors = [t for t in leaves if isinstance(t, Tensor)]
        if Tag.data_dependent_output in func.tags:
            return self._value(func, args, kwargs, known, tensors)
        proxies = tree_map(self.tracer.unwrap_proxy, (args, kwargs))
        if func is _aten.lift_fresh.default:
            func = _aten.lift_fresh_copy.default
        node = self.tracer.create_proxy(
            "call_function",
            func,
            *proxies,
            name=self.tracer.graph._target_to_str(func.overloadpacket.__name__),
        )
        if func._opname[-1] == "_" and func._opname[0] != "_":
            for t in args[0] if isinstance(args[0], (list, tuple)) else args[:1]:
                if isinstance(t, Tensor) and has_proxy_slot(t, self.tracer):
                    get_proxy_slot(t, self.tracer).proxy = node
        result = func(*args, **kwargs)
        if isinstance(result, Label):
            self.tracer.script_object_tracker[result] = node
            return result
        constant = self._constant(func, args, kwargs, known, tensors, result)
        return track_tensor_tree(result, node, constant=constant, tracer=self.tracer)

    def _value(self, func, args, kwargs, known, tensors):
        """Compute an operator that reads elements, from constants where tensors are tracked.

        Raises
        ------
        RuntimeError
            If the value of a tracked tensor is not a known constant.
        """
        tracked = [k for k in known if k is not None]
        if any(k.constant is None for k in tracked):
            if self._error_on_data_dependent_ops:
                raise RuntimeError(_NO_VALUE.format(func))
            return func(*args, **kwargs)
        args, kwargs = tree_map_only(Tensor, self._constant_of, (args, kwargs))
        with _modes.disabled():
            return func(*args, **kwargs)

    def _constant_of(self, t):
        known = get_proxy_slot(t, self.tracer, None)
        return t if known is None else known.constant

    def _constant(self, func, args, kwargs, known, tensors, result):
        """Return the value of the result if it is constant and small enough, else None."""
        if func is _aten.lift_fresh_copy.default:
            if result.numel() > CONSTANT_NUMEL_LIMIT:
                return None
            with _modes.disabled():
                return args[0].clone()
        if Tag.nondeterministic_seeded in func.tags or not tensors:
            return None
        tracked = [k for k in known if k is not None]
        few = all(
            t.numel() <= CONSTANT_NUMEL_LIMIT
            for t in tree_flatten(result)[0]
            if isinstance(t, Tensor)
        )
        if not few or not tracked or any(k.constant is None for k in tracked):
            return None
        if len(tracked) != len(tensors):
            return None
        args, kwargs = tree_map_only(Tensor, self._constant_of, (args, kwargs))
        with _modes.disabled(), no_grad():
            return func(*args, **kwargs)


def wrap_key(f, tensors, tracer, pre_dispatch=False):
    """Return a function of proxies that calls `f` with `tensors` and returns proxies."""
    flat, _ = tree_flatten(tensors)

    @functools.wraps(f)
    def wrapped(*proxies):
        given, _ = tree_flatten(proxies)
        if len(given) != len(flat):
            raise AssertionError(f"len(flat_proxies)={len(given)} != len(flat_tensors)={len(flat)}")
        with disable_proxy_modes_tracing():
            for t, proxy in zip(flat, given, strict=True):
                if isinstance(t, Tensor):
                    track_tensor_tree(t, proxy, constant=None, tracer=tracer)
        out = f(*tensors)
        return tree_map(tracer.unwrap_proxy, out)

    return wrapped


def dispatch_trace(root, tracer, concrete_args=None):
    """Trace a function of proxies and return its `GraphModule`."""
    graph = tracer.trace(root, concrete_args)
    name = root.__class__.__name__ if isinstance(root, Module) else root.__name__
    return GraphModule(tracer.root, graph, name)


def _of_numbered_arguments(f, count):
    """Wrap `f` in a function with `count` parameters ``arg0``, ``arg1``, ...."""
    names = [f"arg{k}" for k in range(count)]
    parameters = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in names]
    text = ", ".join(names)
    function = eval(f"lambda {text}: fn({text})", {"fn": f})
    function.__signature__ = inspect.Signature(parameters)
    return function


def _has_plain_code(f):
    code = getattr(inspect.unwrap(f), "__code__", None)
    return code is not None and not code.co_flags & inspect.CO_VARARGS


def make_fx(
    f,
    decomposition_table=None,
    tracing_mode="real",
    _allow_non_fake_inputs=False,
    *,
    pre_dispatch=False,
    record_module_stack=False,
    _allow_fake_constant=False,
    _error_on_data_dependent_ops=True,
    record_stack_traces=False,
    proxy_module_inputs=False,
):
    """Return a function that runs `f` on its arguments and returns the recorded `GraphModule`.

    Parameters
    ----------
    f : callable
    decomposition_table : dict, optional
        Maps operators to functions that replace them.
    tracing_mode : {"real", "fake", "symbolic"}
        Whether `f` runs on the given tensors or on fake tensors.

    Raises
    ------
    AssertionError
        If `tracing_mode` is unknown.
    NotImplementedError
        If `tracing_mode` is ``"symbolic"``, because sizes are always numbers, or with
        `pre_dispatch`.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.fx.experimental.proxy_tensor import make_fx
    >>> graph = make_fx(torch.func.grad(lambda x: x.sin().sum()))(torch.randn(3)).graph
    >>> [str(node.target) for node in graph.nodes if node.op == "call_function"][-2:]
    ['aten.cos.default', 'aten.mul.Tensor']
    """
    if tracing_mode not in ("real", "fake", "symbolic"):
        raise AssertionError(f"tracing_mode must be real/fake/symbolic, got {tracing_mode}")
    if tracing_mode == "symbolic":
        raise NotImplementedError("make_fx with tracing_mode='symbolic': sizes that are symbols")
    if pre_dispatch:
        raise NotImplementedError("make_fx with pre_dispatch=True")
    table = dict(decomposition_table or {})

    @functools.wraps(f)
    def wrapped(*args):
        tracer = PythonKeyTracer()
        fake = nullcontext()
        if tracing_mode == "fake":
            fake = _fake_mode_of(args) or FakeTensorMode(
                allow_non_fake_inputs=_allow_non_fake_inputs
            )
            args = tree_map(
                lambda leaf: fake.from_tensor(leaf) if isinstance(leaf, Tensor) else leaf, args
            )
        inputs = tree_map(lambda _: PH, args)
        plain = _has_plain_code(f)
        function = f if plain else _of_numbered_arguments(f, len(inputs))
        mode = ProxyTorchDispatchMode(
            tracer,
            tracing_mode,
            _error_on_data_dependent_ops=_error_on_data_dependent_ops,
            decomposition_table=table,
        )
        with fake, mode:
            return dispatch_trace(
                wrap_key(function, args, tracer), tracer=tracer, concrete_args=tuple(inputs)
            )

    return wrapped


def _fake_mode_of(args):
    for leaf in tree_flatten(args)[0]:
        mode = maybe_get_fake_mode(leaf) if isinstance(leaf, Tensor) else None
        if mode is not None:
            return mode
    return None


def get_proxy_mode():
    """Return the innermost active tracing mode, or None."""
    return get_innermost_proxy_mode()


def get_innermost_proxy_mode():
    """Return the innermost active tracing mode, or None."""
    return next(
        (m for m in reversed(_modes.stack()) if isinstance(m, ProxyTorchDispatchMode)), None
    )


def disable_proxy_modes_tracing(enable_current=False):
    """Return a context manager that leaves the innermost tracing mode for its block, which receives the mode."""
    return _modes.without(get_innermost_proxy_mode())


@contextmanager
def maybe_disable_fake_tensor_mode():
    """Leave the active fake tensor mode inside the block and yield it."""
    with unset_fake_temporarily() as mode:
        yield mode


def get_isolated_graphmodule(func, args, kwargs, tracing_mode="real", decomposition_table=None):
    """Trace ``func(*args, **kwargs)`` independently of the active trace."""
    leaves, structure = tree_flatten((args, kwargs))

    def of_leaves(*leaves):
        args, kwargs = tree_unflatten(list(leaves), structure)
        return func(*args, **kwargs)

    with disable_proxy_modes_tracing():
        return make_fx(of_leaves, decomposition_table, tracing_mode)(*leaves)


def handle_sym_dispatch(func, args, kwargs):
    """Raise an error, because there are no symbolic sizes.

    Raises
    ------
    NotImplementedError
    """
    raise NotImplementedError("handle_sym_dispatch: sizes that are symbols")


def is_sym_node(node):
    """Return False: no node represents a symbolic size."""
    return False
