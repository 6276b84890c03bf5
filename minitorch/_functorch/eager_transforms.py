"""The transforms and their parts under PyTorch's names."""

from minitorch._functorch._checks import slice_argnums as _slice_argnums
from minitorch._functorch._derivatives import (
    debug_unwrap,
    grad_and_value_impl,
    grad_impl,
    jvp,
    linearize,
    vjp,
)
from minitorch._functorch._derivatives import jvp_with_argnums as _jvp_with_argnums
from minitorch._functorch._derivatives import vjp_with_argnums as _vjp_with_argnums
from minitorch._functorch._functionalize import functionalize
from minitorch._functorch._jacobians import hessian, jacfwd, jacrev
from minitorch._functorch._levels import autograd_grad as _autograd_grad
from minitorch._functorch._levels import doesnt_support_saved_tensors_hooks

__all__ = [
    "_autograd_grad",
    "_jvp_with_argnums",
    "_slice_argnums",
    "_vjp_with_argnums",
    "debug_unwrap",
    "doesnt_support_saved_tensors_hooks",
    "functionalize",
    "grad_and_value_impl",
    "grad_impl",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "vjp",
]
