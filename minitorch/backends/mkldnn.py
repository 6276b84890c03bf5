"""Intel's oneDNN."""

from minitorch.backends._switches import switched

enabled = True
deterministic = False
allow_tf32 = True


def is_available():
    """Whether convolutions are computed by it: no."""
    return False


def is_acl_available():
    """Whether ARM's library is there: no."""
    return False


def flags(enabled=False, deterministic=False, allow_tf32=True, fp32_precision="none"):
    """A context in which the switches are set."""
    return switched(__name__, enabled=enabled, deterministic=deterministic, allow_tf32=allow_tf32)
