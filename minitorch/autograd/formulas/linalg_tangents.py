"""Tangents of linear algebra operators, for forward mode.

dX is the tangent of X, called X_t in the code. Each formula results from differentiating the
equation that defines the result and solving it for the tangent; see M. Giles, "An extended
collection of matrix derivative results for forward and reverse mode algorithmic differentiation"
(2008).
"""

# ---- systems, inverses, determinants


def solve_tangent(A_t: Tensor, A: Tensor, B_t: Tensor, result: Tensor, left: bool) -> Tensor:
    """Solve A dX = dB - dA X for dX; for X A = B in the other order."""
    vectors = holds_vectors(A.sizes(), B_t.sizes())
    x = unsqueeze(result, -1) if vectors else result
    b = unsqueeze(B_t, -1) if vectors else B_t
    right = b - (A_t @ x if left else x @ A_t)
    return r_or_ops_squeeze(_linalg_solve_ex(A, right, left, False)[0], vectors)


def solve_triangular_tangent(
    A_t: Tensor,
    A: Tensor,
    B_t: Tensor,
    result: Tensor,
    upper: bool,
    left: bool,
    unitriangular: bool,
) -> Tensor:
    """Return the tangent as for solve, with only the triangle of dA."""
    step = 1 if unitriangular else 0
    part = triu(A_t, step) if upper else tril(A_t, -step)
    right = B_t - (part @ result if left else result @ part)
    return linalg_solve_triangular(A, right, upper, left, unitriangular)


def triangular_solve_tangent(
    self_t: Tensor,
    A_t: Tensor,
    A: Tensor,
    solution: Tensor,
    upper: bool,
    transposed: bool,
    unitriangular: bool,
) -> any:
    """Return the tangents for the older interface, whose second result is A."""
    step = 1 if unitriangular else 0
    part = triu(A_t, step) if upper else tril(A_t, -step)
    turned = transpose(part, -2, -1) if transposed else part
    right = self_t - turned @ solution
    return (triangular_solve(right, A, upper, transposed, unitriangular)[0], A_t)


def det_tangent(A_t: Tensor, A: Tensor, det: Tensor, LU: Tensor, pivots: Tensor) -> Tensor:
    """Return the sum of dA times the cofactors, which are the gradient of the determinant."""
    cofactors = det_backward(ones_like(det), det, A, LU, pivots).conj()
    return (cofactors * A_t).sum_dim((-2, -1), False)


def slogdet_tangent(A_t: Tensor, A: Tensor, sign: Tensor) -> any:
    """Return the tangents of sign and log|det|.

    With t = trace(inv(A) dA): d log|det| = Re t and d sign = i sign Im t.
    """
    product = _linalg_solve_ex(A, A_t, True, False)[0]
    trace_ = diagonal(product, 0, -2, -1).sum_dim((-1,), False)
    if A.is_complex():
        return (sign * imag(trace_) * 1j, real(trace_))
    return (zeros_like(sign), trace_)


# ---- LU


def lu_tangent(A_t: Tensor, P: Tensor, L: Tensor, U: Tensor, pivot: bool) -> any:
    """Return dL = L tril(M, -1) and dU = triu(M) U, where M = inv(L) P.T dA inv(U).

    These are for the square parts; the rest of a wide U or a tall L follows from A = P L U.
    """
    m = L.size(-2)
    n = U.size(-1)
    k = L.size(-1)
    change = transpose(P, -2, -1) @ A_t if pivot else A_t
    square_l = narrow(L, -2, 0, k)
    square_u = narrow(U, -1, 0, k)
    corner = narrow(narrow(change, -2, 0, k), -1, 0, k)
    inner = linalg_solve_triangular(square_l, corner, False, True, True)
    inner = linalg_solve_triangular(square_u, inner, True, False)
    below = tril(inner, -1)
    above = triu(inner)
    total_l = square_l @ below
    total_u = above @ square_u
    if m > k:
        rest = narrow(change, -2, k, m - k)
        rest = linalg_solve_triangular(square_u, rest, True, False)
        total_l = cat([total_l, rest - narrow(L, -2, k, m - k) @ above], -2)
    if n > k:
        beside = narrow(change, -1, k, n - k)
        beside = linalg_solve_triangular(square_l, beside, False, True, True)
        total_u = cat([total_u, beside - below @ narrow(U, -1, k, n - k)], -1)
    return (total_l, total_u)


def lu_factor_tangent(A_t: Tensor, LU: Tensor, pivots: Tensor) -> Tensor:
    """Return the tangents of L and U combined in one matrix, like LU itself."""
    P, L, U = lu_unpack(LU, pivots, True, True)
    total_l, total_u = lu_tangent(A_t, P, L, U, True)
    m = L.size(-2)
    n = U.size(-1)
    k = L.size(-1)
    return padded_columns(total_l, n - k) + padded_rows(total_u, m - k)


def lu_unpack_tangent(LU_t: Tensor, L: Tensor, U: Tensor) -> any:
    """Return the triangles of dLU; zeros if L or U was not unpacked."""
    if L.numel() == 0 or U.numel() == 0:
        return (zeros_like(L), zeros_like(U))
    k = L.size(-1)
    return (tril(narrow(LU_t, -1, 0, k), -1), triu(narrow(LU_t, -2, 0, k)))


def lu_solve_tangent(
    LU_t: Tensor,
    LU: Tensor,
    pivots: Tensor,
    B_t: Tensor,
    result: Tensor,
    left: bool,
    adjoint: bool,
) -> Tensor:
    """Return the tangent as for solve, with dA = P (dL U + L dU)."""
    P, L, U = lu_unpack(LU, pivots, True, True)
    change = P @ (tril(LU_t, -1) @ U + L @ triu(LU_t))
    turned = conj_t(change) if adjoint else change
    right = B_t - (turned @ result if left else result @ turned)
    return linalg_lu_solve(LU, pivots, right, left, adjoint)


# ---- Cholesky


def cholesky_tangent(A_t: Tensor, result: Tensor, upper: bool) -> Tensor:
    """Return L phi(inv(L) dA inv(L).H); phi is the lower triangle with half its diagonal."""
    L = conj_t(result) if upper else result
    inner = linalg_solve_triangular(L, A_t, False, True)
    inner = linalg_solve_triangular(conj_t(L), inner, True, False)
    total = L @ halved_diagonal(tril(inner))
    return conj_t(total) if upper else total


def cholesky_product_tangent(factor_t: Tensor, factor: Tensor, upper: bool) -> Tensor:
    """Return d(L L.H) = dL L.H + L dL.H; if upper, d(U.H U)."""
    product = conj_t(factor_t) @ factor if upper else factor_t @ conj_t(factor)
    return product + conj_t(product)


def cholesky_solve_tangent(
    self_t: Tensor, factor_t: Tensor, factor: Tensor, result: Tensor, upper: bool
) -> Tensor:
    """Return the tangent as for solve."""
    right = self_t - cholesky_product_tangent(factor_t, factor, upper) @ result
    return cholesky_solve(right, factor, upper)


# ---- QR


def qr_tangent(A_t: Tensor, Q: Tensor, R: Tensor, mode: str, m: int, n: int) -> any:
    """Return dQ and dR.

    Q.H dA inv(R) is the sum of a skew matrix and of dR inv(R), which is triangular with a real
    diagonal. The columns behind the square part of a wide R follow from A = Q R.
    """
    if mode == "r":
        raise RuntimeError(
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please "
            "use linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr."
        )
    if mode == "complete" and m > n:
        raise RuntimeError(
            "The QR decomposition is not differentiable when mode='complete' and nrows > ncols."
        )
    if m >= n:
        return qr_square_tangent(A_t, Q, R)
    square_q, square_r = qr_square_tangent(narrow(A_t, -1, 0, m), Q, narrow(R, -1, 0, m))
    beside = narrow(A_t, -1, m, n - m) - square_q @ narrow(R, -1, m, n - m)
    return (square_q, cat([square_r, conj_t(Q) @ beside], -1))


def qr_square_tangent(A_t: Tensor, Q: Tensor, R: Tensor) -> any:
    """Return the tangents for a square R."""
    quotient = linalg_solve_triangular(R, A_t, True, False)
    inner = conj_t(Q) @ quotient
    ratio = halved_diagonal(triu(inner + conj_t(inner)))
    return (quotient - Q @ ratio, ratio @ R)


# ---- eigenvalues and singular values


def eigh_tangent(A_t: Tensor, values: Tensor, V: Tensor) -> any:
    """Return dL = Re(diag(M)) and dV = V (M / E), where M = V.H dA V and E_ij = L_j - L_i."""
    inner = conj_t(V) @ (A_t @ V)
    on_diagonal = diagonal(inner, 0, -2, -1)
    turned = V @ without_diagonal(inner / differences_of(values))
    return (real(on_diagonal) if V.is_complex() else on_diagonal, turned)


def eig_tangent(A_t: Tensor, values: Tensor, V: Tensor) -> any:
    """Return dL = diag(M) and dV = V (M / E), less the change of the vectors' length.

    Here M = inv(V) dA V.
    """
    change = cast(A_t, V.scalar_type())
    inner = _linalg_solve_ex(V, change @ V, True, False)[0]
    turned = V @ without_diagonal(inner / differences_of(values))
    along = real((V.conj() * turned).sum_dim((-2,), True))
    return (diagonal(inner, 0, -2, -1), turned - V * along)


def svd_tangent(A_t: Tensor, U: Tensor, S: Tensor, Vh: Tensor, m: int, n: int) -> any:
    """Return the tangents of U, S and V.H.

    With P = U.H dA V and E_ij = S_j**2 - S_i**2: dS = Re(diag(P)), dU = U ((P S + S P.H) / E) and
    dV = V ((S P + P.H S) / E). The parts of dA outside the spans of U and V are added, divided by
    S.
    """
    k = S.size(-1)
    left = narrow(U, -1, 0, k)
    right = conj_t(narrow(Vh, -2, 0, k))
    forth = A_t @ right
    back = conj_t(A_t) @ left
    inner = conj_t(left) @ forth
    on_diagonal = diagonal(inner, 0, -2, -1)
    row = unsqueeze(S, -2)
    column = unsqueeze(S, -1)
    E = differences_of(S * S)
    on_u = without_diagonal((inner * row + column * conj_t(inner)) / E)
    on_v = without_diagonal((column * inner + conj_t(inner) * row) / E)
    if U.is_complex():
        # LAPACK chooses the phase of a pair of vectors; each vector takes half of its change
        phase = diagonal_matrix(imag(on_diagonal) * 0.5j / S)
        on_u = on_u + phase
        on_v = on_v - phase
    turned_u = left @ on_u
    turned_v = right @ on_v
    if m > k:
        turned_u = turned_u + (forth - left @ inner) / row
    if n > k:
        turned_v = turned_v + (back - right @ conj_t(inner)) / row
    return (
        padded_columns(turned_u, U.size(-1) - k),
        real(on_diagonal) if U.is_complex() else on_diagonal,
        conj_t(padded_columns(turned_v, Vh.size(-2) - k)),
    )


# ---- pseudoinverse, least squares


def pinv_tangent(A_t: Tensor, A: Tensor, pinv: Tensor) -> Tensor:
    """Return -P dA P + P P.H dA.H (1 - A P) + (1 - P A) dA.H P.H P, where P is the pseudoinverse.

    For the source see pinv_backward.
    """
    adjoint = conj_t(pinv)
    change = conj_t(A_t)
    first = adjoint @ change
    second = change @ adjoint
    return (
        pinv @ (first - (first @ A) @ pinv)
        + (second - pinv @ (A @ second)) @ pinv
        - pinv @ (A_t @ pinv)
    )


def lstsq_tangent(
    self_t: Tensor, b_t: Tensor, A: Tensor, b: Tensor, solution: Tensor, residuals: Tensor
) -> any:
    """Return the tangents of X = pinv(A) B and of the residuals, |B - A X|**2 of each column.

    The residuals are stationary in X, so that dX does not enter their tangent.
    """
    vectors = holds_vectors(A.sizes(), b.sizes())
    right = unsqueeze(b, -1) if vectors else b
    change = unsqueeze(b_t, -1) if vectors else b_t
    x = unsqueeze(solution, -1) if vectors else solution
    pinv = linalg_pinv(A)
    total = pinv_tangent(self_t, A, pinv) @ right + pinv @ change
    if residuals.numel() == 0:
        return (r_or_ops_squeeze(total, vectors), zeros_like(residuals))
    product = (right - A @ x).conj() * (change - self_t @ x)
    parts = real(product) if product.is_complex() else product
    return (r_or_ops_squeeze(total, vectors), parts.sum_dim((-2,), False) * 2)
