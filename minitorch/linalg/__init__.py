"""Linear algebra on matrices and batches of matrices: PyTorch's ``torch.linalg``.

Matrices are the last two dimensions, and every function works on all matrices of a batch. float32,
float64, complex64 and complex128 are supported; decompositions are LAPACK's.

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

from minitorch._linear_algebra import linalg_cholesky as cholesky
from minitorch._linear_algebra import linalg_cholesky_ex as cholesky_ex
from minitorch._linear_algebra import linalg_det as det
from minitorch._linear_algebra import linalg_eig as eig
from minitorch._linear_algebra import linalg_eigh as eigh
from minitorch._linear_algebra import linalg_eigvals as eigvals
from minitorch._linear_algebra import linalg_eigvalsh as eigvalsh
from minitorch._linear_algebra import linalg_householder_product as householder_product
from minitorch._linear_algebra import linalg_inv as inv
from minitorch._linear_algebra import linalg_inv_ex as inv_ex
from minitorch._linear_algebra import linalg_ldl_factor as ldl_factor
from minitorch._linear_algebra import linalg_ldl_factor_ex as ldl_factor_ex
from minitorch._linear_algebra import linalg_ldl_solve as ldl_solve
from minitorch._linear_algebra import linalg_lstsq as lstsq
from minitorch._linear_algebra import linalg_lu as lu
from minitorch._linear_algebra import linalg_lu_factor as lu_factor
from minitorch._linear_algebra import linalg_lu_factor_ex as lu_factor_ex
from minitorch._linear_algebra import linalg_lu_solve as lu_solve
from minitorch._linear_algebra import linalg_pinv as pinv
from minitorch._linear_algebra import linalg_qr as qr
from minitorch._linear_algebra import linalg_slogdet as slogdet
from minitorch._linear_algebra import linalg_solve as solve
from minitorch._linear_algebra import linalg_solve_ex as solve_ex
from minitorch._linear_algebra import linalg_svd as svd
from minitorch._linear_algebra import linalg_svdvals as svdvals
from minitorch._matrix_functions import linalg_cond as cond
from minitorch._matrix_functions import linalg_cross as cross
from minitorch._matrix_functions import linalg_diagonal as diagonal
from minitorch._matrix_functions import linalg_matmul as matmul
from minitorch._matrix_functions import linalg_matrix_exp as matrix_exp
from minitorch._matrix_functions import linalg_matrix_norm as matrix_norm
from minitorch._matrix_functions import linalg_matrix_power as matrix_power
from minitorch._matrix_functions import linalg_matrix_rank as matrix_rank
from minitorch._matrix_functions import linalg_multi_dot as multi_dot
from minitorch._matrix_functions import linalg_norm as norm
from minitorch._matrix_functions import linalg_solve_triangular as solve_triangular
from minitorch._matrix_functions import linalg_tensorinv as tensorinv
from minitorch._matrix_functions import linalg_tensorsolve as tensorsolve
from minitorch._matrix_functions import linalg_vander as vander
from minitorch._matrix_functions import linalg_vecdot as vecdot
from minitorch._matrix_functions import linalg_vector_norm as vector_norm
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
