"""The transforms of the package ``functorch``; each call warns that it has moved."""

import functools
import warnings

from minitorch._functorch import apis, eager_transforms
from minitorch._functorch import make_functional as _modules

__all__ = [
    "combine_state_for_ensemble",
    "functionalize",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "make_functional",
    "make_functional_with_buffers",
    "vjp",
    "vmap",
]


def _deprecated(function, replacement=None):
    name = function.__name__
    text = (
        "We've integrated functorch into PyTorch. As the final step of the integration, "
        f"`functorch.{name}` is deprecated as of PyTorch 2.0 and will be deleted in a future version of "
        f"PyTorch >= 2.3. Please use `{replacement or f'torch.func.{name}'}` instead; see the PyTorch 2.0 "
        "release notes and/or the `torch.func` migration guide for more details "
        "https://pytorch.org/docs/main/func.migrating.html"
    )

    @functools.wraps(function)
    def warned(*args, **kwargs):
        warnings.warn(text, FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    warned.__module__ = __name__
    return warned


vmap = _deprecated(apis.vmap, "torch.vmap")
grad = _deprecated(apis.grad)
grad_and_value = _deprecated(apis.grad_and_value)
vjp = _deprecated(eager_transforms.vjp)
jvp = _deprecated(eager_transforms.jvp)
jacrev = _deprecated(eager_transforms.jacrev)
jacfwd = _deprecated(eager_transforms.jacfwd)
hessian = _deprecated(eager_transforms.hessian)
functionalize = _deprecated(eager_transforms.functionalize)
make_functional = _deprecated(_modules.make_functional, "torch.func.functional_call")
make_functional_with_buffers = _deprecated(
    _modules.make_functional_with_buffers, "torch.func.functional_call"
)
combine_state_for_ensemble = _deprecated(
    _modules.combine_state_for_ensemble, "torch.func.stack_module_state"
)
