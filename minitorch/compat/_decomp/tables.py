"""The tables of decompositions and their registration."""

from collections import defaultdict

from minitorch._dispatch.operators import OpOverload, OpOverloadPacket
from minitorch._ops import HigherOrderOperator
from minitorch.utils._pytree import tree_leaves

__all__ = [
    "decomposition_table",
    "get_decompositions",
    "global_decomposition_table",
    "meta_table",
    "pre_autograd_decomposition_table",
    "register_decomposition",
    "remove_decompositions",
]

global_decomposition_table: dict = defaultdict(dict)
decomposition_table = global_decomposition_table["post_autograd"]
pre_autograd_decomposition_table = global_decomposition_table["pre_autograd"]
meta_table = global_decomposition_table["meta"]


def _table(type):
    if type not in ("post_autograd", "pre_autograd", "meta"):
        raise AssertionError(
            f"type must be one of post_autograd, pre_autograd, or meta, got {type}"
        )
    return global_decomposition_table[type]


def _overloads(operator):
    if isinstance(operator, (HigherOrderOperator, OpOverload)):
        return [operator]
    if not isinstance(operator, OpOverloadPacket):
        raise AssertionError(f"expected OpOverloadPacket, got {operator.__class__}")
    return operator.op_overloads()


def register_decomposition(aten_op, registry=None, *, type="post_autograd", unsafe=False):
    """Return a decorator that registers a function as the decomposition of operators.

    Parameters
    ----------
    aten_op : OpOverload or OpOverloadPacket, or several of them in containers
        For a packet, all its overloads are registered.
    registry : dict, optional
        The table to register in; by default the global table for `type`.
    type : {"post_autograd", "pre_autograd", "meta"}
    unsafe : bool
        Ignored.

    Raises
    ------
    RuntimeError
        If an operator already has a decomposition in the table.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._decomp import get_decompositions, register_decomposition
    >>> table = {}
    >>> @register_decomposition(torch.ops.aten.square, table)
    ... def square(x):
    ...     return x * x
    >>> table[torch.ops.aten.square.default] is square
    True
    """
    table = _table(type) if registry is None else registry

    def register(function):
        for operator in tree_leaves(aten_op):
            for overload in _overloads(operator):
                if overload in table:
                    raise RuntimeError(f"duplicate registrations for {overload}")
                table[overload] = function
        return function

    return register


def get_decompositions(aten_ops, type="post_autograd"):
    """Return the decompositions of operators by overload; overloads without one are omitted."""
    table = _table(type)
    return {
        overload: table[overload]
        for operator in aten_ops
        for overload in _overloads(operator)
        if overload in table
    }


def remove_decompositions(decompositions, aten_ops):
    """Remove the decompositions of operators from a table."""
    for operator in aten_ops:
        for overload in _overloads(operator):
            decompositions.pop(overload, None)
