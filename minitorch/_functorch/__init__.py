"""Implementation of `minitorch.func`: vmap, its batching rules, and derivatives of functions."""

from minitorch._functorch import autograd_function  # noqa: F401  (it serves Function in transforms)
