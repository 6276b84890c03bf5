"""Linear algebra on matrices and batches of matrices: ``torch.linalg``.

Matrices are the last two dimensions; all other dimensions are batch dimensions. float32, float64,
complex64 and complex128 are supported. Decompositions call LAPACK.

Examples
--------
>>> import minitorch as torch
>>> A = torch.tensor([[2.0, 1.0], [1.0, 3.0]])
>>> torch.linalg.det(A)
tensor(5.)
>>> torch.linalg.solve(A, torch.tensor([3.0, 5.0]))
tensor([0.8000, 1.4000])
>>> torch.linalg.eigvalsh(A)
tensor([1.3820, 3.6180])
"""

from minitorch.autograd.functions import tensor_methods
from minitorch.autograd.functions.composed import parsed
from minitorch.autograd.functions.overridable import override_namespace
from minitorch.autograd.functions.signature_table import SIGNATURES
from minitorch.composed import linear_algebra as _linear_algebra
from minitorch.composed import matrix_decompositions as _decompositions
from minitorch.composed import matrix_functions as _matrix_functions
from minitorch.composed import matrix_norms as _matrix_norms
from minitorch.composed import triangular_factors as _triangular_factors
from minitorch.core.linalg_error import LinAlgError

__all__ = [
    "LinAlgError",
    "cholesky",
    "cholesky_ex",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "householder_product",
    "inv",
    "inv_ex",
    "ldl_factor",
    "ldl_factor_ex",
    "ldl_solve",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "lu_solve",
    "matmul",
    "matrix_exp",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "multi_dot",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_ex",
    "solve_triangular",
    "svd",
    "svdvals",
    "tensorinv",
    "tensorsolve",
    "vander",
    "vecdot",
    "vector_norm",
]


_MODULES = (
    _linear_algebra,
    _triangular_factors,
    _decompositions,
    _matrix_functions,
    _matrix_norms,
)


def _public(name):
    """Return the function of this name, behind PyTorch's argument parser if it has signatures."""
    function = f"linalg_{name}"
    found = next(getattr(module, function) for module in _MODULES if hasattr(module, function))
    texts = SIGNATURES.get(function) or tensor_methods.composed_functions.get(function)
    return parsed(found, texts, takes_integer=True) if texts else found


_FUNCTIONS = [name for name in __all__ if name != "LinAlgError"]
globals().update({name: _public(name) for name in _FUNCTIONS})
override_namespace(globals(), _FUNCTIONS, "linalg", torch_modules=("torch.linalg", ""))
