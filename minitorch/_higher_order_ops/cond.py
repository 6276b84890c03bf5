"""The branch of compiled programs."""

from minitorch._absent import absent

__all__ = ["cond_op"]

cond_op = absent("torch._higher_order_ops.cond.cond_op")
