"""Custom operators: `custom_op`, and functions to define operators and register kernels one by one.

A program calls its operators as ``torch.ops.namespace.name``. Modes and classes with
``__torch_dispatch__`` see each as one operator. Kernels of PyTorch's own operators can be replaced,
and a fallback kernel can be registered for all operators of a dispatch key.
"""

import contextlib
import functools
import re
import sys
import weakref

from minitorch._dispatch.custom import (
    check_namespace,
    fallthrough_kernel,
    forget,
    has_kernel_for,
    is_defined,
)
from minitorch._dispatch.custom import define as _define
from minitorch._dispatch.custom_gradients import Formula as _Formula
from minitorch._dispatch.custom_op import (
    CustomOpDef,
    check_autocast,
    check_functional,
    custom_op,
    custom_ops,
    devices,
    find_overload,
    has_tensors_by_name,
    key_of_device,
)
from minitorch._dispatch.fake_context import get_ctx
from minitorch._dispatch.infer_schema import infer_schema
from minitorch._dispatch.kernel_functions import SafeKernelFunction as _SafeKernelFunction
from minitorch._dispatch.kernels import kernels_of
from minitorch._dispatch.key_sets import DispatchKey as _DispatchKey
from minitorch._dispatch.key_sets import DispatchKeySet as _DispatchKeySet
from minitorch._dispatch.key_sets import parsed as _parsed
from minitorch._dispatch.key_sets import up_to as _up_to
from minitorch._dispatch.keys import names_of_call as _names_of_call
from minitorch._dispatch.op_checks import opcheck
from minitorch._dispatch.operators import OpOverload, tag_list
from minitorch._dispatch.replacements import is_replaceable as _is_replaceable
from minitorch._dispatch.replacements import replace as _replace
from minitorch._dispatch.tag_checks import check_tags

__all__ = [
    "CustomOpDef",
    "Library",
    "custom_op",
    "define",
    "fallthrough_kernel",
    "get_ctx",
    "get_kernel",
    "impl",
    "impl_abstract",
    "infer_schema",
    "opcheck",
    "register_autocast",
    "register_autograd",
    "register_fake",
    "register_kernel",
    "register_torch_dispatch",
    "register_vmap",
    "triton_op",
    "wrap_triton",
]

_defined_namespaces: set = set()


class Library:
    """A group of definitions and registrations, which are undone when this object is deleted.

    Parameters
    ----------
    ns : str
        The namespace.
    kind : {"DEF", "FRAGMENT", "IMPL"}
        Only one library per namespace may be ``"DEF"``; an ``"IMPL"`` library only registers
        kernels.
    dispatch_key : str, optional
        The default key to register kernels for.

    Raises
    ------
    ValueError
        For another `kind`, or a reserved namespace.
    RuntimeError
        If the namespace already has a library of kind ``"DEF"``.

    Examples
    --------
    >>> import minitorch as torch
    >>> library = torch.library.Library("readme", "FRAGMENT")
    >>> library.define("triple(Tensor x) -> Tensor")
    'triple'
    >>> library.impl("triple", lambda x: x * 3, "CompositeImplicitAutograd")
    >>> torch.ops.readme.triple(torch.ones(2))
    tensor([3., 3.])
    """

    def __init__(self, ns, kind, dispatch_key=""):
        if kind not in ("IMPL", "DEF", "FRAGMENT"):
            raise ValueError(f"Unsupported kind: {kind}")
        if kind != "IMPL":
            check_namespace(ns)
        if kind == "DEF":
            if ns == "aten" or ns in _defined_namespaces:
                raise RuntimeError(
                    f"Only a single TORCH_LIBRARY can be used to register the namespace {ns}; please put all of "
                    "your definitions in a single TORCH_LIBRARY block."
                )
            _defined_namespaces.add(ns)
        if dispatch_key:
            _parsed(dispatch_key)
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key
        self._op_defs = set()
        self._op_impls = set()
        # functions that undo the registrations, the latest last
        self._registration_handles = []
        self._finalizer = weakref.finalize(
            self, _forget, self._registration_handles, _impls, self._op_impls
        )
        self.m = _Registrations(self._registration_handles)
        if kind == "DEF":
            self._registration_handles.append(lambda: _defined_namespaces.discard(ns))

    def __repr__(self):
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})>"

    def define(self, schema, alias_analysis="", *, tags=()):
        """Define an operator by its schema and return its name.

        Raises
        ------
        RuntimeError
            If the schema cannot be parsed, the operator is already defined, or this library is of
            kind ``"IMPL"``.
        ValueError
            If the schema contradicts the tags ``inplace`` or ``out``.
        """
        if alias_analysis not in ("", "FROM_SCHEMA", "CONSERVATIVE"):
            raise RuntimeError(f"Invalid alias_analysis type {alias_analysis}")
        self._check_alive()
        tags = tag_list(tags)
        name = schema.partition("(")[0]
        check_tags(schema, tags)
        namespace, colons, _ = name.rpartition("::")
        if colons and namespace != self.ns:
            raise RuntimeError(
                f"Explicitly provided namespace ({namespace}) in schema string does not match namespace of enclosing "
                f"TORCH_LIBRARY_{self.kind} block ({self.ns}).  Move this definition to the (unique) TORCH_LIBRARY "
                "block corresponding to this namespace (and consider deleting the namespace from your schema string.)"
            )
        if self.kind == "IMPL":
            raise RuntimeError(
                f'def("{name}"): Cannot define an operator inside of a TORCH_LIBRARY_IMPL block.  All def()s should '
                "be placed in the (unique) TORCH_LIBRARY block for their namespace."
            )
        overload = _define(self.ns, schema, tags)
        self._op_defs.add(overload.name())
        self._registration_handles.append(functools.partial(forget, overload))
        return name

    def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False, allow_override=True):
        """Register a kernel, a function that computes an operator for `dispatch_key`.

        Raises
        ------
        TypeError
            If `fn` is not callable.
        RuntimeError
            For an unknown key, a name of another namespace, an existing kernel unless
            `allow_override`, and the key ``"Meta"`` of a composite operator.
        NotImplementedError
            If the kernel of an ``aten`` operator cannot be replaced for that key.
        """
        if not callable(fn):
            raise TypeError(
                f"Input function is required to be a callable but found type {type(fn)}"
            )
        given = op_name.name() if isinstance(op_name, OpOverload) else op_name
        if not isinstance(given, str):
            raise RuntimeError(
                "impl should be passed either a name or an OpOverload object as the first argument, got "
                f"{type(op_name)}"
            )
        name = given if "::" in given else f"{self.ns}::{given}"
        own_key = dispatch_key or self.dispatch_key
        short = name.partition("::")[2]
        if not allow_override and f"{self.ns}/{short}/{own_key}" in _impls:
            raise RuntimeError(
                f"This is not allowed since there's already a kernel registered from python overriding {short}'s "
                f"behavior for {own_key} dispatch key and {self.ns} namespace."
            )
        if own_key == "Meta":
            _check_not_composed(name, given)
        self._check_alive()
        if dispatch_key and self.dispatch_key and dispatch_key != self.dispatch_key:
            raise RuntimeError(
                f'impl("{op_name}", ...): Explicitly provided dispatch key ({dispatch_key}) is inconsistent with the '
                f"dispatch key of the enclosing TORCH_LIBRARY_{self.kind} block ({self.dispatch_key}).  Please declare "
                "a separate TORCH_LIBRARY_IMPL block for this dispatch key and move your impl() there."
            )
        key = own_key or "CompositeImplicitAutograd"
        _parsed(key)
        if name.partition("::")[0] != self.ns:
            raise RuntimeError(
                f'impl("{name}", ...): Explicitly provided namespace ({name.partition("::")[0]}) in operator name '
                f"does not match namespace of enclosing TORCH_LIBRARY_{self.kind} block ({self.ns}).  Move this "
                f"definition to the TORCH_LIBRARY_{self.kind} block corresponding to this namespace (and consider "
                "deleting the namespace from your schema string.)"
            )
        if with_keyset:
            fn = _with_keys(fn, key, name)
        if self.ns == "aten" and is_defined(name):
            self._replace(name, key, fn)
        else:
            _set(kernels_of(name), key, fn, self)
        self._add_impl(short, own_key)

    def _add_impl(self, operator, key):
        self._op_impls.add(f"{self.ns}/{operator}/{key}")
        _impls.add(f"{self.ns}/{operator}/{key}")

    def _replace(self, name, key, fn):
        overload = find_overload(name)
        if not _is_replaceable(overload, key):
            raise NotImplementedError(f"Library.impl of PyTorch's own operator {name} for {key}")
        self._registration_handles.append(_replace(overload, key, fn))

    def fallback(self, fn, dispatch_key="", *, with_keyset=False):
        """Register a kernel for all operators of a key; it receives the operator first.

        Parameters
        ----------
        fn : callable
        dispatch_key : str
            A key that tensors do not have by themselves and that the program includes on its
            thread.
        with_keyset : bool, default False
            Whether `fn` receives the call's dispatch key set before the operator.

        Raises
        ------
        RuntimeError
            If this library's namespace is not ``"_"``, which means all operators; for an unknown
            key, or one that already has a fallback.
        NotImplementedError
            For a key that tensors have.
        """
        if self.ns != "_":
            raise RuntimeError(
                'Fallback can only be registered using library fragment on the global namespace "_" but it is '
                f"{self.ns}"
            )
        key = dispatch_key or self.dispatch_key
        if not key:
            raise AssertionError("dispatch_key must not be empty for fallback")
        self._check_alive()
        if not _parsed(key).startswith("TESTING_ONLY"):
            raise NotImplementedError(f"Library.fallback for {key}")
        if fn is not fallthrough_kernel:
            kernel = _with_keys(fn, key) if with_keyset else fn
            self._registration_handles.append(_replace(None, key, kernel))

    def _register_fake(self, op_name, fn, _stacklevel=1, *, allow_override=True):
        name = f"{self.ns}::{op_name}"
        kernels = kernels_of(name)
        if not allow_override:
            _check_no_fake(name, kernels)
        _check_not_composed(name, name)
        _set_rule(kernels, "fake", fn, self)
        caller = sys._getframe(_stacklevel)
        _set_rule(kernels, "fake_source", f"{caller.f_code.co_filename}:{caller.f_lineno}", self)

    def _check_alive(self):
        if self.m is None:
            raise AssertionError("Library object has been destroyed")

    def _destroy(self):
        self._finalizer.detach()
        _forget(self._registration_handles, _impls, self._op_impls)
        self.m = None


class _Registrations:
    """Handle to the registrations of a library; a program may delete it before the library."""

    def __init__(self, handles):
        self._handles = handles

    def reset(self):
        """Undo all registrations."""
        _undo(self._handles)


# all registrations of this program's libraries, as "namespace/operator/key"
_impls: set = set()


def _with_keys(fn, key, name=None):
    """Wrap a kernel so that it receives the call's keys first; a fallback has no `name`."""

    def kernel(*args, **kwargs):
        names = _names_of_call(name or args[0].name(), (args, kwargs))
        return fn(_DispatchKeySet._of(names) & _up_to(key), *args, **kwargs)

    return kernel


def _check_not_composed(name, given):
    """Raise if an operator does not exist or is composite, so that it cannot have a meta kernel."""
    if not is_defined(name) and not kernels_of(name):
        raise RuntimeError(f"operator {name} does not exist")
    if is_defined(name) and has_kernel_for(name, "CompositeImplicitAutograd"):
        raise RuntimeError(
            f"We should not register a meta kernel directly to the operator '{given}', because it has a "
            "CompositeImplicitAutograd kernel in core. Instead we should let the operator decompose, and ensure "
            "that we have meta kernels for the base ops that it decomposes into."
        )


def _check_no_fake(name, kernels):
    """Raise if an operator already has a fake implementation."""
    title = f"register_fake(...): the operator {name} already has"
    if kernels.fake is not None:
        raise RuntimeError(f"{title} a fake impl registered at {kernels.fake_source}.")
    if "Meta" in kernels:
        raise RuntimeError(
            f"{title} a DispatchKey::Meta implementation via a pre-existing torch.library or TORCH_LIBRARY "
            "registration. Please either remove that registration or don't call register_fake."
        )
    if "CompositeImplicitAutograd" in kernels:
        raise RuntimeError(
            f"{title} an implementation for this device type via a pre-existing registration to "
            "DispatchKey::CompositeImplicitAutograd.CompositeImplicitAutograd operators do not need a fake impl; "
            "instead, the operator will decompose into its constituents and those can have fake impls defined on "
            "them."
        )


def _forget(handles, impls, own):
    """Undo a library's registrations."""
    impls -= own
    _undo(handles)


def _undo(handles):
    while handles:
        handles.pop()()


def _set(kernels, key, fn, library):
    """Register a kernel; undoing the registration restores the previous kernel."""
    before = kernels.get(key)
    kernels[key] = fn

    def undo():
        if kernels.get(key) is fn:
            if before is None:
                del kernels[key]
            else:
                kernels[key] = before

    library._registration_handles.append(undo)


def _set_rule(kernels, name, value, library):
    before = getattr(kernels, name)
    setattr(kernels, name, value)
    if library is not None:
        library._registration_handles.append(lambda: setattr(kernels, name, before))


@contextlib.contextmanager
def _scoped_library(*args, **kwargs):
    """Create a `Library` that is destroyed at the end of a ``with`` block."""
    library = Library(*args, **kwargs)
    try:
        yield library
    finally:
        library._destroy()


_kept: list = []  # libraries of permanent registrations


def _library(namespace, lib):
    if lib is not None:
        return lib
    library = Library(namespace, "FRAGMENT")
    _kept.append(library)
    return library


# ---- functions for single definitions and registrations


def define(qualname, schema, alias_analysis="", *, lib=None, tags=()):
    """Define an operator: ``define("namespace::name", "(Tensor x) -> Tensor")``.

    With a `Library` and a schema as arguments, return a decorator that also registers the kernel.

    Parameters
    ----------
    qualname : str or Library
        The name, or a library.
    schema : str
        The types of the arguments and the results; with a library, the name too.
    alias_analysis : str, default ""
        Used only with a library.
    lib : Library, optional
        The library that keeps the definition; by default it lasts for the whole program.
    tags : Tag or sequence of Tag, optional
        What is known of the operator.

    Returns
    -------
    callable or None
        The decorator, with a library.

    Raises
    ------
    ValueError
        If the name or schema does not have this form.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.library.define("docs::plus_one", "(Tensor x) -> Tensor")
    >>> torch.library.impl("docs::plus_one", "cpu", lambda x: x + 1)
    >>> torch.ops.docs.plus_one(torch.zeros(2))
    tensor([1., 1.])
    """
    if isinstance(qualname, Library):
        library = qualname

        def decorate(f):
            name = library.define(schema, alias_analysis, tags=tags)
            library.impl(name, f)
            return f

        return decorate
    if not isinstance(qualname, str):
        raise ValueError(
            f"define(qualname, schema): expected qualname to be instance of str, got {type(qualname)}"
        )
    namespace, name = _qualified(qualname)
    if not re.match(r"\(.*\) -> .*", schema):
        raise ValueError(
            'define(qualname, schema, ...): expected schema to look like e.g. "(Tensor x) -> Tensor" but got '
            f'"{schema}"'
        )
    _library(namespace, lib).define(name + schema, alias_analysis="", tags=tags)
    return None


def _qualified(qualname):
    parts = qualname.split("::")
    if len(parts) != 2:
        raise ValueError(
            f'Expected `qualname` to be of the form "namespace::name", but got {qualname}. The qualname passed to '
            "the torch.library APIs must consist of a namespace and a name, e.g. aten::sin"
        )
    return parts


def impl(qualname, types, func=None, *, lib=None):
    """Register a kernel for some device types; without `func`, return a decorator.

    With a `Library`, a name and a dispatch key as arguments, return a decorator that registers for
    that key.

    Parameters
    ----------
    qualname : str or Library
        The name, or a library.
    types : str or sequence of str
        Kinds of devices, or ``"default"`` for all of them; the name of the operator, with a
        library.
    func : callable, optional
        The kernel; the dispatch key, with a library.
    lib : Library, optional
        The library that keeps the registration; by default it lasts for the whole program.

    Returns
    -------
    callable or None
        A decorator, if `func` is left out or with a library.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.library.define("docs::plus_two", "(Tensor x) -> Tensor")
    >>> torch.library.impl("docs::plus_two", "cpu", lambda x: x + 2)
    >>> torch.ops.docs.plus_two(torch.zeros(2))
    tensor([2., 2.])
    """
    if isinstance(qualname, Library):
        return functools.partial(_impl_of_library, qualname, types, func or "")
    keys = {key_of_device(kind) for kind in devices(types)}
    namespace, _ = _qualified(qualname)

    def register(func):
        library = _library(namespace, lib)
        for key in sorted(keys):
            library.impl(qualname, func, key)

    if func is None:
        return register
    register(func)
    return None


def _impl_of_library(library, name, key, func):
    library.impl(name, func, key)
    return func


def _resolved(op, function):
    """Return the `CustomOpDef` that `op` is or names, or else the operator's name."""
    if not isinstance(op, (str, OpOverload, CustomOpDef)):
        raise ValueError(f"{function}({op}): got unexpected type for op: {type(op)}")
    if isinstance(op, CustomOpDef):
        return op
    name = op.name() if isinstance(op, OpOverload) else op
    return custom_ops.get(name, name)


def register_kernel(op, device_types, func=None, /, *, lib=None):
    """Register a kernel for some device types; without `func`, return a decorator.

    Parameters
    ----------
    op : str, OpOverload or CustomOpDef
        The operator, or its name ``namespace::name``.
    device_types : str, sequence of str or None
        Kinds of devices; None stands for all of them.
    func : callable, optional
        The function.
    lib : Library, optional
        The library that keeps the registration; by default it lasts for the whole program.

    Returns
    -------
    callable or None
        A decorator, if `func` is left out.

    Examples
    --------
    >>> import minitorch as torch
    >>> @torch.library.custom_op("docs::sine_e", mutates_args=())
    ... def sine_e(x: torch.Tensor) -> torch.Tensor:
    ...     return x.sin()
    >>> @torch.library.register_kernel("docs::sine_e", "cpu")
    ... def kernel(x):
    ...     return x.sin() + 1
    >>> sine_e(torch.zeros(1))
    tensor([1.])
    """
    op = _resolved(op, "register_kernel")
    if isinstance(op, CustomOpDef):
        return op.register_kernel(device_types, func) if func else op.register_kernel(device_types)
    return impl(op, "default" if device_types is None else device_types, func, lib=lib)


def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=True):
    """Register a function that returns results without data; without `func`, return a decorator.

    Parameters
    ----------
    op : str, OpOverload or CustomOpDef
        The operator, or its name ``namespace::name``.
    func : callable, optional
        The function.
    lib : Library, optional
        The library that keeps the registration; by default it lasts for the whole program.
    allow_override : bool, default True
        Whether to replace an earlier function.

    Returns
    -------
    callable
        `func`, or a decorator if it is left out.

    Raises
    ------
    RuntimeError
        For a composite operator, or one with a fake implementation unless `allow_override`.

    Examples
    --------
    >>> import minitorch as torch
    >>> @torch.library.custom_op("docs::sine_b", mutates_args=())
    ... def sine_b(x: torch.Tensor) -> torch.Tensor:
    ...     return x.sin()
    >>> @torch.library.register_fake("docs::sine_b")
    ... def of_shape(x):
    ...     return torch.empty_like(x)
    >>> sine_b(torch.ones(2, device="meta")).shape
    torch.Size([2])
    """
    op = _resolved(op, "register_fake")
    if isinstance(op, CustomOpDef):
        return op.register_fake if func is None else op.register_fake(func)

    def register(func):
        namespace, name = _qualified(op)
        _library(namespace, lib)._register_fake(
            name, func, _stacklevel + 1, allow_override=allow_override
        )
        return func

    if func is None:
        return register
    _stacklevel += 1
    return register(func)


impl_abstract = register_fake


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    """Register an operator's derivative, see `CustomOpDef.register_autograd`.

    Parameters
    ----------
    op : str, OpOverload or CustomOpDef
        The operator, or its name ``namespace::name``.
    backward : callable
        A function of a context and the gradients of the results; it returns the gradients of the
        arguments.
    setup_context : callable, optional
        A function of the context, the arguments and the result, which keeps what `backward` needs.
    lib : Library, optional
        The library that keeps the registration; by default it lasts for the whole program.

    Raises
    ------
    RuntimeError
        If the operator mutates an argument or returns an alias of one.

    Examples
    --------
    >>> import minitorch as torch
    >>> @torch.library.custom_op("docs::sine_d", mutates_args=())
    ... def sine_d(x: torch.Tensor) -> torch.Tensor:
    ...     return x.sin()
    >>> def setup(ctx, inputs, output):
    ...     ctx.save_for_backward(*inputs)
    >>> def backward(ctx, grad):
    ...     (x,) = ctx.saved_tensors
    ...     return grad * x.cos()
    >>> torch.library.register_autograd("docs::sine_d", backward, setup_context=setup)
    >>> x = torch.zeros(1, requires_grad=True)
    >>> sine_d(x).backward()
    >>> x.grad
    tensor([1.])
    """
    op = _resolved(op, "register_autograd")
    if isinstance(op, CustomOpDef):
        op.register_autograd(backward, setup_context=setup_context)
        return
    overload = find_overload(op)
    check_functional(overload)
    _check_by_place(overload, "register_autograd")
    if overload._kernels is None:
        raise NotImplementedError(f"register_autograd of PyTorch's own operator {overload}")
    _set_rule(overload._kernels, "formula", _Formula(backward, setup_context), lib)


def _check_by_place(overload, function):
    if has_tensors_by_name(overload._schema):
        raise NotImplementedError(
            f"{function} with kwarg-only Tensor args. In the original definition of the op, please make your "
            f"tensors not kwarg-only. Got: {overload._schema}"
        )


def register_vmap(op, func=None, /, *, lib=None):
    """Register an operator's `vmap` rule, see `CustomOpDef.register_vmap`.

    Without `func`, return a decorator.

    Parameters
    ----------
    op : str, OpOverload or CustomOpDef
        The operator, or its name ``namespace::name``.
    func : callable, optional
        A function of an object with `batch_size`, a tuple of the batch dimensions, and the
        arguments; it returns the result and its batch dimension.
    lib : Library, optional
        The library that keeps the registration; by default it lasts for the whole program.

    Returns
    -------
    callable or None
        A decorator, if `func` is left out.

    Examples
    --------
    >>> import minitorch as torch
    >>> @torch.library.custom_op("docs::sine_f", mutates_args=())
    ... def sine_f(x: torch.Tensor) -> torch.Tensor:
    ...     return x.sin()
    >>> @torch.library.register_vmap("docs::sine_f")
    ... def batched(info, in_dims, x):
    ...     return sine_f(x), in_dims[0]
    >>> torch.vmap(sine_f)(torch.zeros(2))
    tensor([0., 0.])
    """
    op = _resolved(op, "register_vmap")
    if isinstance(op, CustomOpDef):
        return op.register_vmap(func)
    overload = find_overload(op)
    _check_by_place(overload, "register_vmap")

    def register(func):
        _set_rule(overload._kernels, "batched", func, lib)
        return func

    if func is None:
        return register
    register(func)
    return None


def register_torch_dispatch(op, torch_dispatch_class, func=None, /, *, lib=None):
    """Register what a class or mode with ``__torch_dispatch__`` computes for an operator.

    Without `func`, return a decorator.

    Parameters
    ----------
    op : str, OpOverload or CustomOpDef
        The operator, or its name ``namespace::name``.
    torch_dispatch_class : type
        The class or the mode.
    func : callable, optional
        A function of a mode or a class, the operator, the types, args and kwargs.
    lib : Library, optional
        The library that keeps the registration; by default it lasts for the whole program.

    Returns
    -------
    callable or None
        A decorator, if `func` is left out.

    Examples
    --------
    >>> import minitorch as torch
    >>> @torch.library.custom_op("docs::sine_g", mutates_args=())
    ... def sine_g(x: torch.Tensor) -> torch.Tensor:
    ...     return x.sin()
    >>> from minitorch.utils._python_dispatch import TorchDispatchMode
    >>> class Negate(TorchDispatchMode):
    ...     pass
    >>> @torch.library.register_torch_dispatch("docs::sine_g", Negate)
    ... def negated(mode, func, types, args=(), kwargs=None):
    ...     return -args[0]
    >>> x = torch.ones(1)
    >>> with Negate():
    ...     y = sine_g(x)
    >>> y
    tensor([-1.])
    """
    op = _resolved(op, "register_torch_dispatch")
    if isinstance(op, CustomOpDef):
        return op.register_torch_dispatch(torch_dispatch_class, func)
    _qualified(op)
    rules = kernels_of(op).dispatch_rules

    def register(func):
        if torch_dispatch_class in rules:
            raise RuntimeError(
                f"{torch_dispatch_class} already has a `__torch_dispatch__` rule registered for {op}"
            )
        rules[torch_dispatch_class] = func
        if lib is not None:
            lib._registration_handles.append(lambda: rules.pop(torch_dispatch_class, None))
        return func

    return register if func is None else register(func)


def register_autocast(op, device_type, cast_inputs, /, *, lib=None):
    """Cast an operator's floating-point arguments to `cast_inputs` under autocast.

    Parameters
    ----------
    op : str, OpOverload or CustomOpDef
        The operator, or its name ``namespace::name``.
    device_type : str
        Such as ``"cpu"``.
    cast_inputs : dtype
        The dtype of the arguments.
    lib : Library, optional
        The library that keeps the registration; by default it lasts for the whole program.

    Examples
    --------
    >>> import minitorch as torch
    >>> @torch.library.custom_op("docs::sine_c", mutates_args=())
    ... def sine_c(x: torch.Tensor) -> torch.Tensor:
    ...     return x.sin()
    >>> torch.library.register_autocast("docs::sine_c", "cpu", torch.bfloat16)
    >>> with torch.autocast("cpu"):
    ...     sine_c(torch.zeros(1)).dtype
    torch.bfloat16
    """
    op = _resolved(op, "register_autocast")
    check_autocast(device_type)
    if isinstance(op, CustomOpDef):
        op.register_autocast(device_type, cast_inputs)
        return
    _set_rule(find_overload(op)._kernels, "autocast", (device_type, cast_inputs, False), lib)


def get_kernel(op, dispatch_key):
    """Return an operator's current kernel for a key.

    The kernel's method `call_boxed` takes a `DispatchKeySet` before the arguments.

    Parameters
    ----------
    op : str or OpOverload
        The operator, or its name.
    dispatch_key : str or DispatchKey
        The key, such as ``"CPU"``.

    Returns
    -------
    object
        The kernel, with the method `call_boxed`.

    Raises
    ------
    ValueError
        If `op` is neither a name nor an overload, or there is no such key.
    RuntimeError
        If the operator is not defined, or has no such kernel.

    Examples
    --------
    >>> import minitorch as torch
    >>> kernel = torch.library.get_kernel("aten::neg", "CPU")
    >>> kernel.call_boxed(torch._C.DispatchKeySet("CPU"), torch.ones(2))
    tensor([-1., -1.])
    """
    if not isinstance(op, (str, OpOverload)):
        raise ValueError(f"get_kernel({op}): got unexpected type for op: {type(op)}")
    if isinstance(dispatch_key, str) and dispatch_key not in _DispatchKey.__members__:
        raise ValueError(f"Invalid dispatch key: {dispatch_key}")
    if isinstance(op, str) and not is_defined(op):
        raise RuntimeError(f"operator {op} does not exist")
    return _SafeKernelFunction(find_overload(op), dispatch_key)


def triton_op(name, fn=None, /, *, mutates_args, schema=None):
    """Define an operator whose function calls Triton kernels.

    The operator is a `custom_op` whose function is also its fake implementation.

    Parameters
    ----------
    name : str
        ``namespace::name``.
    fn : callable, optional
        The function; a decorator is returned without it.
    mutates_args : sequence of str
        The arguments that the function writes into.
    schema : str, optional
        Ignored: the schema is inferred from the function's annotations.

    Returns
    -------
    callable
        The operator, or a decorator if `fn` is left out.

    Examples
    --------
    >>> import minitorch
    >>> from minitorch.library import triton_op
    >>> @triton_op("example::twice", mutates_args={})
    ... def twice(x: minitorch.Tensor) -> minitorch.Tensor:
    ...     return x * 2
    >>> twice(minitorch.ones(2))
    tensor([2., 2.])
    """
    if fn is None:
        return functools.partial(triton_op, name, mutates_args=mutates_args, schema=schema)
    signature = infer_schema(fn, mutates_args=mutates_args)
    operator = custom_op(name, fn, mutates_args=mutates_args, schema=signature)
    operator.register_fake(fn)
    return operator


def wrap_triton(triton_kernel, /):
    """Raise NotImplementedError: Triton kernels are not supported.

    Parameters
    ----------
    triton_kernel : object
        The kernel.

    Raises
    ------
    NotImplementedError

    Examples
    --------
    >>> import minitorch as torch
    >>> try:
    ...     torch.library.wrap_triton(None)
    ... except NotImplementedError as error:
    ...     print(type(error).__name__)
    NotImplementedError
    """
    raise NotImplementedError("torch.library.wrap_triton")
