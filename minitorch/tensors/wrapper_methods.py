"""Methods of `Tensor` that create tensors of classes with ``__torch_dispatch__``, and `record_stream`."""

from minitorch._tensor import Tensor
from minitorch.autograd.functions.composed import parsed
from minitorch.autograd.python_dispatch import (
    has_own_dispatch,
    let_class_say,
    set_device,
    set_layout,
    without_data,
)
from minitorch.autograd.upward_calls import dispatch
from minitorch.core import types as _types
from minitorch.core.dtype import dtype as _dtype
from minitorch.parsing.values import register_type
from minitorch.tensors.streams import Stream
from minitorch.tensors.type_info import get_default_dtype

_OPTIONS = frozenset(
    "layout device pin_memory requires_grad "
    "dispatch_sizes_strides_policy dispatch_device dispatch_layout _extra_dispatch_keys storage_size".split()
)


def make_wrapper_subclass(
    cls, size=None, strides=None, storage_offset=None, memory_format=None, dtype=None, **options
):
    """Return a tensor of class `cls` with these sizes and without data.

    Parameters
    ----------
    cls : type
        A tensor subclass with ``__torch_dispatch__``.
    size : sequence of int
    strides : sequence of int, optional
        Default: row-major, or given by `memory_format`.
    storage_offset : int, optional
    dtype : dtype, optional
        Default: the default dtype.
    requires_grad : bool, optional
    **options : object
        `device` and `layout` are the reported device and layout, `storage_size` the bytes of the
        storage. With ``dispatch_sizes_strides_policy`` ("strides", or "sizes" for both),
        ``dispatch_device`` or ``dispatch_layout``, these properties are dispatched to the class.
        `pin_memory` has no effect.

    Raises
    ------
    TypeError
        `cls` is not a tensor subclass or has no ``__torch_dispatch__``, or an option is unknown.
    RuntimeError
        `storage_offset` is given without `strides`.
    """
    if size is None:
        raise TypeError('_make_wrapper_subclass() missing 1 required positional arguments: "size"')
    _check_size(size)
    if not (dtype is None or isinstance(dtype, _dtype)):
        raise TypeError(
            f"_make_wrapper_subclass(): argument 'dtype' must be torch.dtype, not {type(dtype).__name__}"
        )
    policy = options.get("dispatch_sizes_strides_policy")
    if policy not in (None, "sizes", "strides"):
        raise ValueError(f"Unknown sizes_strides_policy: {policy}; expected 'strides' or 'sizes'")
    if not options.keys() <= _OPTIONS:
        name = next(name for name in options if name not in _OPTIONS)
        raise TypeError(f"_make_wrapper_subclass() got an unexpected keyword argument '{name}'")
    if not isinstance(cls, type):
        raise TypeError(f"cls must be a type (got {type(cls).__name__})")
    if not issubclass(cls, Tensor):
        raise TypeError(
            "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. Make "
            "sure your class inherits from Tensor."
        )
    if not has_torch_dispatch(cls):
        raise TypeError(f"{cls.__name__} must define __torch_dispatch__")
    if strides is None and storage_offset is not None:
        raise RuntimeError("setting storage offset without stride not supported")
    dtype = dtype or get_default_dtype()
    size = tuple(map(int, size))
    if strides is None and memory_format in (_types.channels_last, _types.channels_last_3d):
        channels = size[1]
        inner = [1] * len(size)
        step = channels
        for d in range(len(size) - 1, 1, -1):
            inner[d] = step
            step *= size[d]
        inner[0] = step
        strides = inner
    strides = None if strides is None else tuple(int(n) for n in strides)
    storage_size = options.get("storage_size")
    storage_size = -1 if storage_size is None else int(storage_size)
    self = without_data(cls, size, strides, storage_offset or 0, dtype._code, storage_size)
    device = options.get("device")
    if device is not None:
        device = device if isinstance(device, _types.device) else _types.device(device)
        set_device(self, None if device.type == "cpu" else device)
    if options.get("layout") not in (None, _types.strided):
        set_layout(self, options["layout"])
    if options.get("_extra_dispatch_keys") is not None:
        vars(self)["_extra_dispatch_keys"] = options["_extra_dispatch_keys"]._keys
    about = _SAID_OF[policy]
    if options.get("dispatch_device"):
        about += ("device",)
    if options.get("dispatch_layout"):
        about += ("layout",)
    if about:
        let_class_say(self, about)
    if options.get("requires_grad"):
        self._change_requires_grad(
            True, "Only Tensors of floating point and complex dtype can require gradients"
        )
    return self


_SAID_OF = {None: (), "strides": ("strides", "contiguous")}
_SAID_OF["sizes"] = (*_SAID_OF["strides"], "sizes", "dim", "numel", "offset")


def _check_size(size):
    wrong = "_make_wrapper_subclass(): argument 'size' (position 2) must be tuple of ints"
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"{wrong}, not {type(size).__name__}")
    for position, n in enumerate(size):
        if isinstance(n, float):
            kind = type(n).__name__
            raise TypeError(f"{wrong}, but found element of type {kind} at pos {position}")


def has_torch_dispatch(cls):
    """Return whether a tensor class overrides ``__torch_dispatch__``."""
    method = cls.__torch_dispatch__
    return getattr(method, "__func__", method) is not Tensor.__torch_dispatch__.__func__


def make_subclass(
    cls,
    data,
    require_grad=False,
    *,
    dispatch_sizes_strides_policy=None,
    dispatch_device=False,
    dispatch_layout=False,
    device_for_backend_keys=None,
):
    """Return a leaf of class `cls` that shares the memory of `data`.

    The options are those of `make_wrapper_subclass`.
    """
    if dispatch_sizes_strides_policy not in _SAID_OF:
        raise ValueError(
            f"Unknown sizes_strides_policy: {dispatch_sizes_strides_policy}; expected 'strides' or 'sizes'"
        )
    self = _share(cls, data, require_grad)
    about = set(_SAID_OF[dispatch_sizes_strides_policy])
    about.update(
        what for what, asked in (("device", dispatch_device), ("layout", dispatch_layout)) if asked
    )
    if about and has_own_dispatch(self):
        let_class_say(self, about)
    return self


def record_stream(self, s):
    """Keep the memory until the work of a stream is done, on devices with streams.

    Parameters
    ----------
    s : Stream

    Returns
    -------
    None

    Raises
    ------
    NotImplementedError
        For a tensor on the CPU.
    TypeError
        If `s` is not a stream.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.ones(1).record_stream(torch.Stream("cpu"))
    Traceback (most recent call last):
    ...
    NotImplementedError: Could not run 'aten::record_stream' with arguments from the 'CPU' backend.
    """
    return dispatch().record_stream(self, s)


register_type("Stream", lambda x: isinstance(x, Stream))
_share = Tensor._make_subclass
Tensor._make_subclass = staticmethod(make_subclass)  # type: ignore[method-assign]
Tensor._make_wrapper_subclass = staticmethod(make_wrapper_subclass)
Tensor.record_stream = parsed(record_stream, ("record_stream(Stream s)",), method=True)
