"""PyTorch's autograd, small enough to read in a week, fast enough to train with.

``import minitorch as torch`` runs ordinary PyTorch programs on the CPU.
"""

from minitorch import autograd
from minitorch._tensor import Tensor
from minitorch.autograd import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.functions import manual as _manual
from minitorch.autograd.functions import tensor_methods as _tensor_methods
from minitorch.autograd.functions.creation import (
    arange,
    empty_like,
    empty_permuted,
    empty_strided,
    eye,
    full,
    full_like,
    linspace,
    logspace,
    ones,
    ones_like,
    scalar_tensor,
    tril_indices,
    triu_indices,
    zeros,
    zeros_like,
)
from minitorch.autograd.functions.from_data import as_tensor, from_numpy, frombuffer, tensor
from minitorch.autograd.functions.interchange import from_dlpack
from minitorch.autograd.functions.random import (
    normal,
    rand,
    rand_like,
    randint,
    randint_like,
    randn,
    randn_like,
    randperm,
)
from minitorch.core.dtype import _dtypes
from minitorch.core.types import Size, device
from minitorch.random import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)

__version__ = "0.1.0"

globals().update(_dtypes())
globals().update(
    {name: getattr(_tensor_methods, name) for name in _tensor_methods.public_functions}
)
empty = _creation.empty_
range = _creation.range_
