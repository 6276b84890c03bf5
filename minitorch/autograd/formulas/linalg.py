"""Derivatives of linear algebra: linear systems, determinants and factorizations.

Throughout, the gradient of X is written gX and X.H is the conjugate transpose. The formulas follow
M. Giles, "An extended collection of matrix derivative results for forward and reverse mode
algorithmic differentiation" (2008), and for complex matrices A. Hjorungnes and D. Gesbert,
"Complex-valued matrix differentiation" (2007).
"""


def conj_t(self: Tensor) -> Tensor:
    """Return the conjugate transposes."""
    return transpose(self, -2, -1).conj()


def diagonal_matrix(self: Tensor) -> Tensor:
    """Return matrices with these diagonals."""
    return diag_embed(self, self.sizes() + self.sizes()[-1:], 0, -2, -1)


def without_diagonal(self: Tensor) -> Tensor:
    """Return square matrices with their diagonals set to zero."""
    return self - diagonal_matrix(diagonal(self, 0, -2, -1))


def halved_diagonal(self: Tensor) -> Tensor:
    """Return square matrices with their diagonals halved."""
    return self - diagonal_matrix(diagonal(self, 0, -2, -1)) * 0.5


def with_halved_diagonal(self: Tensor) -> Tensor:
    """Halve the diagonals of square matrices in place; they must be new."""
    _mul_scalar_(diagonal(self, 0, -2, -1), 0.5)
    return self


# ---- systems, inverses, determinants


def inv_backward(grad: Tensor, inverse: Tensor) -> Tensor:
    """Return the gradient, from d inv(A) = -inv(A) dA inv(A)."""
    inner = grad @ conj_t(inverse)
    return -(conj_t(inverse) @ inner)


def solve_backward(
    grad: Tensor,
    A: Tensor,
    result: Tensor,
    LU: Tensor,
    pivots: Tensor,
    b_sizes: "int[]",
    left: bool,
    output_mask: "int[]",
) -> any:
    """Return gA = -gB X.H and gB, which solves A.H gB = gX; for X A = B in the other order."""
    vectors = holds_vectors(A.sizes(), b_sizes)
    right = unsqueeze(grad, -1) if vectors else grad
    if records():
        grad_b = _linalg_solve_ex(conj_t(A), right, left, False)[0]
    else:
        grad_b = linalg_lu_solve(LU, pivots, right, left, True)
    grad_a = None
    if output_mask[0]:
        adjoint = conj_t(unsqueeze(result, -1) if vectors else result)
        grad_a = -(grad_b @ adjoint) if left else -(adjoint @ grad_b)
    if not output_mask[1]:
        return (grad_a, None)
    return (grad_a, r_or_ops_squeeze(grad_b, vectors))


def r_or_ops_squeeze(self: Tensor, vectors: bool) -> Tensor:
    """Remove the dimension that vectors were given."""
    return squeeze_dim(self, -1) if vectors else self


def det_backward(grad: Tensor, det: Tensor, A: Tensor, LU: Tensor, pivots: Tensor) -> Tensor:
    """Return grad det(A) inv(A).H.

    If recording, the gradients for det(A) near 0 are computed from singular values instead.
    """
    scale = grad * det.conj()
    scales = diagonal_scales(scale, A)
    if not records():
        return solved_from_factors(scales, A, without_zero_pivots(LU), pivots)
    if is_transformed(A):
        return det_backward_unseen(grad, scales, A, det.abs() < 100 * A.epsilon())
    if not A.is_plain():
        return scaled_adjugate(grad, A)
    singular = det.abs() < 100 * A.epsilon()
    regular = logical_not(singular)  # includes nan
    if not has_zero(regular):
        return solved_again(scales, A)
    if not has_zero(singular):
        return scaled_adjugate(grad, A)
    regulars = index(A, [regular])
    filled = index_put_copy(
        zeros_like(A),
        [regular],
        solved_again(diagonal_scales(index(scale, [regular]), regulars), regulars),
        False,
    )
    return index_put_copy(
        filled, [singular], scaled_adjugate(index(grad, [singular]), index(A, [singular])), False
    )


def det_backward_unseen(grad: Tensor, scales: Tensor, A: Tensor, singular: Tensor) -> Tensor:
    """Compute det_backward when the values cannot be inspected, as inside a transform.

    Both methods run on all matrices; each gets substitutes for the matrices of the other one.
    """
    ones = zeros_like(diagonal(A, 0, -2, -1)) + 1
    mask = unsqueeze(unsqueeze(singular, -1), -1)
    regulars = where(mask, diagonal_matrix(ones), A)
    # distinct singular values, because equal ones have no second derivative
    singulars = where(mask, A, diagonal_matrix(cumsum(ones, -1)))
    return where(mask, scaled_adjugate(grad, singulars), solved_again(scales, regulars))


def without_zero_pivots(LU: Tensor) -> Tensor:
    """Replace pivots that are 0 by epsilon."""
    missing = diagonal(LU, 0, -2, -1) == 0
    return LU + diagonal_matrix(where(missing, LU.epsilon(), 0.0))


def scaled_adjugate(grad: Tensor, A: Tensor) -> Tensor:
    """Return adj(A).H times numbers, valid for singular matrices too.

    G. W. Stewart, "On the adjugate matrix" (1998).
    """
    U, S, Vh = _linalg_svd(A, False, True)
    units = (_linalg_det(U)[0] * _linalg_det(Vh)[0]).conj() * grad
    gamma = safe_prod_backward(unsqueeze(units, -1), S, -1)
    return (U * unsqueeze(gamma, -2)) @ Vh


def scaled_inverse(scale: Tensor, A: Tensor, LU: Tensor, pivots: Tensor) -> Tensor:
    """Return inv(A).H times numbers."""
    scales = diagonal_scales(scale, A)
    return solved_again(scales, A) if records() else solved_from_factors(scales, A, LU, pivots)


def diagonal_scales(scale: Tensor, A: Tensor) -> Tensor:
    """Return diagonal matrices of the given numbers, in column-major order."""
    scales = diagonal_matrix(unsqueeze(scale, -1).expand(A.sizes()[:-1]))
    return transpose(scales, -2, -1)


def solved_again(scales: Tensor, A: Tensor) -> Tensor:
    """Return inv(A).H times matrices by a new factorization, which is differentiable."""
    return _linalg_solve_ex(conj_t(A), scales, True, False)[0]


def solved_from_factors(scales: Tensor, A: Tensor, LU: Tensor, pivots: Tensor) -> Tensor:
    """Return inv(A).H times matrices, using the existing factors of A."""
    return linalg_lu_solve(LU, pivots, scales, True, not is_factored_transposed(A))


def slogdet_backward(
    grad_sign: "Tensor?",
    grad_logabsdet: "Tensor?",
    A: Tensor,
    sign: Tensor,
    LU: Tensor,
    pivots: Tensor,
) -> Tensor:
    """Return the gradient of sign and log|det|.

    With t = trace(inv(A) dA): d log|det| = Re t and d sign = i sign Im t.
    """
    if grad_logabsdet is None and not A.is_complex():
        return zeros_like(A)
    if A.is_complex() and grad_sign is not None:
        turn = imag(grad_sign.conj() * sign) * -1j
        scale = turn if grad_logabsdet is None else grad_logabsdet + turn
        return scaled_inverse(scale, A, LU, pivots)
    if grad_logabsdet.scalar_type() != A.scalar_type():
        grad_logabsdet = cast(grad_logabsdet, A.scalar_type())
    return scaled_inverse(grad_logabsdet, A, LU, pivots)


def solve_triangular_backward(
    grad: Tensor,
    A: Tensor,
    result: Tensor,
    left: bool,
    upper: bool,
    unitriangular: bool,
    output_mask: "int[]",
) -> any:
    """Return the gradients as for solve; elements outside the triangle have none."""
    grad_b = linalg_solve_triangular(conj_t(A), grad, not upper, left, unitriangular)
    if not output_mask[0]:
        return (None, grad_b)
    product = -(grad_b @ conj_t(result)) if left else -(conj_t(result) @ grad_b)
    step = 1 if unitriangular else 0
    return (triu(product, step) if upper else tril(product, -step), grad_b)


def triangular_solve_backward(
    grad_solution: "Tensor?",
    grad_cloned: "Tensor?",
    self: Tensor,
    A: Tensor,
    solution: Tensor,
    upper: bool,
    transposed: bool,
    unitriangular: bool,
    output_mask: "int[]",
) -> any:
    """Return the gradients for the older interface, which solves with A or its transpose."""
    grad_b = None
    grad_a = None
    if grad_solution is not None:
        grad_b = triangular_solve(grad_solution, A.conj(), upper, not transposed, unitriangular)[0]
        if output_mask[1]:
            grad_a = triangular_part(grad_b, solution, upper, transposed, 1 if unitriangular else 0)
    if grad_cloned is not None and output_mask[1]:
        grad_a = grad_cloned if grad_a is None else grad_a + grad_cloned
    return (grad_b, grad_a)


def triangular_part(
    grad_b: Tensor, solution: Tensor, upper: bool, transposed: bool, step: int
) -> Tensor:
    """Return the triangle of -gB X.H, or of its transpose."""
    if transposed:
        product = -(solution.conj() @ transpose(grad_b, -2, -1))
    else:
        product = -(grad_b @ conj_t(solution))
    return triu(product, step) if upper else tril(product, -step)


# ---- LU


def lu_backward(
    grad_l: "Tensor?", grad_u: "Tensor?", P: Tensor, L: Tensor, U: Tensor, pivot: bool
) -> Tensor:
    """Return the gradient of A = P L U.

    For a wide U or a tall L, the square part is inverted, and the rest follows as a product.
    """
    if L.size(-2) == U.size(-1):
        inner = lu_square_inner(grad_l, grad_u, L, U)
        inner = linalg_solve_triangular(conj_t(U), inner, False, False)
        return P @ linalg_solve_triangular(conj_t(L), inner, True, True, True)
    if L.size(-2) < U.size(-1):
        inner = lu_wide_inner(grad_l, grad_u, L, U)
        return P @ linalg_solve_triangular(conj_t(L), inner, True, True, True)
    inner = lu_tall_inner(grad_l, grad_u, L, U)
    return P @ linalg_solve_triangular(conj_t(U), inner, False, False)


def lu_square_inner(grad_l: "Tensor?", grad_u: "Tensor?", L: Tensor, U: Tensor) -> Tensor:
    """Return tril(L.H gL) + triu(gU U.H)."""
    if grad_l is None:
        return triu(grad_u @ conj_t(U))
    inner = tril(conj_t(L) @ grad_l, -1)
    if grad_u is None:
        return inner
    return inner + triu(grad_u @ conj_t(U))


def lu_wide_inner(grad_l: "Tensor?", grad_u: "Tensor?", L: Tensor, U: Tensor) -> Tensor:
    """Return [triu(gU_1) + tril(L.H gL - gU U.H) inv(U_1).H, gU_2]."""
    k = L.size(-1)
    rest = U.size(-1) - k
    inner = None if grad_l is None else conj_t(L) @ grad_l
    if grad_u is not None:
        product = triu(grad_u) @ conj_t(U)
        inner = -product if inner is None else inner - product
    inner = tril(inner, -1)
    inner = linalg_solve_triangular(conj_t(narrow(U, -1, 0, k)), inner, False, False)
    if grad_u is None:
        return padded_columns(inner, rest)
    inner = inner + triu(narrow(grad_u, -1, 0, k))
    return cat([inner, narrow(grad_u, -1, k, rest)], -1)


def lu_tall_inner(grad_l: "Tensor?", grad_u: "Tensor?", L: Tensor, U: Tensor) -> Tensor:
    """Return the transposed counterpart of lu_wide_inner, for a tall L."""
    k = L.size(-1)
    rest = L.size(-2) - k
    inner = None if grad_u is None else grad_u @ conj_t(U)
    if grad_l is not None:
        product = conj_t(L) @ tril(grad_l, -1)
        inner = -product if inner is None else inner - product
    inner = triu(inner)
    inner = linalg_solve_triangular(conj_t(narrow(L, -2, 0, k)), inner, True, True, True)
    if grad_l is None:
        return padded_rows(inner, rest)
    inner = inner + tril(narrow(grad_l, -2, 0, k), -1)
    return cat([inner, narrow(grad_l, -2, k, rest)], -2)


def lu_factor_backward(grad: Tensor, LU: Tensor, pivots: Tensor) -> Tensor:
    """Split the gradient into the triangles L and U, and apply lu_backward."""
    P, L, U = lu_unpack(LU, pivots, True, True)
    k = L.size(-1)
    grad_l = narrow(grad, -1, 0, k)
    return lu_backward(grad_l, narrow(grad, -2, 0, k), P, L, U, True)


def lu_unpack_backward(grad_l: "Tensor?", grad_u: "Tensor?", m: int, n: int) -> "Tensor?":
    """Combine the gradients of the two triangles, padded to (m, n)."""
    k = min(m, n)
    if grad_l is None and grad_u is None:
        return None
    if grad_l is None:
        return padded_rows(triu(grad_u), m - k)
    if grad_u is None:
        return padded_columns(tril(grad_l, -1), n - k)
    if m == n:
        return tril(grad_l, -1) + triu(grad_u)
    if m < n:
        upper = triu(narrow(grad_u, -1, 0, k))
        square = tril(grad_l, -1) + upper
        return cat([square, narrow(grad_u, -1, k, n - k)], -1)
    upper = triu(grad_u)
    square = tril(narrow(grad_l, -2, 0, k), -1) + upper
    return cat([square, narrow(grad_l, -2, k, m - k)], -2)


def padded_columns(self: Tensor, count: int) -> Tensor:
    """Append `count` columns of zeros."""
    if count <= 0:
        return self
    shape = self.sizes()[:-1] + (count,)
    return cat([self, zeros(shape, self.scalar_type())], -1)


def padded_rows(self: Tensor, count: int) -> Tensor:
    """Append `count` rows of zeros."""
    if count <= 0:
        return self
    shape = self.sizes()[:-2] + (count,) + self.sizes()[-1:]
    return cat([self, zeros(shape, self.scalar_type())], -2)


def lu_solve_backward(
    grad: Tensor,
    LU: Tensor,
    pivots: Tensor,
    result: Tensor,
    left: bool,
    adjoint: bool,
    output_mask: "int[]",
) -> any:
    """Return gB, and gA as for solve, split into gL = tril(P.T gA U.H), gU = triu(L.H P.T gA)."""
    grad_b = linalg_lu_solve(LU, pivots, grad, left, not adjoint)
    if not output_mask[0]:
        return (None, grad_b)
    product = -(grad_b @ conj_t(result)) if left else -(conj_t(result) @ grad_b)
    grad_a = conj_t(product) if adjoint else product
    P, L, U = lu_unpack(LU, pivots, True, True)
    turned = transpose(P, -2, -1) @ grad_a
    return (tril(turned @ conj_t(U), -1) + triu(conj_t(L) @ turned), grad_b)
