"""`custom_op`, which makes an operator from a function, and the `CustomOpDef` it returns."""

import contextlib
import functools
import inspect
import logging
import operator
import warnings
import weakref

from minitorch._dispatch.custom import (
    DispatchKey,
    check_namespace,
    define,
    forget,
    parse_schema,
)
from minitorch._dispatch.custom_gradients import Formula
from minitorch._dispatch.infer_schema import infer_schema
from minitorch._dispatch.kernels import kernels_of
from minitorch._dispatch.operators import Tag, tag_list
from minitorch._dispatch.operators import custom as _packets
from minitorch._dispatch.tag_checks import check_tags
from minitorch._tensor import Tensor
from minitorch.amp.autocast_mode import is_autocast_available
from minitorch.autograd.inplace import _increment_version
from minitorch.core.types import device as _device
from minitorch.tensors.gradient_checks import value_outside
from minitorch.utils._pytree import tree_leaves

_log = logging.getLogger(__name__)
KEYS_OF_DEVICES = {
    "default": "CompositeExplicitAutograd",
    "cpu": "CPU",
    "cuda": "CUDA",
    "meta": "Meta",
}


def key_of_device(device_type):
    """Return the dispatch key of a device type, of ``"default"`` or of a dispatch key."""
    if device_type in DispatchKey.__members__:
        return device_type
    if device_type in KEYS_OF_DEVICES:
        return KEYS_OF_DEVICES[device_type]
    return _device(device_type).type.upper()


def devices(device_types):
    """Return device types as a tuple; None becomes ``("default",)``."""
    if device_types is None:
        return ("default",)
    return (device_types,) if isinstance(device_types, str) else tuple(device_types)


def find_overload(op):
    """Return the overload given by a name, an overload or a `CustomOpDef`."""
    if isinstance(op, CustomOpDef):
        return op._opoverload
    if not isinstance(op, str):
        return op
    from minitorch._dispatch.operators import ops

    namespace, _, name = op.partition("::")
    name, _, overload = name.partition(".")
    return getattr(getattr(getattr(ops, namespace), name), overload or "default")


def _address(tensor):
    """Return the address of a tensor's storage, or of its value's storage inside a transform."""
    return value_outside(tensor).untyped_storage().data_ptr()


custom_ops: weakref.WeakValueDictionary = weakref.WeakValueDictionary()  # by "namespace::name"


class CustomOpDef:
    """Operator made by `custom_op`, called like its function.

    Parameters
    ----------
    namespace, name, schema : str
    fn : callable
    tags : sequence of Tag, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> @torch.library.custom_op("docs::sine_a", mutates_args=())
    ... def sine_a(x: torch.Tensor) -> torch.Tensor:
    ...     return x.sin()
    >>> type(sine_a).__name__
    'CustomOpDef'
    >>> sine_a(torch.zeros(1))
    tensor([0.])
    """

    def __init__(self, namespace, name, schema, fn, tags=None):
        self._namespace, self._name, self._schema = namespace, name, schema
        self._init_fn = fn
        self._tags = tag_list(tags)
        self._backend_fns = {}
        self._abstract_fn = self._setup_context_fn = self._backward_fn = self._vmap_fn = None
        self._torch_dispatch_fns = {}
        self._disabled_kernel = set()
        self._autocast_dtype = {}
        check_namespace(namespace)
        if has_tensors_by_name(parse_schema(name + schema)) and Tag.out not in self._tags:
            raise NotImplementedError(
                "custom_op with kwarg-only Tensor args. Please make your tensors not kwarg-only. Got: "
                f"{name}{schema}"
            )
        check_tags(name + schema, self._tags)
        known = _packets.get((namespace, name))
        if known is not None and "default" in known._overloads:
            forget(known.default)
            kernels_of(f"{namespace}::{name}").reset()
        self._opoverload = define(namespace, name + schema, [*self._tags, Tag.pt2_compliant_tag])
        self._kernels.formula = Formula()
        self._kernels.explain = self._explain
        self._kernels.fake = self._fake_of_written()
        custom_ops[self._qualname] = self

    def _fake_of_written(self):
        """Return the fake kernel of an operator that returns what it writes to; None for others."""
        schema = self._opoverload._schema
        if self._is_inplace:
            return _first
        if self._is_out or schema.is_mutable and not schema.returns:
            names = [a.name for a in schema.arguments if a.is_write] if schema.returns else []
            return functools.partial(_named, names)
        return None

    @property
    def _is_inplace(self):
        return Tag.inplace in self._tags

    @property
    def _is_out(self):
        return Tag.out in self._tags

    @property
    def _kernels(self):
        return self._opoverload._kernels

    @property
    def _qualname(self):
        return f"{self._namespace}::{self._name}"

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"

    def __call__(self, *args, **kwargs):
        return self._opoverload(*args, **kwargs)

    def _explain(self, key):
        if self._kernels.device_argument is not None:
            raise RuntimeError(
                f"{self._name} does not have a kernel registered for {key.lower()}. Please use register_kernel to do "
                "so."
            )
        if key == "Meta":
            raise RuntimeError(
                f"There was no fake impl registered for {self}. This is necessary for torch.compile/export/fx "
                f"tracing to work. Please use `{self._init_fn.__name__}.register_fake` to add an fake impl."
            )

    def register_kernel(self, device_types, fn=None, /):
        """Register a kernel for some device types, or return a decorator if `fn` is None.

        Raises
        ------
        ValueError
            The operator has neither tensor arguments nor a required device argument.
        """
        if device_types is not None and not self._has_tensors:
            self._select_by_device()

        def inner(fn):
            for device in devices(device_types):
                self._backend_fns[None if device == "default" else device] = fn
                self._kernels[key_of_device(device)] = self._kernel(device, fn)
            return fn

        return inner if fn is None else inner(fn)

    @property
    def _has_tensors(self):
        return any(a.kind == "Tensor" for a in self._opoverload._schema.arguments)

    def _select_by_device(self):
        """Select the kernel by the first required argument that is a device."""
        arguments = self._opoverload._schema.arguments
        names = [a.name for a in arguments if a.kind == "Device" and not a.is_optional]
        if not names:
            raise ValueError(
                "Functions without tensor inputs are required to have a `device: torch.device` argument"
            )
        self._kernels.device_argument = names[0]

    def _kernel(self, device, fn):
        def kernel(*args, **kwargs):
            if device in self._disabled_kernel:
                return self._init_fn(*args, **kwargs)
            before = [t for t in tree_leaves((args, kwargs)) if isinstance(t, Tensor)]
            versions = {id(t): t._version for t in before if not t.is_inference()}
            result = fn(*args, **kwargs)
            self._check_returned(args, kwargs, before, result)
            self._count_writes(args, kwargs, versions)
            return result

        return kernel

    def _check_returned(self, args, kwargs, tensors, result):
        title = f"{self._name} (with implementation in {inspect.getmodule(self._init_fn)}):"
        if self._is_inplace:
            if result is not args[0]:
                raise RuntimeError(
                    f"{title} An operator tagged with torch.Tag.inplace must return its first argument."
                )
        elif self._is_out:
            written = [kwargs[a.name] for a in self._opoverload._schema.arguments if a.is_write]
            given = result if isinstance(result, tuple) else (result,)
            if len(given) != len(written) or any(map(operator.is_not, given, written)):
                raise RuntimeError(
                    f"{title} An operator tagged with torch.Tag.out must return its mutable keyword-only arguments."
                )
        elif not self._opoverload.is_view:
            self._check_aliases(title, tensors, result)

    def _check_aliases(self, title, inputs, result):
        memory = {_address(t) for t in inputs if t.numel()}
        for t in tree_leaves(result):
            if isinstance(t, Tensor) and t.numel():
                if _address(t) in memory or any(t is other for other in inputs):
                    raise RuntimeError(
                        f"{title} The output of this custom operator (1) must not also be an input to this custom "
                        "operator and (2) may not alias any inputs to this custom operator or other returns. The "
                        "most common way to trigger this error is if we have y = custom_op(x) and y and x are the "
                        "same Tensor. Please instead return a clone of the offending output tensor(s) (e.g. return "
                        "x.clone()) or refactor the custom operator to not return y."
                    )
                memory.add(_address(t))

    def _count_writes(self, args, kwargs, versions):
        schema = self._opoverload._schema
        for name, value in schema.bind(args, kwargs).items():
            if any(a.name == name and a.is_write for a in schema.arguments):
                for t in tree_leaves(value):
                    if isinstance(t, Tensor) and id(t) in versions:
                        _increment_version(t)

    def register_fake(self, fn, /):
        """Register the fake kernel, which computes results without data."""
        if self._is_inplace or self._is_out:
            warnings.warn(
                f"The fake registration for {self} is unnecessary. Custom ops tagged with torch.Tag."
                f"{'inplace' if self._is_inplace else 'out'} already get an autogenerated fake kernel. The provided "
                "fake impl will be used instead.",
                stacklevel=2,
            )
        self._abstract_fn = self._kernels.fake = fn
        return fn

    def register_autograd(self, backward, /, *, setup_context=None):
        """Register the derivative of the operator.

        Parameters
        ----------
        backward : callable
            ``backward(ctx, *grads)`` returns a gradient or None for each argument.
        setup_context : callable, optional
            ``setup_context(ctx, inputs, output)`` saves what `backward` needs; an operator with
            keyword-only arguments passes ``keyword_only_inputs`` as well.

        Raises
        ------
        RuntimeError
            The operator writes to an argument, returns nothing or returns views of several tensors.
        """
        check_functional(self._opoverload, self, may_be_view=True)
        self._backward_fn, self._setup_context_fn = backward, setup_context
        self._kernels.formula = Formula(backward, setup_context)

    def register_vmap(self, func=None):
        """Register the batching rule ``func(info, in_dims, *args) -> (output, out_dims)``."""

        def register(func):
            self._vmap_fn = self._kernels.batched = func
            return func

        return register if func is None else register(func)

    def register_torch_dispatch(self, torch_dispatch_class, fn=None, /):
        """Register how a class or mode with ``__torch_dispatch__`` computes the operator."""

        def register(fn):
            self._torch_dispatch_fns[torch_dispatch_class] = fn
            self._kernels.dispatch_rules[torch_dispatch_class] = fn
            return fn

        return register if fn is None else register(fn)

    def register_autocast(self, device_type, cast_inputs):
        """Cast floating-point arguments to `cast_inputs` under autocast for `device_type`."""
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        check_autocast(device_type)
        self._autocast_dtype[device_type] = cast_inputs
        self._kernels.autocast = (device_type, cast_inputs, True)

    @contextlib.contextmanager
    def set_kernel_enabled(self, device_type, enabled=True):
        """Enable or disable a device's kernel in the block; a disabled one runs the function."""
        before = set(self._disabled_kernel)
        if device_type not in self._backend_fns:
            _log.warning(
                "Attempted to %s kernel for %s but no kernel was registered for this device type.",
                "enable" if enabled else "disable",
                device_type,
            )
        if not enabled and device_type in before:
            _log.warning(
                "Attempted to disable kernel for %s but it was already disabled.", device_type
            )
        if enabled and device_type not in before:
            _log.warning(
                "Attempted to enable kernel for  %s but it was already enabled.", device_type
            )
        (self._disabled_kernel.discard if enabled else self._disabled_kernel.add)(device_type)
        try:
            yield
        finally:
            self._disabled_kernel.clear()
            self._disabled_kernel.update(before)


def _first(*args, **kwargs):
    """Return the first argument: the fake kernel of an in-place operator."""
    return args[0]


def _named(names, *args, **kwargs):
    """Return the arguments `names`, or None: a fake kernel that computes nothing."""
    found = tuple(kwargs[name] for name in names)
    return found if len(found) > 1 else next(iter(found), None)


def has_tensors_by_name(schema):
    """Return whether a schema has keyword-only tensors."""
    return any(a.kwarg_only and a.kind == "Tensor" for a in schema.arguments)


def check_autocast(device_type):
    """Raise ValueError if a device type has no autocast."""
    if not is_autocast_available(device_type):
        raise ValueError(f"Device type '{device_type}' does not support autocast.")


def check_functional(overload, shown=None, may_be_view=False):
    """Raise RuntimeError if an operator is not functional, so that it cannot have a derivative.

    With `may_be_view`, an operator with one tensor argument may return one view of it.
    """
    schema = overload._schema
    if Tag.out in overload.tags:
        raise RuntimeError(
            f"Cannot register autograd formula for operator tagged with torch.Tag.out: {shown or overload}. Out "
            "variants do not support autograd."
        )
    if not is_functional(schema, may_be_view):
        raise RuntimeError(
            f"Cannot register autograd formula for non-functional operator {shown or overload} with schema "
            f"{schema}. Please create a functional operator and register an autograd formula for that."
        )


def is_functional(schema, may_be_view=False):
    """Return whether an operator writes to no argument and returns results in new memory.

    With `may_be_view`, an operator with one tensor argument may return one view of it.
    """
    if schema.is_mutable or not schema.returns:
        return False
    if all(r.alias_info is None for r in schema.returns):
        return True
    counts = [
        sum(a.type in ("Tensor", "Optional[Tensor]") for a in group)
        for group in (schema.arguments, schema.returns)
    ]
    return may_be_view and counts == [1, 1]


def custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None, tags=None):
    """Make the operator ``torch.ops.namespace.name`` from a function.

    Autograd, modes and transforms see a call of it as one step.

    Parameters
    ----------
    name : str
        ``"namespace::name"``.
    fn : callable, optional
        Computes the result; annotated unless `schema` is given. Without `fn`, return a decorator.
    mutates_args : iterable of str, or ``"unknown"``
        The names of the arguments that `fn` writes to.
    device_types : str or sequence of str, optional
        The device types for which `fn` is the kernel. Default: all.
    schema : str, optional
        Replaces the annotations, as in ``"(Tensor x, int n) -> Tensor"``.
    tags : Tag or sequence of Tag, optional
        ``Tag.inplace`` or ``Tag.out``: the operator returns the arguments it writes to.

    Returns
    -------
    CustomOpDef

    Raises
    ------
    ValueError
        The name has another form, or an annotation has no type in a schema.

    Examples
    --------
    >>> import minitorch as torch
    >>> @torch.library.custom_op("readme::double", mutates_args=())
    ... def double(x: torch.Tensor) -> torch.Tensor:
    ...     return x * 2
    >>> double.register_autograd(lambda ctx, grad: grad * 2)
    >>> x = torch.ones(2, requires_grad=True)
    >>> double(x).sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """

    def inner(fn):
        text = infer_schema(fn, mutates_args=mutates_args, tags=tags) if schema is None else schema
        namespace, opname = name.split("::")
        result = CustomOpDef(namespace, opname, text, fn, tags)
        if schema is not None:
            _check_consistent(result._opoverload._schema, schema, mutates_args)
        result.register_kernel(device_types)(fn)
        return result

    return inner if fn is None else inner(fn)


def _check_consistent(parsed, schema, mutates_args):
    written = {argument.name for argument in parsed.arguments if argument.is_write}
    if written != set(mutates_args):
        raise ValueError(
            f"Attempted to create a custom op with `mutates_args={mutates_args}` and `schema={schema}. The "
            f"schema suggests that the op mutates {written}which is different from what was provided to us in "
            "`mutates_args`. Please make these consistent."
        )


__all__ = [
    "CustomOpDef",
    "check_autocast",
    "check_functional",
    "custom_op",
    "custom_ops",
    "devices",
    "find_overload",
    "has_tensors_by_name",
    "is_functional",
    "key_of_device",
]
