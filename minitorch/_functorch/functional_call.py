"""`functional_call` and `stack_module_state` under PyTorch's private path."""

from minitorch.func._modules import functional_call, stack_module_state

__all__ = ["functional_call", "stack_module_state"]
