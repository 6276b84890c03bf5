"""Products of int8 matrices, and products followed by an activation."""

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.outputs import deliver
from minitorch.core.dtype import _dtypes

__all__ = ["_addmm_activation", "_int_mm"]

_INT8, _UINT8, _INT32 = (_dtypes()[name] for name in ("int8", "uint8", "int32"))


def _int_mm(self, mat2, *, out=None):
    """Return the product of two 8-bit integer matrices, in int32.

    Parameters
    ----------
    self : Tensor
        (n, m), int8 or uint8.
    mat2 : Tensor
        (m, p), int8.

    Returns
    -------
    Tensor
        (n, p), int32.

    Raises
    ------
    RuntimeError
        For other dtypes or sizes.
    """
    mat2.size(1)  # raises for a vector
    problem = None
    if self.dim() != 2:
        problem = f"Expected self to be of dimension 2 but got {self.dim()}"
    elif mat2.dim() != 2:
        problem = f"Expected mat2 to be of dimension 2 but got {mat2.dim()}"
    elif self.size(1) != mat2.size(0):
        problem = (
            f"self.size(1) needs to match mat2.size(0) but got {self.size(1)} and {mat2.size(0)}"
        )
    elif self.dtype not in (_INT8, _UINT8):
        problem = f"Expected self dtype to be int8 or uint8 but got {self.dtype._c_name}"
    elif mat2.dtype != _INT8:
        problem = f"Expected mat2 dtype to be of type int8 but got {mat2.dtype._c_name}"
    if problem:
        raise RuntimeError(f"int_mm_out_cpu: {problem}")
    return deliver("_int_mm", _rows.mm(self.to(_INT32), mat2.to(_INT32)), out)


def _addmm_activation(self, mat1, mat2, *, beta=1, alpha=1, use_gelu=False, out=None):
    """Compute `addmm` followed by `relu` or `gelu`."""
    product = _rows.addmm(self, mat1, mat2, beta=beta, alpha=alpha)
    result = _rows.gelu(product) if use_gelu else _rows.relu(product)
    return deliver("_addmm_activation", result, out)
