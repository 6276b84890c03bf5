"""How attention may be computed: the choice is kept and asked for, and there is one way here."""

import contextlib
import enum

from minitorch.nn.attention._registry import (
    activate_flash_attention_impl,
    current_flash_attention_impl,
    list_flash_attention_impls,
    register_flash_attention_impl,
    restore_flash_attention_impl,
)

__all__ = [
    "SDPBackend",
    "activate_flash_attention_impl",
    "current_flash_attention_impl",
    "list_flash_attention_impls",
    "register_flash_attention_impl",
    "restore_flash_attention_impl",
    "sdpa_kernel",
]


class SDPBackend(enum.IntEnum):
    """The ways to compute `nn.functional.scaled_dot_product_attention`."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    __str__ = enum.Enum.__str__


# the switches of `backends.cuda`, in PyTorch's order
_NAMES = {
    "cudnn": SDPBackend.CUDNN_ATTENTION,
    "flash": SDPBackend.FLASH_ATTENTION,
    "mem_efficient": SDPBackend.EFFICIENT_ATTENTION,
    "math": SDPBackend.MATH,
    "overrideable": SDPBackend.OVERRIDEABLE,
}


def _switches():
    # not every program asks for a way
    from minitorch.backends import cuda

    return cuda


# the order of preference; no choice is made by it
_priority = [
    SDPBackend.FLASH_ATTENTION,
    SDPBackend.EFFICIENT_ATTENTION,
    SDPBackend.MATH,
    SDPBackend.CUDNN_ATTENTION,
    SDPBackend.OVERRIDEABLE,
]


def _cur_sdpa_kernel_backends(with_priority=False):
    """The ways that are allowed now, in the order of preference if that is wanted."""
    allowed = [backend for name, backend in _NAMES.items() if _switches()._attention[name]]
    return sorted(allowed, key=_priority.index) if with_priority else allowed


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    """Allow some ways to compute attention in a block.

    Parameters
    ----------
    backends : SDPBackend or list of SDPBackend
    set_priority : bool
        That they are given in the order of preference.
    """
    if isinstance(backends, SDPBackend):
        backends = [backends]
    if not isinstance(backends, list):
        raise AssertionError(
            "Backend must be an instance of SDPBackend or a list of SDPBackend instances, "
            f"got {type(backends).__name__}"
        )
    before = list(_priority)
    if set_priority:
        first = list(dict.fromkeys(backends))
        _priority[:] = first + [backend for backend in before if backend not in first]
    try:
        allowed = {name: backend in backends for name, backend in _NAMES.items()}
        with _switches()._allowed(**allowed):
            yield {}
    finally:
        _priority[:] = before
