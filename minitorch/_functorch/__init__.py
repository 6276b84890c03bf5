"""Implementation of `minitorch.func`: vmap with its batching rules, and the derivative transforms.
"""

from minitorch._functorch import autograd_function  # noqa: F401  (it serves Function in transforms)
