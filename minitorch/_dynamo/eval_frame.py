"""What the compiler makes of a module."""

from minitorch.nn.modules.module import Module

__all__ = ["OptimizedModule"]


class OptimizedModule(Module):
    """A compiled module; `compile` returns the module itself, so that there is no instance.

    Raises
    ------
    NotImplementedError
        When one is made.
    """

    def __init__(self, mod, dynamo_ctx):
        raise NotImplementedError("torch._dynamo.OptimizedModule is not part of minitorch")
