"""The name under which PyTorch has `functional_call` and `stack_module_state`."""

from minitorch.func._modules import functional_call, stack_module_state

__all__ = ["functional_call", "stack_module_state"]
