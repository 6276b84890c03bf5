"""TorchScript: classes without instances, which programs use for type checks, and settings."""

from minitorch.namespace.absent import Absent

__all__ = [
    "Block",
    "Graph",
    "Node",
    "ScriptDict",
    "ScriptFunction",
    "ScriptList",
    "ScriptMethod",
    "ScriptObject",
    "TensorType",
    "Value",
    "_get_graph_executor_optimize",
    "_jit_can_fuse_on_cpu",
    "_jit_can_fuse_on_gpu",
    "_jit_override_can_fuse_on_cpu",
    "_jit_override_can_fuse_on_gpu",
    "_jit_set_profiling_executor",
    "_jit_set_profiling_mode",
    "_jit_set_texpr_fuser_enabled",
    "_jit_texpr_fuser_enabled",
]


class Block(Absent):
    """A block of nodes in a graph."""


class Graph(Absent):
    """The graph of a compiled function."""


class Node(Absent):
    """A node of a graph."""


class Value(Absent):
    """A value that one node of a graph passes to another."""


class ScriptDict(Absent):
    """A dictionary shared with compiled code."""


class ScriptFunction(Absent):
    """A compiled function in PyTorch; creating one raises.

    Parameters
    ----------
    *args, **kwargs
        Not used.

    Raises
    ------
    NotImplementedError
        Always, since there is no compiler.

    Examples
    --------
    >>> import minitorch as torch
    >>> isinstance(torch.sin, torch.ScriptFunction)
    False
    """


class ScriptList(Absent):
    """A list shared with compiled code."""


class ScriptMethod(Absent):
    """A compiled method."""


class ScriptObject(Absent):
    """An object of a compiled class."""


class TensorType(Absent):
    """The compiler's type of a tensor."""


# settings of the TorchScript executor, which are stored and have no effect
_switches = {
    "profiling executor": True,
    "profiling": True,
    "optimize": True,
    "fuser": True,
    "fuse on cpu": False,
}


def _exchange(name, value):
    before, _switches[name] = _switches[name], value
    return before


def _jit_set_profiling_executor(enabled):
    """Set whether compiled code is specialized by profiling; return the previous value."""
    return _exchange("profiling executor", enabled)


def _jit_set_profiling_mode(enabled):
    """Set whether compiled code is profiled; return the previous value."""
    return _exchange("profiling", enabled)


def _get_graph_executor_optimize(enabled=None):
    """Return whether compiled code is optimized; if a value is given, set it first."""
    return _switches["optimize"] if enabled is None else _exchange("optimize", enabled)


def _jit_set_texpr_fuser_enabled(enabled):
    """Set whether loops of compiled code are fused."""
    _switches["fuser"] = enabled


def _jit_texpr_fuser_enabled():
    """Return whether loops of compiled code are fused."""
    return _switches["fuser"]


def _jit_override_can_fuse_on_cpu(enabled):
    """Set whether loops are fused on the CPU."""
    _switches["fuse on cpu"] = enabled


def _jit_can_fuse_on_cpu():
    """Return whether loops are fused on the CPU."""
    return _switches["fuse on cpu"]


def _jit_override_can_fuse_on_gpu(enabled):
    """Do nothing: there is no GPU on which loops could be fused."""


def _jit_can_fuse_on_gpu():
    """Return False: there is no GPU on which loops could be fused."""
    return False
