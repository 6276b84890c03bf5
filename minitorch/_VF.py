"""PyTorch's C functions, named as in ``torch._C._VariableFunctions``.

Most are the functions of the main namespace. Where the main namespace has a Python function that
processes its arguments, this module has the C function instead: `meshgrid` takes a list of tensors,
`norm` a number. Errors are raised by the argument parser.
"""

from importlib import import_module as _import_module

from minitorch.autograd.functions.overridable import override_namespace as _override
from minitorch.autograd.functions.python_signatures import parsed_as as _parsed_as
from minitorch.composed import broadcasting as _broadcasting
from minitorch.composed import diagonals as _diagonals
from minitorch.composed import distances as _distances
from minitorch.composed import einsum as _sums
from minitorch.composed import matrix_norms as _norms
from minitorch.composed import products as _products
from minitorch.composed import rearranging as _rearrange
from minitorch.composed import splitting as _splitting
from minitorch.composed import statistics as _statistics
from minitorch.fft import _short_time
from minitorch.namespace.absent import absent_in_c as _absent_in_c

atleast_1d = _splitting._atleast_1d
atleast_2d = _splitting._atleast_2d
atleast_3d = _splitting._atleast_3d
block_diag = _diagonals._block_diag
broadcast_tensors = _broadcasting._broadcast_tensors
cartesian_prod = _broadcasting._cartesian_prod
cdist = _distances._cdist
chain_matmul = _rearrange._chain_matmul
einsum = _sums._einsum
meshgrid = _broadcasting._meshgrid
norm = _parsed_as("norm")(_norms.norm)
split = _splitting._split
stft = _short_time._stft
tensordot = _products._tensordot
unique_consecutive = _statistics._unique_consecutive
unique_dim = _statistics._unique_dim

_override(
    globals(),
    [name for name in dir() if not name.startswith("_")],
    torch_modules=("torch", "torch"),
)


def __getattr__(name):
    namespace = _import_module("minitorch")
    if hasattr(namespace, name):
        return getattr(namespace, name)
    return _absent_in_c("_VariableFunctions", name)


def __dir__():
    return dir(_import_module("minitorch"))
