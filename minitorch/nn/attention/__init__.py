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
    chosen = set(backends)
    from minitorch.backends import cuda as switches

    with switches.sdp_kernel(
        enable_flash=SDPBackend.FLASH_ATTENTION in chosen,
        enable_math=SDPBackend.MATH in chosen,
        enable_mem_efficient=SDPBackend.EFFICIENT_ATTENTION in chosen,
        enable_cudnn=SDPBackend.CUDNN_ATTENTION in chosen,
    ):
        yield {}
