"""Names of TorchScript: classes that programs test values against, with no instance here, and switches."""

__all__ = [
    "FileCheck",
    "ScriptDict",
    "ScriptFunction",
    "ScriptList",
    "ScriptMethod",
    "_get_graph_executor_optimize",
    "_jit_set_profiling_executor",
]


class _NotThere:
    def __init__(self, *args, **kwargs):
        raise NotImplementedError(f"torch._C.{self.__class__.__name__} is not part of minitorch")


class FileCheck(_NotThere):
    """Of texts that the compiler writes: whether they contain lines in an order."""


class ScriptDict(_NotThere):
    """A dictionary that compiled code shares."""


class ScriptFunction(_NotThere):
    """A function that was compiled."""


class ScriptList(_NotThere):
    """A list that compiled code shares."""


class ScriptMethod(_NotThere):
    """A method that was compiled."""


# switches of what runs compiled code, kept for those who set them
_switches = {"profiling": True, "optimize": True}


def _exchange(name, value):
    before, _switches[name] = _switches[name], value
    return before


def _jit_set_profiling_executor(enabled):
    """Set whether compiled code is specialised to what it meets; gives what it was."""
    return _exchange("profiling", enabled)


def _get_graph_executor_optimize(enabled=None):
    """Whether compiled code is optimized; it is set if a value is given."""
    return _switches["optimize"] if enabled is None else _exchange("optimize", enabled)
