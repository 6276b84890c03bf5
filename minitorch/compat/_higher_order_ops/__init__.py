"""Higher-order operators: branches, loops and scans, run as plain Python."""

from minitorch._higher_order_ops.associative_scan import associative_scan
from minitorch._higher_order_ops.cond import cond
from minitorch._higher_order_ops.map import map
from minitorch._higher_order_ops.scan import scan
from minitorch._higher_order_ops.while_loop import while_loop

__all__ = ["associative_scan", "cond", "map", "scan", "while_loop"]
