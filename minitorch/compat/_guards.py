"""Detection of the active fake tensor mode."""

from minitorch._dispatch import modes as _modes
from minitorch._subclasses.fake_tensor import FakeTensorMode, maybe_get_fake_mode
from minitorch._tensor import Tensor
from minitorch.tensors.rebuilding import FakeModes
from minitorch.utils._pytree import tree_flatten

__all__ = ["active_fake_mode", "detect_fake_mode"]


def active_fake_mode():
    """Return the active fake tensor mode, or None."""
    return FakeModes.entered()


def detect_fake_mode(inputs=None):
    """Return the fake tensor mode of the inputs or the active one, or None.

    Raises
    ------
    AssertionError
        If there are different modes.
    """
    found = [m for m in reversed(_modes.stack()) if isinstance(m, FakeTensorMode)]
    for leaf in tree_flatten(inputs)[0]:
        mode = maybe_get_fake_mode(leaf) if isinstance(leaf, Tensor) else None
        if mode is not None:
            found.append(mode)
    if any(mode is not found[0] for mode in found):
        raise AssertionError(
            f"fake mode from active fake mode doesn't match mode from inputs: {found}"
        )
    return found[0] if found else None
