"""Switches of Intel's oneDNN."""

from minitorch.backends._switches import switched

enabled = True
deterministic = False
allow_tf32 = True


def is_available():
    """Return False, since oneDNN is not available."""
    return False


def is_acl_available():
    """Return False, since the Arm Compute Library is not available."""
    return False


def flags(enabled=False, deterministic=False, allow_tf32=True, fp32_precision="none"):
    """Return a context manager in which the switches are set."""
    return switched(__name__, enabled=enabled, deterministic=deterministic, allow_tf32=allow_tf32)
