"""``functorch.experimental``: functions that have since moved to `torch.func`."""

from minitorch._functorch.apis import chunk_vmap
from minitorch._functorch.batch_norm_replacement import replace_all_batch_norm_modules_
from minitorch._functorch.eager_transforms import functionalize, hessian, jacfwd, jvp

__all__ = [
    "chunk_vmap",
    "functionalize",
    "hessian",
    "jacfwd",
    "jvp",
    "replace_all_batch_norm_modules_",
]
