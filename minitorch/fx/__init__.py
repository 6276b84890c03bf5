"""Graphs of programs: nothing is traced here, and what is marked for a tracer runs as it is."""

import sys

from minitorch._absent import Absent, absent

__all__ = ["Graph", "GraphModule", "Interpreter", "Node", "Proxy", "Tracer", "Transformer",
           "has_side_effect", "symbolic_trace", "wrap"]  # fmt: skip


class Graph(Absent):
    """The operators of a traced function."""


class GraphModule(Absent):
    """A module made of a graph."""


class Interpreter(Absent):
    """Runs a graph node by node."""


class Node(Absent):
    """One operator of a graph."""


class Proxy(Absent):
    """What stands for a tensor while a function is traced."""


class Tracer(Absent):
    """Traces functions and modules."""


class Transformer(Absent):
    """Makes another graph of a graph."""


symbolic_trace = absent("torch.fx.symbolic_trace")


def has_side_effect(fn):
    """Mark a function as one that no graph may drop: the function itself."""
    return fn


def wrap(fn_or_name):
    """Mark a function as one that a tracer does not look into.

    Parameters
    ----------
    fn_or_name : str or callable

    Returns
    -------
    str or callable
        The argument.

    Raises
    ------
    RuntimeError
        If it is neither.
    NotImplementedError
        When it is called in a function, where the name would be the function's own.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fx.wrap("len")
    'len'
    """
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError(
            "Unsupported type for global function! Must be either a callable or string name"
        )
    if sys._getframe(1).f_code.co_name != "<module>":
        raise NotImplementedError("wrap must be called at the top level of a module")
    return fn_or_name
