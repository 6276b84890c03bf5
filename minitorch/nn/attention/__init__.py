"""How attention may be computed: the choice is kept and asked for, and there is one way here."""

import contextlib
import enum

__all__ = ["SDPBackend", "sdpa_kernel"]


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


def _cur_sdpa_kernel_backends():
    """The ways that are allowed now."""
    return [backend for name, backend in _NAMES.items() if _switches()._attention[name]]


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
    with _switches()._allowed(**{name: backend in backends for name, backend in _NAMES.items()}):
        yield {}
