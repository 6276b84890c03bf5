"""The oldest names of what `torch.library` has for operators of programs."""

from minitorch._absent import absent
from minitorch.library import impl_abstract

__all__ = ["custom_op", "impl", "impl_abstract", "impl_backward", "impl_save_for_backward"]

custom_op = absent("torch._custom_ops.custom_op")
impl = absent("torch._custom_ops.impl")
impl_backward = absent("torch._custom_ops.impl_backward")
impl_save_for_backward = absent("torch._custom_ops.impl_save_for_backward")
