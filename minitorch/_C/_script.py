"""Names of TorchScript: classes that programs test values against, with no instance here, and switches."""

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
    """The nodes of a graph that run together."""


class Graph(Absent):
    """What compiled code is made of."""


class Node(Absent):
    """One step of a graph."""


class Value(Absent):
    """What goes from one step of a graph to another."""


class ScriptDict(Absent):
    """A dictionary that compiled code shares."""


class ScriptFunction(Absent):
    """A function that was compiled."""


class ScriptList(Absent):
    """A list that compiled code shares."""


class ScriptMethod(Absent):
    """A method that was compiled."""


class ScriptObject(Absent):
    """An object of a class that was compiled."""


class TensorType(Absent):
    """What a compiler knows of a tensor."""


# switches of what runs compiled code, kept for those who set them
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
    """Set whether compiled code is specialised to what it meets; gives what it was."""
    return _exchange("profiling executor", enabled)


def _jit_set_profiling_mode(enabled):
    """Set whether it is watched what compiled code meets; gives what it was."""
    return _exchange("profiling", enabled)


def _get_graph_executor_optimize(enabled=None):
    """Whether compiled code is optimized; it is set if a value is given."""
    return _switches["optimize"] if enabled is None else _exchange("optimize", enabled)


def _jit_set_texpr_fuser_enabled(enabled):
    """Set whether loops of compiled code are joined."""
    _switches["fuser"] = enabled


def _jit_texpr_fuser_enabled():
    """Whether loops of compiled code are joined."""
    return _switches["fuser"]


def _jit_override_can_fuse_on_cpu(enabled):
    """Set whether those on the CPU are."""
    _switches["fuse on cpu"] = enabled


def _jit_can_fuse_on_cpu():
    """Whether those on the CPU are."""
    return _switches["fuse on cpu"]


def _jit_override_can_fuse_on_gpu(enabled):
    """Set whether those on a GPU are; there is none."""


def _jit_can_fuse_on_gpu():
    """Whether those on a GPU are."""
    return False
