"""The transforms under the names of the package functorch, from before `torch.func`.

The names are deprecated in favour of `torch.func`. While minitorch is installed as torch and there
is no package functorch, ``import functorch`` imports this one.
"""

from minitorch._functorch.deprecated import (
    combine_state_for_ensemble,
    functionalize,
    grad,
    grad_and_value,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    make_functional,
    make_functional_with_buffers,
    vjp,
    vmap,
)
from minitorch._functorch.make_functional import FunctionalModule, FunctionalModuleWithBuffers
from minitorch._functorch.python_key import make_fx
from minitorch.utils._version_numbers import VERSION as __version__

__all__ = [
    "FunctionalModule",
    "FunctionalModuleWithBuffers",
    "__version__",
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
    "make_fx",
    "vjp",
    "vmap",
]
