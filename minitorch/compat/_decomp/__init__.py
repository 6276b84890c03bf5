"""Decompositions: functions that compute an operator in terms of simpler ones.

Tables map operators to decompositions, for use by traces and modes. A few are predefined in
`decompositions`; programs can register others.
"""

from minitorch._decomp import decompositions as _decompositions  # noqa: F401 (fills the table)
from minitorch._decomp.tables import (
    decomposition_table,
    get_decompositions,
    global_decomposition_table,
    meta_table,
    pre_autograd_decomposition_table,
    register_decomposition,
    remove_decompositions,
)
from minitorch.core.lazy import lazy_attributes

__all__ = [
    "core_aten_decompositions",
    "decomposition_table",
    "get_decompositions",
    "global_decomposition_table",
    "meta_table",
    "pre_autograd_decomposition_table",
    "register_decomposition",
    "remove_decompositions",
]


def core_aten_decompositions():
    """Return a copy of the table of all decompositions."""
    return dict(decomposition_table)


__getattr__ = lazy_attributes(__name__, "decompositions")
