"""Operators that a program defines: what it registered for them, and how a call finds it.

A call goes down these steps, each of which may answer it:

1. ``__torch_function__`` of its arguments and of modes;
2. kernels for keys that the program has added on its thread (key_sets.py);
3. `vmap`: the rule of the program, or once for each sample;
4. recording: a kernel for ``Autograd``, the kernel of an operator that is composed of others, a formula;
   without any of these, results that want a gradient warn when one is asked for;
5. kernels for writes and views, zeros, lazy negatives and conjugates;
6. ``__torch_dispatch__`` of its arguments and of modes;
7. the kernel of the backend.

Below step 4 nothing is recorded (Note [The mode that is shown]); a call made there starts with step 5.
"""

import re
import warnings
from collections.abc import Sequence

from minitorch._dispatch import modes, overloads, replacements
from minitorch._dispatch.argument_values import WRONG, converted, not_convertible, wrong_type
from minitorch._dispatch.fake_context import asked_by
from minitorch._dispatch.kernels import kernels_of
from minitorch._dispatch.key_sets import DispatchKey, included, only
from minitorch._dispatch.operators import OpOverloadPacket, Tag
from minitorch._dispatch.operators import custom as _packets
from minitorch._dispatch.own_kernels import keys_of
from minitorch._dispatch.replacements import BETWEEN, between
from minitorch._dispatch.schema import FunctionSchema
from minitorch._functorch.autograd_function import custom_function_call
from minitorch._tensor import Tensor
from minitorch.amp.autocast_mode import is_autocast_enabled
from minitorch.autograd import python_dispatch
from minitorch.autograd.function import Function
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.grad_mode import _not_recording, _shows_another_mode, is_grad_enabled
from minitorch.autograd.levels import Wrapped
from minitorch.autograd.special import special_of
from minitorch.autograd.torch_function import _has_torch_function, handle_torch_function
from minitorch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten

_BACKEND = ("CPU", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")
_AUTOGRAD = ("AutogradCPU", "Autograd")
_COMPOSITE = "CompositeImplicitAutograd"


_fallback_mode = "warn"
_COMMA = re.compile(r",(?! )")
_SPACED_ALIAS = re.compile(r" (\([a-z]+!?\))(?= )")


def fallback_mode():
    """What becomes of operators without a derivative: ``"warn"`` or ``"nothing"``."""
    return _fallback_mode


def set_fallback_mode(mode):
    """Say what becomes of operators without a derivative."""
    global _fallback_mode
    if mode == "error":
        raise RuntimeError("NYI: mode='error'")
    if mode not in ("warn", "nothing"):
        raise RuntimeError(f"Unsupported AutogradFallbackMode: {mode}")
    _fallback_mode = mode


def is_defined(name):
    """Whether there is an operator of this name, PyTorch's own or the program's."""
    if keys_of(name):
        return True
    namespace, _, rest = name.partition("::")
    name, _, overload = rest.partition(".")
    packet = _packets.get((namespace, name))
    return packet is not None and (overload or "default") in packet._overloads


def has_kernel_for(name, key):
    """Whether an operator has a kernel of its own for a key, a name or a `DispatchKey`.

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
    """Refuse the one that is PyTorch's."""
    if namespace == "prim":
        raise ValueError(
            f"{namespace} is a reserved namespace. Please try creating a library with another name."
        )


def define(namespace, text, tags=()):
    """Define an operator by its schema; gives the overload.

    Raises
    ------
    RuntimeError
        The schema cannot be read, or the operator is defined.
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
    """The schema that a program has written, spaced as PyTorch shows it.

    Raises
    ------
    RuntimeError
        It cannot be read.
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


def _tensors(values):
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)


def _convert_arguments(overload, values):
    """Let `values` be what kernels get.

    Raises
    ------
    RuntimeError
        One is not of the type that the schema says.
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
    """The arguments of a call by name, checked."""
    values = overload._schema.bind(args, kwargs)
    _convert_arguments(overload, values)
    return values


def call_packet(packet, args, kwargs):
    """Call the first overload of an operator of the program's that takes these arguments."""
    return overloads.call_packet(packet, args, kwargs, _bound, "\n\n")


def call_custom(overload, args, kwargs):
    """Call an operator that the program defined.

    Raises
    ------
    RuntimeError
        The arguments are not those of its schema.
    NotImplementedError
        It has no kernel.
    """
    values = _bound(overload, args, kwargs)
    tensors = tuple(_tensors(values.values()))
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
        tensors = tuple(_tensors(values.values()))
    kernel = _added(overload)
    if kernel is not None:
        return _run(kernel, overload, values)
    levels = [special_of(t).level for t in tensors if isinstance(special_of(t), Wrapped)]
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
            return kernels.formula(overload, values)
        with _not_recording():
            return _below(overload, values, tensors)
    # without a derivative, what the kernel itself records stays
    result = _below_plain(overload, values)
    if wanted and _fallback_mode == "warn":
        _warn_later(overload, result, tensors)
    return result


def redispatch(overload, keys, args, kwargs):
    """Call an operator as if its tensors had a set of keys, and no others."""
    names = keys._keys
    if overload._kernels is None:
        with only(names):
            return overload(*args, **kwargs)
    if any(name.startswith("Autograd") for name in names):
        return overload(*args, **kwargs)
    values = _bound(overload, args, kwargs)
    tensors = tuple(_tensors(values.values()))
    kernel = _between(overload, tensors, names)
    if kernel is not None:
        return _run(kernel, overload, values)
    if "Python" in names and _is_asked(tensors):
        return modes.ask(overload, tensors, *overload._schema.call(values))
    return _backend(overload, values)


def _added(overload):
    """The kernel for a key that the program has added on this thread, or a fallback; None: there is none."""
    if not included():
        return None
    own = (overload._kernels[key] for key in included() if key in overload._kernels)
    return next(own, None) or replacements.added(overload)


def fallthrough_kernel(*args, **kwargs):
    """The kernel that hands a call on to the next key; it is not called itself."""
    raise NotImplementedError("fallthrough_kernel() should never be called.")


def _cast(value, dtype):
    if isinstance(value, Tensor):
        return value.to(dtype) if value.is_floating_point() else value
    if isinstance(value, (list, tuple)):
        return [_cast(item, dtype) for item in value]
    return value


def _run(kernel, overload, values):
    args, kwargs = overload._schema.call(values)
    return _returned(overload, kernel(*args, **kwargs))


def run_kernel(kernel, overload, args, kwargs):
    """Call a kernel with what an operator is called with, checked by the operator's schema."""
    return _run(kernel, overload, _bound(overload, args, kwargs))


def _returned(overload, result):
    """What a kernel has returned, if it is what the schema says.

    Raises
    ------
    RuntimeError, TypeError
        It is of another type.
    """
    returns = overload._schema.returns
    if not returns:
        if result is not None:
            raise RuntimeError(
                f"Expected PythonKernelHolder for {overload.name()} to return None but it returned something else "
                "instead."
            )
        return None
    if len(returns) == 1:
        _check_result(returns[0], result)
        return result
    if not isinstance(result, Sequence):
        raise TypeError(
            f"Object of type '{type(result).__name__}' is not an instance of 'sequence'"
        )
    for a, item in zip(returns, result, strict=False):
        _check_result(a, item)
    return tuple(result)


def _check_result(a, result):
    if a.is_list:
        items = result if isinstance(result, (list, tuple)) else [WRONG]
        good = all(_is_of(a.kind, item) for item in items)
    else:
        good = result is None and a.kind == "Tensor" or _is_of(a.kind, result)
        if a.kind == "Tensor" and not good:
            raise RuntimeError(f"Unable to cast {result} to Tensor")
    if not good:
        raise RuntimeError(not_convertible(result))


def _is_of(kind, value):
    if kind == "Tensor":
        return isinstance(value, Tensor)
    conversion = {"int": "__index__", "SymInt": "__index__", "float": "__float__"}.get(kind)
    return conversion is None or hasattr(value, conversion)


def _below_plain(overload, values):
    tensors = tuple(_tensors(values.values()))
    kernel = _between(overload, tensors)
    if kernel is not None:
        return _run(kernel, overload, values)
    if _is_asked(tensors):
        with _not_recording():
            return _below(overload, values, tensors)
    return _backend(overload, values)


def _is_asked(tensors):
    if python_dispatch.dispatch_is_off():
        return False
    return bool(modes.stack()) or bool(modes.asked_classes(tensors))


def _between(overload, tensors, names=None):
    """The kernel for writes and views or for what tensors are, of all or of these keys; None: there is none."""
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
    if _is_asked(tensors):
        args, kwargs = overload._schema.call(values)
        return modes.ask(overload, tensors, args, kwargs)
    return _backend(overload, values)


def _backend(overload, values):
    kernels = overload._kernels
    device = values.get(kernels.device_argument)
    if device is not None and device.type != "cpu":
        key = device.type.upper() if device.type != "meta" else "Meta"
        return _run(kernels[key], overload, values) if key in kernels else kernels.explain(key)
    if any(t.is_meta for t in _tensors(values.values())):
        without_data = kernels.get("Meta", kernels.fake)
        if without_data is not None:
            with asked_by(overload):
                return _run(without_data, overload, values)
        _check_computes_without_data(overload)
    for key in (*_BACKEND, _COMPOSITE):
        kernel = kernels.get(key)
        if kernel is not None and kernel is not fallthrough_kernel:
            return _run(kernel, overload, values)
    if kernels.explain is not None:
        kernels.explain("CPU" if any(True for _ in _tensors(values.values())) else "Undefined")
    name = overload._schema.name
    raise NotImplementedError(
        f"Could not run '{name}' with arguments from the 'CPU' backend. This could be because the operator "
        "doesn't exist for this backend, or was omitted during the selective/custom build process (if using "
        "custom build). If you are a Facebook employee using PyTorch on mobile, please visit "
        f"https://fburl.com/ptmfixes for possible resolutions. '{name}' is only available for these backends: "
        f"[{', '.join(kernels)}]."
    )


def _check_computes_without_data(overload):
    """Refuse tensors without data for an operator with kernels of devices only."""
    kernels = overload._kernels
    if kernels.explain is not None:
        kernels.explain("Meta")
    if "CPU" in kernels and not any(key in kernels for key in (*_BACKEND[1:], _COMPOSITE)):
        raise NotImplementedError(
            f"{overload._schema.name}: attempted to run this operator with Meta tensors, but there was no fake impl "
            "or Meta kernel registered. You may have run into this message while using an operator with PT2 "
            "compilation APIs (torch.compile/torch.export); in order to use this operator with those APIs you'll "
            "need to add a fake impl. Please see the following for next steps:  "
            "https://pytorch.org/tutorials/advanced/custom_ops_landing_page.html"
        )


# ---- results that want a gradient nobody knows


def _warn_later(overload, result, tensors):
    """Let whoever asks for gradients through the results be warned."""

    def warn():
        warnings.warn(
            f"{overload.name()}: an autograd kernel was not registered to the Autograd key(s) but we are trying to "
            "backprop through it. This may lead to silently incorrect behavior. This behavior is deprecated and "
            "will be removed in a future version of PyTorch. If your operator is differentiable, please ensure you "
            "have registered an autograd kernel to the correct Autograd key (e.g. DispatchKey::Autograd, "
            "DispatchKey::CompositeImplicitAutograd). If your operator is not differentiable, or to squash this "
            "warning and use the previous behavior, please register torch::CppFunction::makeFallthrough() to "
            "DispatchKey::Autograd.",
            stacklevel=2,
        )

    def forward(ctx, *inputs):
        return tuple(new)

    def backward(ctx, *grads):
        warn()
        return (None,) * len(tensors)

    written = [r.alias_info is not None and r.alias_info.is_write for r in overload._schema.returns]
    new = []
    for k, t in enumerate(tree_leaves(result)):
        if not isinstance(t, Tensor):
            continue
        in_place = k < len(written) and written[k]
        if t.requires_grad:
            # what a view's history was may be gone by then, so its base warns too
            for seen in (t, t._base) if in_place and t._is_view() else (t,):
                if seen.requires_grad:
                    seen.register_hook(lambda grad: warn())
        elif not in_place and (t.is_floating_point() or t.is_complex()):
            new.append(t)
    if new:
        body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
        function = type("WarnNotImplemented", (Function,), body)
        function._backward_cls.__name__ = "CppFunction"
        function._backward_cls.name = lambda node: "torch::autograd::WarnNotImplemented"
        function.apply(*tensors)


# ---- derivatives


class Formula:
    """How an operator is differentiated: by what the program gave to `register_autograd`.

    Parameters
    ----------
    backward : callable or None
        None for an operator that nothing was registered for: whoever asks for a gradient is told.
    setup_context : callable or None
    """

    def __init__(self, backward=None, setup_context=None):
        self.backward = backward
        self.setup_context = setup_context

    def __call__(self, overload, values):
        schema = overload._schema
        inputs = tuple(values[a.name] for a in schema.arguments if not a.kwarg_only)
        named = {a.name: values[a.name] for a in schema.arguments if a.kwarg_only}
        flat, spec = tree_flatten(inputs)
        results = []
        plain = not any(isinstance(given, (list, tuple)) for given in inputs)

        def forward(ctx, *flat):
            given = dict(values)
            whole = tree_unflatten(flat[:-1], spec)
            names = (a.name for a in schema.arguments if not a.kwarg_only)
            given.update(zip(names, whole, strict=True))
            with _not_recording():
                result = _below(overload, given, tuple(_tensors(given.values())))
            if self.setup_context is not None:
                if named:
                    self.setup_context(
                        ctx=ctx, inputs=whole, keyword_only_inputs=named, output=result
                    )
                else:
                    self.setup_context(ctx=ctx, inputs=whole, output=result)
            if not plain and hasattr(ctx, "_pt_metadata"):
                raise RuntimeError(
                    "Please don't set ctx._pt_metadata; PyTorch uses it to store info"
                )
            leaves, result_spec = tree_flatten(result)
            results.append(result_spec)
            return tuple(leaves)

        def backward(ctx, *grads):
            if self.backward is None:
                raise RuntimeError(
                    f"Trying to backward through {overload} but no autograd formula was registered. Please use "
                    "register_autograd to add one."
                )
            grads = tree_unflatten(grads, results[0])
            grads = grads if type(grads) is tuple else (grads,)
            needed = ctx.needs_input_grad[:-1]
            found = self.backward(_Context(ctx, tree_unflatten(needed, spec)), *grads)
            found = found if isinstance(found, tuple) else (found,)
            return (*(found if plain else _like_inputs(found, inputs)), None)

        name = (
            f"GeneratedBackwardFor_{overload.namespace}_{overload._opname}_{overload._overloadname}"
        )
        body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
        # one input more than the operator has, as in PyTorch: errors count it, and so does the graph
        outputs = type(name, (Function,), body).apply(*flat, schema)
        return tree_unflatten(outputs, results[0])


class _Context:
    """A node's context whose `needs_input_grad` is nested as the inputs are."""

    def __init__(self, ctx, needs_input_grad):
        self.__dict__.update(_ctx=ctx, needs_input_grad=needs_input_grad)

    def __getattr__(self, name):
        return getattr(self._ctx, name)

    def __setattr__(self, name, value):
        setattr(self._ctx, name, value)


def _like_inputs(found, inputs):
    flat = []
    for k, given in enumerate(inputs):
        leaves = len(tree_leaves(given)) if isinstance(given, (list, tuple)) else 1
        grad = found[k] if k < len(found) else None
        if (
            isinstance(given, (list, tuple))
            and isinstance(grad, (list, tuple))
            and len(grad) == leaves
        ):
            flat.extend(grad)
        elif not isinstance(given, (list, tuple)) and k < len(found):
            flat.append(grad)
        elif (
            grad is None
            and k < len(found)
            and not any(isinstance(t, Tensor) for t in tree_leaves(given))
        ):
            flat.extend([None] * leaves)
        else:
            shown = [tree_flatten((*values, None))[1] for values in (found, inputs)]
            raise RuntimeError(
                "Expected the return from backward to be of the same structure as the inputs. Got: "
                f"{shown[0]} (return from backward), {shown[1]} (inputs)"
            )
    return tuple(flat)


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
        """Once for each sample."""
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
    return custom_function_call(type(overload._opname, (Function,), body), args)


__all__ = [
    "DispatchKey",
    "Formula",
    "call_custom",
    "call_packet",
    "check_namespace",
    "define",
    "fallback_mode",
    "fallthrough_kernel",
    "forget",
    "has_kernel_for",
    "is_defined",
    "parse_schema",
    "redispatch",
    "run_kernel",
    "set_fallback_mode",
]
