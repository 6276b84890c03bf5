"""Recordings of whole programs, for the site and for `python -m minitorch trace`."""

import linecache
from pathlib import Path

from minitorch.autograd.observe.drawing import Names
from minitorch.autograd.observe.tracing import trace
from minitorch.autograd.variable import TensorBase


class GlobalNames:
    """The names of the tensors and parameters among the variables of a program, while it runs.

    Parameters
    ----------
    namespace : dict
    """

    def __init__(self, namespace):
        self.namespace = namespace

    def of(self, node):
        """Return the name of the node's tensor, or None. Of two names, the older one counts."""
        named = {}
        for name, value in self.namespace.items():
            if isinstance(value, TensorBase) and not name.startswith("_"):
                named.setdefault(id(value), (name, value))
        for name, value in self.namespace.items():
            if isinstance(value, type) or not hasattr(value, "named_parameters"):
                continue
            for parameter_name, parameter in value.named_parameters():
                named.setdefault(id(parameter), (f"{name}.{parameter_name}", parameter))
        return Names(dict(named.values())).of(node)


def record_program(path, values=64):
    """Run a program and return the trace of its backward passes.

    Parameters
    ----------
    path : str or path-like
        A Python file. Its global variables give tensors their names.
    values : int or None, default 64
        Record the values of tensors with at most this many elements.

    Returns
    -------
    trace
        If the program raises an exception, it is the trace's `error`.
    """
    path = Path(path)
    source = path.read_text(encoding="utf-8")
    namespace = {"__name__": "__main__", "__file__": str(path)}
    linecache.checkcache(str(path))
    steps = trace(GlobalNames(namespace), values=values, program=str(path))
    try:
        with steps:
            exec(compile(source, str(path), "exec"), namespace)
    except Exception as error:  # noqa: BLE001 (the recording shows it)
        steps.error = error
    return steps
