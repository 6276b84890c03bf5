"""What stands behind `minitorch.func`: vmap, the batching rules, and the transforms that differentiate."""

from minitorch._functorch import autograd_function  # noqa: F401  (it serves Function in transforms)
