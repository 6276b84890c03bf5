"""What PyTorch installs as the package functorch: transforms by their names of before `torch.func`.

Its names are deprecated; `torch.func` has them. While minitorch is installed as torch and no package of
that name is there, ``import functorch`` means this one.
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
from minitorch.version import __version__

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
