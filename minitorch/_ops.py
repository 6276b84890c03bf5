"""Names that programs reach in ``torch._ops``."""

from minitorch._dispatch.operators import (
    OpOverload,
    OpOverloadPacket,
    _OpNamespace,  # noqa: F401
    _Ops,  # noqa: F401
    ops,
)

__all__ = ["HigherOrderOperator", "OpOverload", "OpOverloadPacket", "ops"]


class HigherOrderOperator:
    """An operator that takes functions; there is no instance.

    Raises
    ------
    NotImplementedError
        When one is made.
    """

    def __init__(self, name, *args, **kwargs):
        raise NotImplementedError(f"torch._ops.HigherOrderOperator {name}")
