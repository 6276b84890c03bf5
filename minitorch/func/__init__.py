"""Modules as functions of their parameters."""

from minitorch.func._modules import functional_call, stack_module_state

__all__ = ["functional_call", "stack_module_state"]
