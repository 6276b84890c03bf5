"""Names that programs reach in ``torch._ops``."""

from minitorch._dispatch.operators import OpOverload, OpOverloadPacket, ops

__all__ = ["OpOverload", "OpOverloadPacket", "ops"]
