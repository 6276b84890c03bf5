"""PyTorch's autograd, small enough to read in a week, fast enough to train with.

``import minitorch as torch`` runs ordinary PyTorch programs on the CPU.
"""

from minitorch import autograd
from minitorch._tensor import Tensor
from minitorch.autograd import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from minitorch.autograd.functions import manual as _manual
from minitorch.autograd.functions import tensor_methods as _tensor_methods
from minitorch.core.dtype import _dtypes
from minitorch.core.types import Size, device

__version__ = "0.1.0"

globals().update(_dtypes())
globals().update(
    {name: getattr(_tensor_methods, name) for name in _tensor_methods.public_functions}
)
ones = _tensor_methods.ones
