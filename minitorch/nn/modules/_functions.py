"""The autograd `Function` behind the backward hooks of modules, under PyTorch's name."""

from minitorch.utils.hooks import BackwardHookFunction

__all__ = ["BackwardHookFunction"]
