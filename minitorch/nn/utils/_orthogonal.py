"""Maps from arbitrary matrices to orthogonal ones.

References
----------
.. [1] Lezcano-Casado, Trivializations for gradient-based optimization on manifolds, 2019.
"""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import eye
from minitorch.autograd.functions.random import randn
from minitorch.autograd.grad_mode import no_grad
from minitorch.composed.comparisons import allclose
from minitorch.nn.modules.module import Module
from minitorch.tensors.type_info import finfo


def _matrix_exp(skew):
    return skew.matrix_exp()


def _cayley(skew):
    """Return (1 - A/2)⁻¹ (1 + A/2)."""
    import minitorch.linalg as linalg

    one = eye(skew.size(-1), dtype=skew.dtype)
    return linalg.solve(_ops.add(one, skew, alpha=-0.5), _ops.add(one, skew, alpha=0.5))


def _skew(x):
    """Return the skew-symmetric matrix of the lower triangle, padded with zero columns."""
    rows, columns = x.size(-2), x.size(-1)
    lower = x.tril()
    if rows != columns:
        zeros = x.new_zeros(rows, rows - columns).expand(*x.shape[:-2], -1, -1)
        lower = _ops.cat([lower, zeros], dim=-1)
    return lower - lower.mH


def _householder(x):
    """Return the product of Householder reflections, with column signs from the diagonal.

    The reflection vectors are the columns below the diagonal.
    """
    import minitorch.linalg as linalg

    vectors = x.tril(diagonal=-1)
    tau = 2.0 / (1.0 + (vectors * vectors).sum(dim=-2))
    q = linalg.householder_product(vectors, tau)
    return q * x.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)


maps = {
    "matrix_exp": lambda x: _matrix_exp(_skew(x))[..., : x.size(-1)],
    "cayley": lambda x: _cayley(_skew(x))[..., : x.size(-1)],
    "householder": _householder,
}


def _is_orthogonal(q):
    one = eye(q.size(-1), dtype=q.dtype)
    return allclose(q.mH @ q, one, atol=10.0 * q.size(-2) * finfo(q.dtype).eps)


def _make_orthogonal(a):
    """Return the factor Q of a QR decomposition whose R has a positive diagonal.

    For a matrix of normal numbers, Q is Haar distributed.
    """
    import minitorch.linalg as linalg

    reflections, tau = a.geqrf()
    q = linalg.householder_product(reflections, tau)
    q *= reflections.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)
    return q


class _Orthogonal(Module):
    """A map from any matrix to an orthogonal one, multiplied by the buffer `base` if there is one.

    Parameters
    ----------
    weight : Tensor
    orthogonal_map : {"matrix_exp", "cayley", "householder"}
    use_trivialization : bool
        Use a base.
    """

    def __init__(self, weight, orthogonal_map, use_trivialization=True):
        super().__init__()
        if weight.is_complex() and orthogonal_map == "householder":
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x):
        """Return the orthogonal matrix; a wide matrix is transposed first."""
        wide = x.size(-2) < x.size(-1)
        q = maps[self.orthogonal_map](x.mT if wide else x)
        if hasattr(self, "base"):
            q = self.base @ q
        return q.mT if wide else q

    @no_grad()
    def right_inverse(self, q):
        """Return a matrix that maps to `q`, or to an orthogonal matrix close to it."""
        if q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape "
                f"{q.shape}."
            )
        wide = q.size(-2) < q.size(-1)
        tall = q.mT if wide else q
        if hasattr(self, "base"):
            self.base = self._base_for(tall)
            # the map takes it to the identity
            start = _ops.zeros_like(q)
            start.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
            return start
        if self.orthogonal_map != "householder":
            raise NotImplementedError(
                "It is not possible to assign to the matrix exponential or the Cayley parametrizations "
                "when use_trivialization=False."
            )
        a, tau = tall.geqrf()
        # reflections do not use the diagonal, so it stores the signs
        diagonal = a.diagonal(dim1=-2, dim2=-1)
        diagonal.sign_()
        diagonal[tau == 0.0] *= -1
        return a.mT if wide else a

    def _base_for(self, q):
        rows, columns = q.size(-2), q.size(-1)
        if rows == columns:
            return q.clone() if _is_orthogonal(q) else _make_orthogonal(q)
        more = randn(*q.size()[:-2], rows, rows - columns, dtype=q.dtype)
        return _make_orthogonal(_ops.cat([q, more], dim=-1))
