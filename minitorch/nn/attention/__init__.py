"""The choice of attention backends; it is stored, but there is only one implementation here."""

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
    """The backends of `nn.functional.scaled_dot_product_attention`.

    Parameters
    ----------
    value : int
        The number of a member; ``SDPBackend(0)`` is the first one.
    names, module, qualname, type, start, boundary : optional
        The other arguments of Python's enumerations, which create a new one.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.attention.SDPBackend(0)
    <SDPBackend.MATH: 0>
    >>> [backend.name for backend in torch.nn.attention.SDPBackend]
    ['ERROR', 'MATH', 'FLASH_ATTENTION', 'EFFICIENT_ATTENTION', 'CUDNN_ATTENTION', 'OVERRIDEABLE']
    """

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
    # imported lazily, because few programs choose a backend
    from minitorch.backends import cuda

    return cuda


# the order of preference, which is stored but not used
_priority = [
    SDPBackend.FLASH_ATTENTION,
    SDPBackend.EFFICIENT_ATTENTION,
    SDPBackend.MATH,
    SDPBackend.CUDNN_ATTENTION,
    SDPBackend.OVERRIDEABLE,
]


def _cur_sdpa_kernel_backends(with_priority=False):
    """Return the allowed backends, on request in the order of preference."""
    allowed = [backend for name, backend in _NAMES.items() if _switches()._attention[name]]
    return sorted(allowed, key=_priority.index) if with_priority else allowed


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    """Allow only some backends for attention inside a block.

    Parameters
    ----------
    backends : SDPBackend or list of SDPBackend
    set_priority : bool
        Take the order of `backends` as the order of preference.

    Yields
    ------
    dict
        Empty.

    Raises
    ------
    AssertionError
        If `backends` is neither a backend nor a list.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.attention import SDPBackend, sdpa_kernel
    >>> x = torch.ones(1, 1, 2, 4)
    >>> with sdpa_kernel(SDPBackend.MATH):
    ...     torch.nn.functional.scaled_dot_product_attention(x, x, x).shape
    torch.Size([1, 1, 2, 4])
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
