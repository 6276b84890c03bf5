"""Custom operators: definition, and dispatch of a call to what the program registered.

A call goes through these steps, each of which may compute the result:

1. ``__torch_function__`` of its arguments and of modes;
2. kernels for keys that the program has included on its thread (key_sets.py);
3. `vmap`: the program's batching rule, or one call for each sample;
4. autograd: a kernel for ``Autograd``, a ``CompositeImplicitAutograd`` kernel, or a `Formula`;
   without any of these, a backward pass through the results emits a warning;
5. kernels for writes and views, zeros, lazy negatives and conjugates;
6. ``__torch_dispatch__`` of its arguments and of modes;
7. the kernel of the backend.

Nothing is recorded after step 4 (Note [The mode that is shown]); calls made there start at step 5.
"""

import re

from minitorch._dispatch import modes, overloads, replacements
from minitorch._dispatch.argument_values import WRONG, converted, wrong_type
from minitorch._dispatch.custom_gradients import fallback_mode, warn_later
from minitorch._dispatch.fake_context import context_of
from minitorch._dispatch.kernels import kernels_of
from minitorch._dispatch.key_sets import DispatchKey, included, only
from minitorch._dispatch.operators import OpOverloadPacket, Tag, calls
from minitorch._dispatch.operators import custom as _packets
from minitorch._dispatch.own_kernels import keys_of
from minitorch._dispatch.replacements import BETWEEN, between
from minitorch._dispatch.results import returned
from minitorch._dispatch.schema import FunctionSchema
from minitorch._tensor import Tensor
from minitorch.amp.autocast_mode import is_autocast_enabled
from minitorch.autograd.function import Function
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.grad_mode import _not_recording, _shows_another_mode, is_grad_enabled
from minitorch.autograd.levels import wrapped_of
from minitorch.autograd.torch_function import _has_torch_function, handle_torch_function

_BACKEND = ("CPU", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")
_AUTOGRAD = ("AutogradCPU", "Autograd")
_COMPOSITE = "CompositeImplicitAutograd"


_COMMA = re.compile(r",(?! )")
_SPACED_ALIAS = re.compile(r" (\([a-z]+!?\))(?= )")


def is_defined(name):
    """Return whether an operator of this name exists, PyTorch's own or a custom one."""
    if keys_of(name):
        return True
    namespace, _, rest = name.partition("::")
    name, _, overload = rest.partition(".")
    packet = _packets.get((namespace, name))
    return packet is not None and (overload or "default") in packet._overloads


def has_kernel_for(name, key):
    """Return whether an operator has its own kernel for a key, given as a name or a `DispatchKey`.

    Raises
    ------
    RuntimeError
        There is no such operator, or no such key.
    """
    key = getattr(key, "name", key)
    if key not in DispatchKey.__members__:
        raise RuntimeError(f"could not parse dispatch key: {key}")
    if not is_defined(name):
        raise RuntimeError(f"operator {name} does not exist")
    return key in keys_of(name) or key in kernels_of(name)


def check_namespace(namespace):
    """Raise ValueError if a namespace is reserved by PyTorch."""
    if namespace == "prim":
        raise ValueError(
            f"{namespace} is a reserved namespace. Please try creating a library with another name."
        )


def define(namespace, text, tags=()):
    """Define an operator by its schema and return the overload.

    Raises
    ------
    RuntimeError
        The schema cannot be parsed, or the operator is already defined.
    """
    schema = parse_schema(text, namespace)
    name = schema.name.partition("::")[2]
    packet = _packets.get((namespace, name))
    overload_name = schema.overload_name or "default"
    if packet is not None and overload_name in packet._overloads:
        raise RuntimeError(
            f"Tried to register an operator ({schema}) with the same name and overload name multiple times. "
            "Each overload's schema should only be registered with a single call to def()."
        )
    if packet is None:
        packet = _packets[namespace, name] = OpOverloadPacket(name, [], namespace)
    overload = packet._add(schema)
    overload.tags = sorted(tags)
    overload._kernels = kernels_of(overload.name())
    return overload


def parse_schema(text, namespace=""):
    """Parse a schema that a program has written, and normalize its spacing to PyTorch's.

    Raises
    ------
    RuntimeError
        The schema cannot be parsed.
    """
    if not text:
        raise RuntimeError("expected ident but found 'eof' here:\n")
    if "(" not in text:
        raise RuntimeError("Tried to parse a function schema but only the operator name was given")
    own, colons, rest = text.partition("::")
    if colons and own.isidentifier():
        text = rest
    text = _COMMA.sub(", ", _SPACED_ALIAS.sub(r"\1", text))
    try:
        schema = FunctionSchema(text, namespace)
    except ValueError as error:
        raise RuntimeError(f"expected the schema of an operator: {text}") from error
    _check_types(schema, text)
    return schema


_KINDS = frozenset(
    "Tensor int SymInt float bool Scalar number str Device ScalarType Layout MemoryFormat Generator Stream "
    "Storage complex SymBool Any DeviceIndex Dimname".split()
)


def _check_types(schema, text):
    for argument in schema.arguments + schema.returns:
        if argument.kind not in _KINDS:
            raise RuntimeError(
                "\nunknown type specifier. Common valid schema types include Tensor, SymInt, int, float, bool, "
                "Scalar; for a full list, please see "
                "https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/README.md#func :\n"
                f"{text}\n{' ' * text.index(argument.kind)}{'~' * len(argument.kind)} <--- HERE\n"
            )


def forget(overload):
    """Undo `define`."""
    packet = overload._overloadpacket
    packet._remove(overload._overloadname)
    if not packet._overloads:
        _packets.pop((packet._namespace, packet.__name__), None)


# ---- calls


def _convert_arguments(overload, values):
    """Convert `values` in place to the types that kernels expect.

    Raises
    ------
    RuntimeError
        An argument does not have the type in the schema.
    """
    schema = overload._schema
    for position, a in enumerate(schema.arguments):
        value = values[a.name]
        if value is None and (a.is_optional or (a.kind == "Tensor" and not a.is_list)):
            continue
        values[a.name] = converted(a, value)
        if values[a.name] is WRONG:
            raise wrong_type(overload, position, value)


def _bound(overload, args, kwargs):
    """Return the arguments of a call by name, checked and converted."""
    values = overload._schema.bind(args, kwargs)
    _convert_arguments(overload, values)
    return values


def call_packet(packet, args, kwargs):
    """Call the first overload of a custom operator that accepts these arguments."""
    return overloads.call_packet(packet, args, kwargs, _bound, "\n\n")


def call_custom(overload, args, kwargs):
    """Call a custom operator.

    Raises
    ------
    RuntimeError
        The arguments do not match its schema.
    NotImplementedError
        It has no kernel for these arguments.
    """
    values = _bound(overload, args, kwargs)
    tensors = tuple(modes.tensors_in(values.values()))
    if _has_torch_function(tensors):
        return handle_torch_function(overload, tensors, *args, **kwargs)
    kernels = overload._kernels
    autocast = kernels.autocast
    if autocast is not None and is_autocast_enabled(autocast[0]):
        named = overload._schema.call(values)[1]
        if named:
            got = f", got {list(named)}" if autocast[2] else "."
            raise AssertionError(f"Custom ops do not support kwargs yet{got}")
        values = {name: _cast(value, autocast[1]) for name, value in values.items()}
        tensors = tuple(modes.tensors_in(values.values()))
    kernel = _added(overload)
    if kernel is not None:
        return _run(kernel, overload, values)
    levels = [s.level for s in map(wrapped_of, tensors) if s is not None]
    if levels and max(levels, key=lambda level: level.number).kind == "vmap":
        return _batched(overload, values)
    if _shows_another_mode():
        return _below(overload, values, tensors)
    for key in _AUTOGRAD:
        kernel = kernels.get(key)
        if kernel is not None and tensors:
            return (
                _run(kernel, overload, values)
                if kernel is not fallthrough_kernel
                else _below_plain(overload, values)
            )
    if _COMPOSITE in kernels and not any(key in kernels for key in _BACKEND):
        return _run(kernels[_COMPOSITE], overload, values)
    wanted = is_grad_enabled() and any(t.requires_grad for t in tensors)
    if kernels.formula is not None:
        if wanted and Tag.out in overload.tags:
            raise RuntimeError(
                f"{overload._opname}(): functions with out=... arguments don't support automatic differentiation, "
                "but one of the arguments requires grad."
            )
        if wanted and overload._schema.returns:
            return kernels.formula(overload, values, _below)
        with _not_recording():
            return _below(overload, values, tensors)
    # without a derivative, the kernel runs with recording on, so its own operations are recorded
    result = _below_plain(overload, values)
    if wanted and fallback_mode() == "warn":
        warn_later(overload, result, tensors)
    return result


def redispatch(overload, keys, args, kwargs):
    """Call an operator as if its tensors had exactly the dispatch keys `keys`."""
    names = keys._keys
    if overload._kernels is None:
        with only(names):
            return overload(*args, **kwargs)
    if any(name.startswith("Autograd") for name in names):
        return overload(*args, **kwargs)
    values = _bound(overload, args, kwargs)
    tensors = tuple(modes.tensors_in(values.values()))
    kernel = _between(overload, tensors, names)
    if kernel is not None:
        return _run(kernel, overload, values)
    if "Python" in names and modes.is_handled(tensors):
        return modes.ask(overload, tensors, *overload._schema.call(values))
    return _backend(overload, values)


def _added(overload):
    """Return the kernel or fallback for a key that the program included on this thread, or None."""
    if not included():
        return None
    own = (overload._kernels[key] for key in included() if key in overload._kernels)
    return next(own, None) or replacements.added(overload)


def fallthrough_kernel(*args, **kwargs):
    """Mark a key whose calls continue at the next key; never called itself.

    Parameters
    ----------
    *args, **kwargs
        Not used.

    Raises
    ------
    NotImplementedError
        Always.

    Examples
    --------
    >>> import minitorch as torch
    >>> lib = torch.library.Library("docs_fall", "DEF")
    >>> _ = lib.define("same(Tensor x) -> Tensor")
    >>> lib.impl("same", torch.library.fallthrough_kernel, "Autograd")
    """
    raise NotImplementedError("fallthrough_kernel() should never be called.")


def _cast(value, dtype):
    if isinstance(value, Tensor):
        return value.to(dtype) if value.is_floating_point() else value
    if isinstance(value, (list, tuple)):
        return [_cast(item, dtype) for item in value]
    return value


def _run(kernel, overload, values):
    args, kwargs = overload._schema.call(values)
    return returned(overload, kernel(*args, **kwargs))


def run_kernel(kernel, overload, args, kwargs):
    """Call a kernel with an operator's arguments, and check them against the schema."""
    return _run(kernel, overload, _bound(overload, args, kwargs))


def _below_plain(overload, values):
    tensors = tuple(modes.tensors_in(values.values()))
    kernel = _between(overload, tensors)
    if kernel is not None:
        return _run(kernel, overload, values)
    if modes.is_handled(tensors):
        with _not_recording():
            return _below(overload, values, tensors)
    return _backend(overload, values)


def _between(overload, tensors, names=None):
    """Return the kernel for ``ADInplaceOrView`` or a lazy property of the tensors, or None.

    With `names`, only kernels for these keys are considered.
    """
    kernels = overload._kernels
    if kernels.keys().isdisjoint(BETWEEN):
        return None
    for key in between(tensors):
        kernel = kernels.get(key)
        if (names is None or key in names) and kernel not in (None, fallthrough_kernel):
            return kernel
    return None


def _below(overload, values, tensors):
    kernel = _between(overload, tensors)
    if kernel is not None:
        return _run(kernel, overload, values)
    if modes.is_handled(tensors):
        args, kwargs = overload._schema.call(values)
        return modes.ask(overload, tensors, args, kwargs)
    return _backend(overload, values)


def _backend(overload, values):
    kernels = overload._kernels
    device = values.get(kernels.device_argument)
    if device is not None and device.type != "cpu":
        key = device.type.upper() if device.type != "meta" else "Meta"
        return _run(kernels[key], overload, values) if key in kernels else kernels.explain(key)
    backend = _backend_of(modes.tensors_in(values.values()))
    if backend == "Meta":
        without_data = kernels.get("Meta", kernels.fake)
        if without_data is not None:
            with context_of(overload):
                return _run(without_data, overload, values)
        _check_computes_without_data(overload)
    for key in (backend or "CPU", *_BACKEND[1:], _COMPOSITE):
        kernel = kernels.get(key)
        if kernel is not None and kernel is not fallthrough_kernel:
            return _run(kernel, overload, values)
    if kernels.explain is not None:
        kernels.explain(backend or "Undefined")
    name = overload._schema.name
    raise NotImplementedError(
        f"Could not run '{name}' with arguments from the '{backend or 'CPU'}' backend. This could be because the operator "
        "doesn't exist for this backend, or was omitted during the selective/custom build process (if using "
        "custom build). If you are a Facebook employee using PyTorch on mobile, please visit "
        f"https://fburl.com/ptmfixes for possible resolutions. '{name}' is only available for these backends: "
        f"[{', '.join(kernels)}]."
    )


def _backend_of(tensors):
    """Return the backend key of the tensors, or None without tensors."""
    found = None
    for t in tensors:
        if t.is_meta:
            return "Meta"
        if t.is_sparse:
            found = "SparseCPU"
        elif t.is_sparse_csr:
            found = "SparseCsrCPU"
        else:
            found = found or "CPU"
    return found


def _check_computes_without_data(overload):
    """Raise NotImplementedError if an operator has kernels for devices with data only."""
    kernels = overload._kernels
    if kernels.explain is not None:
        kernels.explain("Meta")
    if not any(key in kernels for key in (*_BACKEND[1:], _COMPOSITE)):
        raise NotImplementedError(
            f"{overload._schema.name}: attempted to run this operator with Meta tensors, but there was no fake impl "
            "or Meta kernel registered. You may have run into this message while using an operator with PT2 "
            "compilation APIs (torch.compile/torch.export); in order to use this operator with those APIs you'll "
            "need to add a fake impl. Please see the following for next steps:  "
            "https://pytorch.org/tutorials/advanced/custom_ops_landing_page.html"
        )


# ---- batches


def _batched(overload, values):
    schema = overload._schema
    kernels = overload._kernels
    if kernels.batched is None and (
        any(a.is_write or a.is_list and a.kind == "Tensor" for a in schema.arguments)
        or any(r.kind != "Tensor" or r.is_list for r in schema.returns)
        or not schema.returns
    ):
        raise RuntimeError(
            f"Batching rule not implemented for {overload.name()}. We could not generate a fallback."
        )
    if _COMPOSITE in kernels and not any(key in kernels for key in _BACKEND):
        return _run(kernels[_COMPOSITE], overload, values)
    args, kwargs = schema.call(values)

    def each(info, in_dims, *args):
        """Call the operator once for each sample and stack the results."""
        results = []
        for k in range(info.batch_size):
            sample = [
                a if dim is None else a.select(dim, k) for a, dim in zip(args, in_dims, strict=True)
            ]
            results.append(overload(*sample, **kwargs))
        if isinstance(results[0], tuple):
            stacked = tuple(_ops.stack(parts) for parts in zip(*results, strict=True))
            return stacked, (0,) * len(stacked)
        return _ops.stack(results), 0

    def rule(info, in_dims, *args):
        return kernels.batched(info, in_dims, *args, **kwargs)

    body = {
        "forward": staticmethod(lambda *args: overload(*args, **kwargs)),
        "setup_context": staticmethod(lambda ctx, inputs, output: None),
        "vmap": staticmethod(each if kernels.batched is None else rule),
    }
    return type(overload._opname, (Function,), body).apply(*args)


calls.own, calls.own_packet = call_custom, call_packet
calls.redispatch, calls.has_kernel_for = redispatch, has_kernel_for

__all__ = [
    "DispatchKey",
    "call_custom",
    "call_packet",
    "check_namespace",
    "define",
    "fallthrough_kernel",
    "forget",
    "has_kernel_for",
    "is_defined",
    "parse_schema",
    "redispatch",
    "run_kernel",
]
