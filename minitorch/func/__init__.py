"""Transforms of functions (derivatives, vmap), and modules as functions of their parameters."""

from minitorch._functorch.apis import grad, grad_and_value, vmap
from minitorch._functorch.batch_norm_replacement import replace_all_batch_norm_modules_
from minitorch._functorch.eager_transforms import (
    debug_unwrap,
    functionalize,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    linearize,
    vjp,
)
from minitorch._functorch.einops import rearrange
from minitorch.func._modules import functional_call, stack_module_state

__all__ = [
    "debug_unwrap",
    "functional_call",
    "functionalize",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "rearrange",
    "replace_all_batch_norm_modules_",
    "stack_module_state",
    "vjp",
    "vmap",
]
