"""The thread-local state of `autocast`, and its ``__enter__`` and ``__exit__``."""

import threading

from minitorch.autograd.functions.overridable import switch_autocast
from minitorch.core.dtype import _dtypes
from minitorch.core.dtype import dtype as _dtype

AVAILABLE = ("cpu", "cuda", "hpu", "ipu", "maia", "mps", "mtia", "privateuseone", "xla", "xpu")


class _State(threading.local):
    """Thread-local state: enabled devices, their dtypes, whether casts are cached, nesting level."""

    def __init__(self):
        dtypes = _dtypes()
        half = dtypes["float16"]
        self.enabled = dict.fromkeys(AVAILABLE, False)
        self.dtypes = dict.fromkeys(AVAILABLE, dtypes.get("bfloat16", half))
        self.dtypes.update(cuda=half, mps=half, ipu=half)
        self.cache = True
        self.nesting = 0


state = _State()


def switch(str device_type, bint enabled):
    """Enable or disable `autocast` for a device type."""
    state.enabled[device_type] = enabled
    if device_type == "cpu":
        switch_autocast(enabled)


def check_dtype(dtype):
    """Raise PyTorch's TypeError unless the argument is a dtype."""
    if not isinstance(dtype, _dtype):
        raise TypeError(
            "set_autocast_dtype(): argument 'dtype' (position 2) must be torch.dtype, not "
            f"{type(dtype).__name__}")


class Entered:
    """``__enter__`` and ``__exit__`` of `autocast`, see Note [Atomic entering] in minitorch/core/context.pyx.

    Subclasses have the attributes `device`, `fast_dtype`, `_enabled` and `_cache_enabled`, and a method ``_forget()``,
    which is called when the outermost `autocast` exits.
    """

    def __enter__(self):
        device = self.device
        check_dtype(self.fast_dtype)
        self._before = state.enabled[device], state.dtypes[device], state.cache
        switch(device, bool(self._enabled))
        state.dtypes[device] = self.fast_dtype
        state.cache = bool(self._cache_enabled)
        state.nesting += 1
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        enabled, dtype, cache = self._before
        switch(self.device, enabled)
        state.dtypes[self.device] = dtype
        state.cache = cache
        state.nesting -= 1
        if state.nesting == 0:
            self._forget()
        return False
