"""Classes of TorchScript that programs test values against; minitorch has no instance of any."""

__all__ = ["FileCheck", "ScriptDict", "ScriptFunction", "ScriptList", "ScriptMethod"]


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
