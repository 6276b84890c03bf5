"""``functorch.einops``."""

from minitorch._functorch.einops import rearrange

__all__ = ["rearrange"]
