"""`autocast`: the mixed precision switch, its nesting, and decorators of custom Functions.

``_casts.py`` contains the casts of function arguments.
"""

import collections.abc
import functools
import warnings

from minitorch._tensor import Tensor
from minitorch.amp import _casts
from minitorch.amp.autocast_state import AVAILABLE, Entered, check_dtype, switch
from minitorch.amp.autocast_state import state as _state
from minitorch.core.dtype import _dtypes
from minitorch.core.types import device

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]


def _type(device_type):
    return device(device_type).type


def is_autocast_available(device_type):
    """Return True if a device type, such as ``"cpu"``, supports `autocast`.

    Parameters
    ----------
    device_type : str
        The name of a kind of device.

    Returns
    -------
    bool

    Raises
    ------
    RuntimeError
        If the name is unknown.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.amp.is_autocast_available("cpu")
    True
    """
    return _type(device_type) in AVAILABLE


def is_autocast_enabled(device_type=None):
    """Return True if `autocast` is enabled for a device type, by default CUDA.

    Parameters
    ----------
    device_type : str
        Such as ``"cpu"``.

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.autocast("cpu"):
    ...     torch.is_autocast_enabled("cpu")
    True
    """
    return _state.enabled.get(_type(device_type or "cuda"), False)


def set_autocast_enabled(device_type, enabled=None):
    """Enable or disable `autocast` for a device type; with a bool only, for CUDA.

    Parameters
    ----------
    device_type : str
        Such as ``"cpu"``.
    enabled : bool
        Whether operators cast their arguments.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.set_autocast_enabled("cpu", True)
    >>> torch.is_autocast_enabled("cpu")
    True
    >>> torch.set_autocast_enabled("cpu", False)
    """
    if enabled is None:
        device_type, enabled = "cuda", device_type
    switch(_type(device_type), bool(enabled))


def get_autocast_dtype(device_type):
    """Return the dtype of `autocast` for a device type.

    Parameters
    ----------
    device_type : str
        Such as ``"cpu"``.

    Returns
    -------
    dtype

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.get_autocast_dtype("cpu")
    torch.bfloat16
    """
    return _state.dtypes[_type(device_type)]


def set_autocast_dtype(device_type, dtype):
    """Set the dtype of `autocast` for a device type.

    Parameters
    ----------
    device_type : str
        Such as ``"cpu"``.
    dtype : dtype
        Such as ``torch.bfloat16``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.set_autocast_dtype("cpu", torch.float16)
    >>> torch.get_autocast_dtype("cpu")
    torch.float16
    >>> torch.set_autocast_dtype("cpu", torch.bfloat16)
    """
    check_dtype(dtype)
    _state.dtypes[_type(device_type)] = dtype


def is_autocast_cache_enabled():
    """Return True if casts of parameters are cached while `autocast` is enabled.

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.is_autocast_cache_enabled()
    True
    """
    return _state.cache


def set_autocast_cache_enabled(enabled):
    """Set whether casts of parameters are cached while `autocast` is enabled.

    Parameters
    ----------
    enabled : bool
        The new value.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.set_autocast_cache_enabled(False)
    >>> torch.is_autocast_cache_enabled()
    False
    >>> torch.set_autocast_cache_enabled(True)
    """
    _state.cache = bool(enabled)


def autocast_increment_nesting():
    """Increment the nesting level of `autocast` and return it.

    Returns
    -------
    int

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.autocast_increment_nesting()
    1
    >>> torch.autocast_decrement_nesting()
    0
    """
    _state.nesting += 1
    return _state.nesting


def autocast_decrement_nesting():
    """Decrement the nesting level of `autocast` and return it.

    Returns
    -------
    int

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.autocast_increment_nesting()
    1
    >>> torch.autocast_decrement_nesting()
    0
    """
    _state.nesting -= 1
    return _state.nesting


def clear_autocast_cache():
    """Clear the cache in which `autocast` keeps casts of leaves that require grad.

    The casts have the lower dtype of the context. Leaving the outermost `autocast` clears the cache too.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.ones(2, 2, requires_grad=True)
    >>> with torch.autocast("cpu"):
    ...     y = w @ w
    ...     torch.clear_autocast_cache()  # the next product casts `w` again
    ...     z = w @ w
    >>> y.dtype
    torch.bfloat16
    """
    _casts.forget()


def _old_names(device_type):
    """Return the deprecated functions named after a device, such as ``is_autocast_cpu_enabled``."""

    def told(function, old, new):
        @functools.wraps(function)
        def wrapper(*args):
            warnings.warn(
                f"torch.{old} is deprecated. Please use torch.{new} instead.",
                DeprecationWarning,
                stacklevel=2,
            )
            return function(device_type, *args)

        wrapper.__name__ = wrapper.__qualname__ = old.partition("(")[0]
        return wrapper

    name = "gpu" if device_type == "cuda" else device_type
    functions = [
        (get_autocast_dtype, f"get_autocast_{name}_dtype()", f"get_autocast_dtype('{device_type}')"),
        (set_autocast_dtype, f"set_autocast_{name}_dtype(dtype)",
         f"set_autocast_dtype('{device_type}', dtype)"),
    ]  # fmt: skip
    if device_type != "cuda":
        functions += [
            (is_autocast_enabled, f"is_autocast_{name}_enabled()",
             f"is_autocast_enabled('{device_type}')"),
            (set_autocast_enabled, f"set_autocast_{name}_enabled(enabled)",
             f"set_autocast_enabled('{device_type}', enabled)"),
        ]  # fmt: skip
    return {old.partition("(")[0]: told(function, old, new) for function, old, new in functions}


old_names = {}
for _device in ("cpu", "cuda", "ipu", "xla"):
    old_names.update(_old_names(_device))


# function name -> what casts its arguments; called through DispatchCalls.casts
CASTS = _casts.casts(lambda: get_autocast_dtype("cpu"), is_autocast_cache_enabled)


class autocast(Entered):
    """Enable mixed precision in a block or a function.

    Products and convolutions run in the lower dtype, losses and decompositions in float32.

    Parameters
    ----------
    device_type : str
        ``"cpu"``. For devices that are not available, `autocast` warns and stays disabled.
    dtype : dtype, optional
        bfloat16 or float16. With any other dtype, `autocast` warns and stays disabled.
    enabled : bool
    cache_enabled : bool, optional

    Raises
    ------
    ValueError
        If `device_type` is not a string.
    RuntimeError
        If it is not a device type.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.autocast("cpu", dtype=torch.float16):
    ...     print(torch.is_autocast_enabled("cpu"), (torch.ones(2, 2) @ torch.ones(2, 2)).dtype)
    True torch.float16
    """

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.device = _type(device_type)
        if not is_autocast_available(self.device):
            raise RuntimeError(
                f"User specified an unsupported autocast device_type '{self.device}'"
            )
        self.fast_dtype = get_autocast_dtype(self.device) if dtype is None else dtype
        self._cache_enabled = (
            is_autocast_cache_enabled() if cache_enabled is None else cache_enabled
        )
        self._enabled = enabled and not self._warn_if_unsupported()

    def _warn_if_unsupported(self):
        """Warn and return True if `autocast` must stay disabled."""
        if self.device == "cuda":
            text = "CUDA is not available or torch_xla is imported. Disabling autocast."
        elif self.device == "cpu" and self.fast_dtype not in _lower_dtypes():
            text = (
                "In CPU autocast, but the target dtype is not supported. Disabling autocast.\n"
                "CPU Autocast only supports dtypes of torch.bfloat16, torch.float16 currently."
            )
        else:
            return False
        warnings.warn(text, UserWarning, stacklevel=4)
        return True

    _forget = staticmethod(clear_autocast_cache)

    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return wrapper


def _lower_dtypes():
    dtypes = _dtypes()
    return [dtypes[name] for name in ("float16", "bfloat16") if name in dtypes]


def _cast(value, device_type, dtype):
    """Cast floating-point tensors in nested containers to a dtype, except float64."""
    if isinstance(value, Tensor):
        wanted = value.is_floating_point() and value.device.type == device_type
        return value.to(dtype) if wanted and value.dtype is not _dtypes()["float64"] else value
    if isinstance(value, (str, bytes)):
        return value
    if isinstance(value, collections.abc.Mapping):
        return {
            _cast(key, device_type, dtype): _cast(item, device_type, dtype)
            for key, item in value.items()
        }
    if isinstance(value, collections.abc.Iterable):
        items = (_cast(item, device_type, dtype) for item in value)
        return type(value)(items) if isinstance(value, (list, tuple)) else items
    return value


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    """Decorate the ``forward`` of an `autograd.Function` for `autocast`.

    Parameters
    ----------
    fwd : callable, optional
    device_type : str
    cast_inputs : dtype, optional
        Under `autocast`, cast the inputs to this dtype and run the function with `autocast`
        disabled.

    Returns
    -------
    callable
        The decorated function, or a decorator if `fwd` is left out.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Square(torch.autograd.Function):
    ...     @staticmethod
    ...     @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...     @staticmethod
    ...     @torch.amp.custom_bwd(device_type="cpu")
    ...     def backward(ctx, grad):
    ...         (x,) = ctx.saved_tensors
    ...         return 2 * x * grad
    >>> with torch.autocast("cpu"):
    ...     Square.apply(torch.ones(1, dtype=torch.bfloat16)).dtype
    torch.float32
    """
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorated(*args, **kwargs):
        args[0]._dtype = get_autocast_dtype(device_type)
        enabled = is_autocast_enabled(device_type)
        if cast_inputs is None or not enabled:
            args[0]._fwd_used_autocast = enabled
            return fwd(*args, **kwargs)
        args[0]._fwd_used_autocast = False
        with autocast(device_type=device_type, enabled=False):
            return fwd(
                *_cast(args, device_type, cast_inputs), **_cast(kwargs, device_type, cast_inputs)
            )

    return decorated


def custom_bwd(bwd=None, *, device_type):
    """Decorate the ``backward`` of an `autograd.Function` for `autocast`.

    It runs with the `autocast` state of the forward.

    Parameters
    ----------
    bwd : callable, optional
    device_type : str

    Returns
    -------
    callable
        The decorated function, or a decorator if `bwd` is left out.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Square(torch.autograd.Function):
    ...     @staticmethod
    ...     @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...     @staticmethod
    ...     @torch.amp.custom_bwd(device_type="cpu")
    ...     def backward(ctx, grad):
    ...         (x,) = ctx.saved_tensors
    ...         return 2 * x * grad
    >>> with torch.autocast("cpu"):
    ...     Square.apply(torch.ones(1, dtype=torch.bfloat16)).dtype
    torch.float32
    """
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorated(*args, **kwargs):
        with autocast(
            device_type=device_type, enabled=args[0]._fwd_used_autocast, dtype=args[0]._dtype
        ):
            return bwd(*args, **kwargs)

    return decorated
