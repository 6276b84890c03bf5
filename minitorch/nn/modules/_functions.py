"""The `Function` behind the backward hooks of modules, under the name it has in PyTorch."""

from minitorch.utils.hooks import BackwardHookFunction

__all__ = ["BackwardHookFunction"]
