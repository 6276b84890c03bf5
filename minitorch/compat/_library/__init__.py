"""Parts of `torch.library` under PyTorch's internal names."""

from minitorch._library import autograd, custom_ops, fake_profile, infer_schema, utils
from minitorch.core.lazy import lazy_attributes
from minitorch.library import triton_op, wrap_triton
from minitorch.namespace.absent import absent

__all__ = [
    "autograd",
    "capture_triton",
    "custom_ops",
    "fake_profile",
    "infer_schema",
    "register_fake_class",
    "triton_op",
    "utils",
    "wrap_triton",
]

capture_triton = wrap_triton
register_fake_class = absent("torch._library.register_fake_class")

__getattr__ = lazy_attributes(
    __name__, "autograd", "custom_ops", "fake_profile", "infer_schema", "utils"
)
