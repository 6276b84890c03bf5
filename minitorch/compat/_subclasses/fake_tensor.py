"""Fake tensors: tensors with a shape, a dtype and a device, but without elements.

A fake tensor wraps a tensor on the device ``meta`` and stores the device that it represents.
Operators on fake tensors run on the wrapped ``meta`` tensors; operators that need elements raise an
error. A number created by the program, such as ``torch.tensor(5)``, keeps its value in `constant`.

Sizes are always numbers; a `shape_env` with symbolic sizes is not supported.
"""

import functools
import weakref

from minitorch._dispatch import modes as _modes
from minitorch._dispatch.fake_context import sizes_from
from minitorch._dispatch.operators import Tag, ops
from minitorch._files.settings import _serialization_tls
from minitorch._subclasses.fake_device import (
    FakeTensorDeviceMismatchError,
    common_device,
    factory_device,
    is_tensor_constructor,
)
from minitorch._tensor import Tensor
from minitorch.autograd.grad_mode import enable_grad, no_grad
from minitorch.autograd.python_dispatch import reshape_without_data
from minitorch.autograd.torch_function import _disabled_torch_function_impl
from minitorch.core.dtype import _dtypes
from minitorch.core.types import device as _device
from minitorch.core.types import strided as _strided
from minitorch.nn.parameter import Parameter
from minitorch.overrides import TorchFunctionMode
from minitorch.tensors.rebuilding import FakeModes, reduce_over_storage
from minitorch.tensors.type_info import get_default_dtype
from minitorch.tensors.wrapper_methods import make_wrapper_subclass
from minitorch.utils._python_dispatch import TorchDispatchMode
from minitorch.utils._pytree import tree_flatten, tree_map, tree_unflatten
from minitorch.utils.weak import WeakTensorKeyDictionary

__all__ = [
    "DataDependentOutputException",
    "DynamicOutputShapeException",
    "FakeCopyMode",
    "FakeTensor",
    "FakeTensorConverter",
    "FakeTensorDeviceMismatchError",
    "FakeTensorMode",
    "MetadataMismatchError",
    "UnsupportedFakeTensorException",
    "UnsupportedOperatorException",
    "is_fake",
    "maybe_get_fake_mode",
    "unset_fake_temporarily",
]

CONSTANT_NUMEL_LIMIT = 1
_aten = ops.aten
_META = _device("meta")
_BOOLEANS = frozenset({_dtypes()["bool"], _dtypes()["uint8"]})
_is_tensor_constructor = is_tensor_constructor


class UnsupportedFakeTensorException(RuntimeError):
    """A tensor has no fake counterpart, for example because of its layout."""

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


class DynamicOutputShapeException(RuntimeError):
    """The shape of an operator's result depends on the elements of its arguments."""

    def __init__(self, func):
        super().__init__(func)
        self.func = func


class DataDependentOutputException(RuntimeError):
    """The result of an operator depends on elements and is not a tensor."""

    def __init__(self, func):
        super().__init__(func)
        self.func = func


class UnsupportedOperatorException(RuntimeError):
    """An operator does not support tensors without elements."""

    def __init__(self, func):
        super().__init__(func)
        self.func = func


class MetadataMismatchError(RuntimeError):
    """The metadata of two tensors differs where it must be equal."""


class FakeTensor(Tensor):
    """A tensor that has a shape, a dtype and a device, and no elements.

    Parameters
    ----------
    fake_mode : FakeTensorMode
    elem : Tensor
        On the device ``meta``.
    device : device
        The device that the fake tensor reports.
    constant : Tensor, optional
        The real tensor, if its elements are known.

    Raises
    ------
    AssertionError
        If `elem` is not on the device ``meta``, or `device` is ``meta`` and the mode does not
        allow it.
    """

    def __new__(cls, fake_mode, elem, device, constant=None, real_tensor=None, **options):
        if elem.device.type != "meta":
            raise AssertionError(f"elem.device.type must be 'meta', got {elem.device.type}")
        device = _device(device) if not isinstance(device, _device) else device
        if device.index is None and device.type in ("cuda", "mps", "mtia", "xpu"):
            device = _device(device.type, 0)
        if device.type == "meta" and not fake_mode.allow_meta:
            raise AssertionError("device.type must not be 'meta' when allow_meta is False")
        self = make_wrapper_subclass(
            cls,
            tuple(elem.shape),
            elem.stride(),
            elem.storage_offset(),
            dtype=elem.dtype,
            device=device,
            requires_grad=elem.requires_grad,
        )
        self.elem = elem.detach() if elem.requires_grad else elem
        self.fake_device = device
        self.fake_mode = fake_mode
        self.constant = constant
        self.real_tensor = real_tensor
        return self

    __torch_function__ = _disabled_torch_function_impl

    @staticmethod
    def from_tensor(t, fake_mode):
        """Return a fake tensor with the metadata of `t`."""
        return fake_mode.from_tensor(t)

    @property
    def names(self):
        """Names of dimensions, which fake tensors do not support.

        Raises
        ------
        UnsupportedFakeTensorException
            Always.
        """
        raise UnsupportedFakeTensorException("torch.compile doesn't support named tensors")

    def _follow(self):
        """Copy the sizes and strides of the wrapped tensor after an in-place operator."""
        elem = self.elem
        if tuple(self.shape) != tuple(elem.shape) or self.stride() != elem.stride():
            reshape_without_data(self, tuple(elem.shape), elem.stride(), elem.storage_offset())

    def untyped_storage(self):
        """Return the storage of the wrapped ``meta`` tensor."""
        return self.elem.untyped_storage()

    def data_ptr(self):
        """Return 0, because there is no memory."""
        return 0

    def tolist(self):
        """Return the elements as nested lists, if they are known constants."""
        if self.dim() == 0:
            return self.item()
        return [row.tolist() for row in self.unbind()]

    def __repr__(self, *, tensor_contents=None):
        parts = ["...", f"size={tuple(self.shape)}"]
        if self.fake_device.type != "cpu":
            parts.insert(1, f"device='{self.fake_device}'")
        if self.dtype not in (get_default_dtype(), _dtypes()["bool"]) or self.dtype in _BOOLEANS:
            parts.append(f"dtype={self.dtype!r}".replace("minitorch.", "torch."))
        if self.grad_fn is not None:
            parts.append(f"grad_fn=<{self.grad_fn.name()}>")
        elif self.requires_grad:
            parts.append("requires_grad=True")
        text = f"FakeTensor({', '.join(parts)})"
        return f"Parameter({text})" if getattr(self, "_is_param", False) else text

    __str__ = __repr__

    def __format__(self, spec):
        if spec:
            raise TypeError(f"unsupported format string passed to {type(self).__name__}.__format__")
        return repr(self)

    def __deepcopy__(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        with no_grad():
            copy = self.detach().clone()
        copy.requires_grad_(self.requires_grad)
        if getattr(self, "_is_param", False):
            copy._is_param = True
        memo[id(self)] = copy
        return copy

    def __reduce_ex__(self, protocol):
        if not (_serialization_tls.skip_data and _serialization_tls.materialize_fake_tensors):
            return super().__reduce_ex__(protocol)
        self.untyped_storage()._fake_device = self.fake_device
        return reduce_over_storage(self.elem, self.requires_grad)

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        """Dispatch to the mode of the fake tensors among the arguments."""
        mode = None
        for t in _fakes(args, kwargs or {}):
            if mode is None:
                mode = t.fake_mode
            elif mode is not t.fake_mode:
                raise AssertionError(
                    f"Mixing fake modes NYI x.fake_mode={t.fake_mode} vs self={mode}"
                )
        if mode is None or mode.in_kernel_invocation:
            return NotImplemented
        return mode.dispatch(func, types, args, kwargs or {})


def _entered():
    return next((m for m in reversed(_modes.stack()) if isinstance(m, FakeTensorMode)), None)


def _faked(tensor):
    mode = _entered()
    if mode is None:
        return tensor
    device = tensor.untyped_storage()._fake_device or tensor.device
    return mode.fake_tensor_converter.from_meta_and_device(mode, tensor, device)


FakeModes.entered, FakeModes.faked = _entered, _faked


def _fakes(args, kwargs):
    return [t for t in tree_flatten((args, kwargs))[0] if isinstance(t, FakeTensor)]


class FakeTensorConverter:
    """Converts real tensors to fake tensors and caches the result for each tensor."""

    def __init__(self, *, copy_data=False, export=False):
        self.tensor_memo = WeakTensorKeyDictionary()
        self._storages = {}
        self.export = export

    def from_real_tensor(self, fake_mode, t, make_constant=False, **options):
        """Return a fake tensor with the metadata of `t`.

        If `t` is a view, the result is a view of the fake tensor of its base.

        Raises
        ------
        UnsupportedFakeTensorException
            If `t` is not strided.
        """
        known = self.tensor_memo.get(t)
        if known is not None:
            return known
        if t.layout != _strided:
            raise UnsupportedFakeTensorException(f"{t.layout} in Meta mode")
        fake = self._view(fake_mode, t) if t._is_view() else None
        if fake is None:
            fake = self._leaf(fake_mode, t, make_constant)
        if isinstance(t, Parameter):
            fake._is_param = True
        if not make_constant:
            self.tensor_memo[t] = fake
        return fake

    def from_meta_and_device(self, fake_mode, t, device, **options):
        """Return a fake tensor on `device` that wraps the ``meta`` tensor `t`."""
        return FakeTensor(fake_mode, t, device)

    def _leaf(self, fake_mode, t, make_constant):
        with _modes.disabled(), no_grad():
            elem = t if t.is_meta else self._elem(t)
            constant = t.detach() if make_constant else None
        fake = FakeTensor(fake_mode, elem, t.device, constant)
        if t.requires_grad and not t.is_leaf:
            with enable_grad():
                fake = fake.requires_grad_(True).clone()
        elif t.requires_grad:
            fake.requires_grad_(True)
        if t.is_leaf and t.grad is not None:
            fake.grad = self.from_real_tensor(fake_mode, t.grad)
        return fake

    def _elem(self, t):
        """Return a ``meta`` tensor like `t`.

        Tensors that share memory get a common storage.
        """
        storage = t.untyped_storage()
        like = self._storages.get(storage._cdata)
        if like is None or like.nbytes() != storage.nbytes():  # an `out` has grown
            size = (storage.nbytes(),)
            like = t.new_empty(size, dtype=_dtypes()["uint8"], device=_META).untyped_storage()
            key = storage._cdata
            self._storages[key] = like
            weakref.finalize(t, self._storages.pop, key, None)
        return t.new_empty(0, device=_META).set_(
            like, t.storage_offset(), tuple(t.shape), t.stride()
        )

    def _view(self, fake_mode, t):
        base = t._base
        if base.dtype != t.dtype:
            return None
        fake = self.from_real_tensor(fake_mode, base)
        with enable_grad() if t.requires_grad else no_grad():
            view = fake.as_strided(tuple(t.shape), t.stride(), t.storage_offset())
        if view.requires_grad or not t.requires_grad:
            return view
        view.requires_grad_()  # the base does not require a gradient
        with enable_grad():
            return view if t.is_leaf else view.view_as(view)


class FakeTensorMode(TorchDispatchMode):
    """Mode in which operators compute only shapes, dtypes and devices.

    Outside of the mode, this still holds for operators on its fake tensors.

    Parameters
    ----------
    allow_fallback_kernels : bool
        Ignored, because every operator supports ``meta`` tensors.
    allow_non_fake_inputs : bool, default False
        Whether real tensors are allowed as arguments.
    shape_env : object, optional
        Must be None unless `static_shapes` is true.
    static_shapes : bool, optional

    Raises
    ------
    NotImplementedError
        If symbolic sizes are requested.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._subclasses.fake_tensor import FakeTensorMode
    >>> with FakeTensorMode():
    ...     y = torch.nn.Linear(3, 5)(torch.ones(4, 3))
    >>> y
    FakeTensor(..., size=(4, 5), grad_fn=<AddmmBackward0>)
    """

    _mode_key = "fake"

    def __init__(
        self,
        *,
        allow_fallback_kernels=True,
        allow_non_fake_inputs=False,
        shape_env=None,
        static_shapes=None,
        export=False,
        allow_meta=True,
    ):
        if shape_env is not None and not static_shapes:
            raise NotImplementedError("FakeTensorMode with a shape_env: sizes that are symbols")
        super().__init__()
        self.allow_fallback_kernels = allow_fallback_kernels
        self.allow_non_fake_inputs = allow_non_fake_inputs
        self.allow_meta = allow_meta
        self.shape_env = shape_env
        self.static_shapes = True
        self.export = export
        self.in_kernel_invocation = False
        self.fake_tensor_converter = FakeTensorConverter(export=export)
        self._entered = []

    @classmethod
    def is_infra_mode(cls):
        """Return True: user-defined modes are called before this one."""
        return True

    __enter__ = _modes.enter_once
    __exit__ = _modes.exit_once

    def from_tensor(
        self, tensor, *, static_shapes=None, source=None, symbolic_context=None, trace=True
    ):
        """Return a fake tensor like `tensor`, or `tensor` itself if it belongs to this mode."""
        if isinstance(tensor, FakeTensor):
            if tensor.fake_mode is self:
                return tensor
            return FakeTensor(self, tensor.elem, tensor.fake_device)
        return self.fake_tensor_converter.from_real_tensor(self, tensor)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        """Compute `func` on ``meta`` tensors.

        Returns NotImplemented if an argument belongs to another tensor subclass.
        """
        if any(not issubclass(cls, FakeTensor) for cls in types):
            return NotImplemented
        return self.dispatch(func, types, args, kwargs or {})

    def dispatch(self, func, types, args=(), kwargs=None):
        """Call `func` with fake tensors and return its fake result."""
        kwargs = dict(kwargs or {})
        if func is _aten.lift_fresh.default or func is _aten.lift.default:
            if not isinstance(args[0], FakeTensor):
                return self._lifted(args[0])
        leaves, spec = tree_flatten((args, kwargs))
        leaves = [self._faked(func, leaf, args, kwargs) for leaf in leaves]
        given = [leaf for leaf in leaves if isinstance(leaf, FakeTensor)]
        known = self._of_constants(func, leaves, given, spec)
        if known is not NotImplemented:
            return known
        _reject_data_dependent(func, leaves)
        if any(a.is_write for a in func._schema.arguments):
            _forget_constants(func, args, kwargs)
        device = factory_device(func, args, kwargs) or common_device(func, given)
        return self._computed(func, leaves, spec, given, device)

    def _lifted(self, t):
        return self.fake_tensor_converter.from_real_tensor(
            self, t, make_constant=t.numel() <= CONSTANT_NUMEL_LIMIT
        )

    def _faked(self, func, leaf, args, kwargs):
        if not isinstance(leaf, Tensor):
            return leaf
        if isinstance(leaf, FakeTensor):
            if leaf.fake_mode is not self:
                raise AssertionError(
                    f"Mixing fake modes NYI x.fake_mode={leaf.fake_mode} vs self={self}"
                )
            return leaf
        if not self.allow_non_fake_inputs:
            raise AssertionError(
                "Please convert all Tensors to FakeTensors first or instantiate FakeTensorMode with "
                f"'allow_non_fake_inputs'. Found in {_rendered(func, args, kwargs)}"
            )
        return self.fake_tensor_converter.from_real_tensor(self, leaf)

    def _of_constants(self, func, leaves, given, spec):
        """Return the result if all tensors are known constants, else NotImplemented."""
        if not given or any(t.constant is None for t in given):
            return NotImplemented
        if (
            any(a.is_out for a in func._schema.arguments)
            or Tag.nondeterministic_seeded in func.tags
        ):
            return NotImplemented
        if any(isinstance(leaf, _device) for leaf in leaves):
            return NotImplemented
        args, kwargs = tree_unflatten(
            [leaf.constant if isinstance(leaf, FakeTensor) else leaf for leaf in leaves], spec
        )
        with _modes.disabled(), no_grad():
            result = func(*args, **kwargs)
        if result is args[0]:
            return leaves[0]  # written in place; its value is still known
        if isinstance(result, Tensor) and result.numel() <= CONSTANT_NUMEL_LIMIT:
            elem = self.fake_tensor_converter._elem(result)
            return FakeTensor(self, elem, given[0].fake_device, result)
        return result if not _has_tensors(result) else NotImplemented

    def _computed(self, func, leaves, spec, given, device):
        elems = {id(t.elem): t for t in given}
        args, kwargs = tree_unflatten([_elem_of(leaf) for leaf in leaves], spec)
        if "device" in kwargs or is_tensor_constructor(func):
            kwargs["device"] = _META
        self.in_kernel_invocation = True
        try:
            with _modes.disabled(), no_grad(), sizes_from(_unknown_size):
                result = func(*args, **kwargs)
        finally:
            self.in_kernel_invocation = False
        if Tag.inplace_view in func.tags or func._opname in ("resize_", "set_"):
            for t in given:
                t._follow()
        return tree_map(functools.partial(self._wrapped, elems, device), result)

    def _wrapped(self, elems, device, t):
        if not isinstance(t, Tensor):
            return t
        return elems[id(t)] if id(t) in elems else FakeTensor(self, _on_meta(t), device)


def _unknown_size(func, min, max):
    raise DynamicOutputShapeException(func)


def _on_meta(t):
    return t if t.is_meta else t.to(_META)


def _elem_of(leaf):
    if isinstance(leaf, FakeTensor):
        return leaf.elem
    return _META if isinstance(leaf, _device) else leaf


def _has_tensors(result):
    return any(isinstance(leaf, Tensor) for leaf in tree_flatten(result)[0])


def _forget_constants(func, args, kwargs):
    bound = func._schema.bind(args, kwargs)
    for a in func._schema.arguments:
        if a.is_write:
            for t in tree_flatten(bound[a.name])[0]:
                if isinstance(t, FakeTensor):
                    t.constant = None


def _reject_data_dependent(func, leaves):
    """Raise an error if the operator depends on the elements of fake tensors."""
    if func._opname in ("index", "index_put", "index_put_", "_index_put_impl_"):
        masks = any(isinstance(t, FakeTensor) and t.dtype in _BOOLEANS for t in leaves[1:])
        if masks and func._opname == "index":
            raise DynamicOutputShapeException(_aten.nonzero.default)
        return
    if Tag.data_dependent_output in func.tags:
        raise DataDependentOutputException(func)
    if Tag.dynamic_output_shape in func.tags:
        raise DynamicOutputShapeException(func)


def _rendered(func, args, kwargs):
    def shown(value):
        if isinstance(value, FakeTensor):
            return repr(value)
        if isinstance(value, Tensor):
            return f"tensor([...], size={tuple(value.shape)})"
        if isinstance(value, (tuple, list)):
            return "[" + ", ".join(map(shown, value)) + "]"
        return repr(value)

    parts = [shown(a) for a in args] + [f"{key}={shown(a)}" for key, a in kwargs.items()]
    return f"{func}({', '.join(parts)})"


class FakeCopyMode(TorchFunctionMode):
    """Mode in which ``copy.deepcopy`` of a tensor returns a fake tensor."""

    def __init__(self, fake_mode):
        super().__init__()
        self.fake_mode = fake_mode

    def __torch_function__(self, func, types, args=(), kwargs=None):
        """Return a fake tensor for a clone or deep copy; call other functions unchanged."""
        kwargs = kwargs or {}
        if func is Tensor.clone:
            return func(self.fake_mode.from_tensor(args[0]), **kwargs)
        if func is Tensor.__deepcopy__:
            t, memo = args
            if id(t) not in memo:
                memo[id(t)] = self.fake_mode.from_tensor(t)
            return memo[id(t)]
        return func(*args, **kwargs)


def unset_fake_temporarily():
    """Return a context manager that leaves the innermost `FakeTensorMode` for its block, which receives the mode."""
    fake = next((m for m in reversed(_modes.stack()) if isinstance(m, FakeTensorMode)), None)
    return _modes.without(fake)


def is_fake(x):
    """Return whether `x` is a fake tensor or wraps one."""
    if isinstance(x, FakeTensor):
        return True
    return maybe_get_fake_mode(x) is not None


def maybe_get_fake_mode(t):
    """Return the mode of a fake tensor or of the fake tensors inside a wrapper, or None."""
    from minitorch.utils._python_dispatch import is_traceable_wrapper_subclass

    if isinstance(t, FakeTensor):
        return t.fake_mode
    if is_traceable_wrapper_subclass(t):
        attributes, _ = t.__tensor_flatten__()
        found = [maybe_get_fake_mode(getattr(t, name)) for name in attributes]
        return found[0] if found else None
    return None
