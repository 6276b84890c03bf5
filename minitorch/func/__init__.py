"""Modules as functions of their parameters."""

from minitorch._functorch.apis import vmap
from minitorch.func._modules import functional_call, stack_module_state

__all__ = ["functional_call", "stack_module_state", "vmap"]
