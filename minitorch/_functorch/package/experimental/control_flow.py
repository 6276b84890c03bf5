"""``functorch.experimental.control_flow``: `cond` and `map`."""

from minitorch._higher_order_ops.cond import cond
from minitorch._higher_order_ops.map import _stack_pytree, _unstack_pytree, map

__all__ = ["_stack_pytree", "_unstack_pytree", "cond", "map"]
