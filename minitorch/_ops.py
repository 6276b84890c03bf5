"""Names that programs reach in ``torch._ops``."""

from minitorch._absent import Absent
from minitorch._dispatch.operators import (
    OpOverload,
    OpOverloadPacket,
    _OpNamespace,  # noqa: F401
    _Ops,  # noqa: F401
    ops,
)

__all__ = ["HigherOrderOperator", "OpOverload", "OpOverloadPacket", "ops"]


class HigherOrderOperator(Absent):
    """An operator that takes functions."""
