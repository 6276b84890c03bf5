"""Graphs of programs: nothing is traced here, and what is marked for a tracer runs as it is."""

import sys

__all__ = ["Graph", "GraphModule", "Interpreter", "Node", "Proxy", "Tracer", "Transformer",
           "has_side_effect", "symbolic_trace", "wrap"]  # fmt: skip


class _NotHere:
    """There is no instance: packages name the class and ask whether something is one.

    Raises
    ------
    NotImplementedError
        When one is made.
    """

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(f"torch.fx.{self.__class__.__name__} is not part of minitorch")


class Graph(_NotHere):
    """The operators of a traced function."""


class GraphModule(_NotHere):
    """A module made of a graph."""


class Interpreter(_NotHere):
    """Runs a graph node by node."""


class Node(_NotHere):
    """One operator of a graph."""


class Proxy(_NotHere):
    """What stands for a tensor while a function is traced."""


class Tracer(_NotHere):
    """Traces functions and modules."""


class Transformer(_NotHere):
    """Makes another graph of a graph."""


def symbolic_trace(root, concrete_args=None):
    """Raises NotImplementedError: nothing is traced."""
    raise NotImplementedError("torch.fx.symbolic_trace is not part of minitorch")


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
