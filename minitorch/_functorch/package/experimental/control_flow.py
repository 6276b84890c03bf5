"""``functorch.experimental.control_flow``: branches and maps."""

from minitorch._higher_order_ops.cond import cond
from minitorch._higher_order_ops.map import _stack_pytree, _unstack_pytree, map

__all__ = ["_stack_pytree", "_unstack_pytree", "cond", "map"]
