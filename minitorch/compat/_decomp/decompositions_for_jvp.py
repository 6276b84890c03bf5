"""Decompositions for forward mode, unused because forward mode has its own formulas."""

from minitorch._decomp.tables import register_decomposition
from minitorch._dispatch.operators import ops

__all__ = ["decomposition_table_for_jvp", "register_decomposition_for_jvp"]

decomposition_table_for_jvp: dict = {}


def register_decomposition_for_jvp(fn):
    """Register a function as the decomposition of the operator with its name."""
    overload = getattr(ops.aten, fn.__name__).default
    return register_decomposition(overload, decomposition_table_for_jvp)(fn)
