"""Derivatives of the Cholesky, QR, eigenvalue and singular value decompositions.

The sources are those of linalg.py; for QR also S. Walter and L. Lehmann, "Algorithmic
differentiation of linear algebra functions" (2010).
"""

# ---- Cholesky


def cholesky_backward(grad: Tensor, upper: bool, L: Tensor) -> Tensor:
    """A = L L.H: inv(L).H phi inv(L), made Hermitian, where phi is tril(L.H gL), half on the
    diagonal."""
    lower = conj_t(L) if upper else L
    grad_l = conj_t(grad) if upper else grad
    phi = halved_diagonal(tril(conj_t(lower) @ grad_l))
    inner = linalg_solve_triangular(conj_t(lower), phi, True, True)
    total = linalg_solve_triangular(lower, inner, False, False)
    return (total + conj_t(total)) * 0.5


def cholesky_solve_backward(
    grad: Tensor, input2: Tensor, result: Tensor, upper: bool, output_mask: "int[]"
) -> any:
    """As of solve, with gA = gL L.H + L gL.H."""
    grad_self = cholesky_solve(grad, input2, upper)
    if not output_mask[1]:
        return (grad_self, None)
    product = grad_self @ conj_t(result)
    both = product + conj_t(product)
    return (grad_self, -(input2 @ both) if upper else -(both @ input2))


def cholesky_inverse_backward(grad: Tensor, self: Tensor, upper: bool, result: Tensor) -> Tensor:
    """As of inv."""
    both = result @ ((grad + conj_t(grad)) @ result)
    return -(self @ both) if upper else -(both @ self)


# ---- QR


def qr_backward(
    grad_q: "Tensor?", grad_r: "Tensor?", Q: Tensor, R: Tensor, mode: str, m: int, n: int
) -> Tensor:
    """[gQ + Q (M + M.H)] inv(R).H, where M = triu(gR R.H - Q.H gQ) with half its diagonal. The
    columns behind the square part of a wide matrix are Q R and give to gQ, too."""
    if mode == "r":
        raise RuntimeError(
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please "
            "use linalg.qr(A, mode='reduced') if you are going to require gradients of Q or R."
        )
    if mode == "complete" and m > n:
        raise RuntimeError(
            "The QR decomposition is not differentiable when mode='complete' and nrows > ncols."
        )
    if m >= n:
        return qr_square_backward(grad_q, grad_r, Q, R)
    if grad_r is None:
        beside = zeros(R.sizes()[:-1] + (n - m,), R.scalar_type())
        return cat([qr_square_backward(grad_q, grad_r, Q, narrow(R, -1, 0, m)), beside], -1)
    rest = narrow(R, -1, m, n - m)
    grad_rest = narrow(grad_r, -1, m, n - m)
    more = Q @ (rest @ conj_t(grad_rest))
    total_q = more if grad_q is None else grad_q + more
    square = qr_square_backward(total_q, narrow(grad_r, -1, 0, m), Q, narrow(R, -1, 0, m))
    return cat([square, Q @ grad_rest], -1)


def qr_square_backward(grad_q: "Tensor?", grad_r: "Tensor?", Q: Tensor, R: Tensor) -> Tensor:
    """For a square R."""
    if grad_r is None:
        inner = -(conj_t(Q) @ grad_q)
    elif grad_q is None:
        inner = grad_r @ conj_t(R)
    else:
        inner = grad_r @ conj_t(R) - conj_t(Q) @ grad_q
    half = halved_diagonal(triu(inner))
    total = Q @ (half + conj_t(half))
    if grad_q is not None:
        total = total + grad_q
    return linalg_solve_triangular(conj_t(R), total, False, False)


def reflections_backward(grad: Tensor, self: Tensor, tau: Tensor, C: Tensor, adjoint: bool) -> any:
    """The gradients of reflectors and of tau, from that of Q C or, adjoint, of Q.H C.

    Q = H_1 ... H_k with H = I - tau v v.H. Going through the factors from the left, `after` is
    what they are applied to, C multiplied by the factors behind, and `grad` has passed those in
    front.
    """
    count = tau.size(-1)
    m = self.size(-2)
    n = self.size(-1)
    order = list(range(count))
    if adjoint:
        order.reverse()
    columns = tril(self, -1) + eye(m, n, self.scalar_type())
    products = {}
    after = C
    for i in reversed(order):
        products[i] = after
        after = reflected(after, narrow(columns, -1, i, 1), narrow(tau, -1, i, 1), adjoint)
    grad_columns = {}
    grad_tau = {}
    passed = grad
    for i in order:
        pair = reflection_backward(
            passed, products[i], narrow(columns, -1, i, 1), narrow(tau, -1, i, 1), adjoint
        )
        grad_columns[i] = pair[0]
        grad_tau[i] = pair[1]
        passed = reflected(passed, narrow(columns, -1, i, 1), narrow(tau, -1, i, 1), not adjoint)
    if count == 0:
        return (zeros_like(self), zeros_like(tau))
    total = cat([grad_columns[i] for i in range(count)], -1)
    return (
        tril(padded_columns(total, n - count), -1),
        cat([grad_tau[i] for i in range(count)], -1),
    )


def reflected(self: Tensor, v: Tensor, tau: Tensor, adjoint: bool) -> Tensor:
    """(I - tau v v.H) times a matrix, or with the conjugate of tau."""
    scale = unsqueeze(tau.conj() if adjoint else tau, -1)
    return self - (v * scale) @ (conj_t(v) @ self)


def reflection_backward(grad: Tensor, self: Tensor, v: Tensor, tau: Tensor, adjoint: bool) -> any:
    """The gradients of v and tau, from that of H times a matrix."""
    scale = unsqueeze(tau.conj() if adjoint else tau, -1)
    # gH = grad self.H, which is never written out
    right = grad @ (conj_t(self) @ v)
    left = self @ (conj_t(grad) @ v)
    grad_tau = -squeeze_dim(conj_t(v) @ right, -1)
    grad_v = -(scale.conj() * right) - scale * left
    return (grad_v, grad_tau.conj() if adjoint else grad_tau)


def householder_product_backward(grad: Tensor, self: Tensor, tau: Tensor) -> any:
    """Q applied to the first columns of the identity."""
    shape = self.sizes()
    start = eye(shape[-2], shape[-1], self.scalar_type()).expand(shape)
    return reflections_backward(grad, self, tau, start, False)


def ormqr_backward(
    grad: Tensor,
    self: Tensor,
    tau: Tensor,
    other: Tensor,
    left: bool,
    transposed: bool,
    output_mask: "int[]",
) -> any:
    """C Q is (Q.H C.H).H, so that two of the four cases are enough."""
    grad_other = ormqr(self, tau, grad, left, not transposed)
    if not (output_mask[0] or output_mask[1]):
        return (None, None, grad_other)
    if left:
        pair = reflections_backward(grad, self, tau, other, transposed)
    else:
        pair = reflections_backward(conj_t(grad), self, tau, conj_t(other), not transposed)
    return (pair[0], pair[1], grad_other)


def geqrf_backward(grad: "Tensor?") -> Tensor:
    """There is none."""
    raise NotImplementedError("the derivative for 'geqrf' is not implemented.")


def ldl_factor_backward(grad: Tensor) -> Tensor:
    """There is none."""
    raise RuntimeError("derivative for aten::linalg_ldl_factor_ex is not implemented")


# ---- eigenvalues


def differences_of(self: Tensor) -> Tensor:
    """x_j - x_i, and 1 on the diagonal."""
    n = self.size(-1)
    return unsqueeze(self, -2) - unsqueeze(self, -1) + eye(n, n, self.scalar_type())


def eigh_backward(
    grad_values: "Tensor?", grad_vectors: "Tensor?", values: Tensor, V: Tensor
) -> Tensor:
    """V (diag(gL) + (V.H gV) / E) V.H with E_ij = L_j - L_i."""
    if V.numel() == 0 and values.numel() != 0:
        raise RuntimeError(
            "linalg_eigh: the eigenvectors are needed for the gradient, and were not computed"
        )
    if grad_vectors is None:
        return (V * unsqueeze(grad_values, -2)) @ conj_t(V)
    product = conj_t(V) @ grad_vectors
    if V.is_complex():
        check_phase(
            diagonal(product, 0, -2, -1),
            None,
            "linalg_eigh_backward: The eigenvectors in the complex case are specified up to "
            "multiplication by e^{i phi}. The specified loss function depends on this quantity, so "
            "it is ill-defined.",
        )
    inner = without_diagonal(product / differences_of(values))
    if grad_values is not None:
        inner = inner + diagonal_matrix(grad_values)
    return V @ (inner @ conj_t(V))


def eig_backward(
    grad_values: "Tensor?", grad_vectors: "Tensor?", values: Tensor, V: Tensor, is_real: bool
) -> Tensor:
    """inv(V).H (diag(gL) + (V.H gV - V.H V Re(diag(V.H gV))) / conj(E)) V.H; the second term comes
    of the vectors having length one."""
    adjoint = conj_t(V)
    if grad_vectors is None:
        inner = unsqueeze(grad_values, -1) * adjoint
    else:
        product = adjoint @ grad_vectors
        on_diagonal = diagonal(product, 0, -2, -1)
        check_phase(
            on_diagonal,
            None,
            "linalg_eig_backward: The eigenvectors in the complex case are specified up to "
            "multiplication by e^{i phi}. The specified loss function depends on this quantity, so "
            "it is ill-defined.",
        )
        middle = product - (adjoint @ V) * unsqueeze(real(on_diagonal), -2)
        middle = without_diagonal(middle / differences_of(values).conj())
        if grad_values is not None:
            middle = middle + diagonal_matrix(grad_values)
        inner = middle @ adjoint
    total = _linalg_solve_ex(adjoint, inner, True, False)[0]
    return contiguous(real(total)) if is_real else total


# ---- singular values


def svd_backward(
    grad_u: "Tensor?",
    grad_s: "Tensor?",
    grad_vh: "Tensor?",
    U: Tensor,
    S: Tensor,
    Vh: Tensor,
    m: int,
    n: int,
) -> Tensor:
    """U [(skew(U.H gU) S + S skew(V.H gV)) / E + gS] V.H, E_ij = S_j**2 - S_i**2, and what of gU
    and gV is not in the span of U and V, divided by S."""
    k = S.size(-1)
    if U.numel() == 0 and S.numel() != 0:
        raise RuntimeError(
            "linalg_svd: the singular vectors are needed for the gradient, and were not computed"
        )
    left = narrow(U, -1, 0, k)
    right = narrow(Vh, -2, 0, k)
    if grad_u is None and grad_vh is None:
        return (left * unsqueeze(grad_s, -2)) @ right
    gu = None if grad_u is None else svd_narrow(grad_u, -1, k)
    gvh = None if grad_vh is None else svd_narrow(grad_vh, -2, k)
    inner = svd_inner(gu, gvh, left, S, right)
    if grad_s is not None:
        inner = inner + diagonal_matrix(grad_s)
    total = left @ inner
    if gu is not None and m > k:
        total = total + svd_outside(left, gu) / unsqueeze(S, -2)
    total = total @ right
    if gvh is not None and n > k:
        beside = conj_t(svd_outside(conj_t(right), svd_adjoint(gvh)))
        total = total + (left / unsqueeze(S, -2)) @ beside
    return total


def svd_narrow(self: Tensor, dim: int, k: int) -> Tensor:
    """The vectors that belong to singular values."""
    return narrow(self, dim, 0, k)


def svd_adjoint(self: Tensor) -> Tensor:
    """conj_t of what is a tensor."""
    return conj_t(self)


def svd_outside(self: Tensor, other: Tensor) -> Tensor:
    """The part of `other` that is orthogonal to the columns of self."""
    return other - self @ (conj_t(self) @ other)


def svd_inner(gu: "Tensor?", gvh: "Tensor?", U: Tensor, S: Tensor, Vh: Tensor) -> Tensor:
    """The square matrix between U and V.H, without gS."""
    on_u = None
    on_v = None
    if gu is not None:
        product = conj_t(U) @ gu
        on_u = product - conj_t(product)
    if gvh is not None:
        turned = Vh @ conj_t(gvh)
        on_v = turned - conj_t(turned)
    if U.is_complex():
        svd_check_phase(on_u, on_v)
    squares = S * S
    E = differences_of(squares)
    if on_u is None:
        return unsqueeze(S, -1) * (svd_given(on_v) / E)
    left_skew = svd_given(on_u)
    inner = (left_skew / E) * unsqueeze(S, -2)
    if on_v is not None:
        inner = inner + unsqueeze(S, -1) * (svd_given(on_v) / E)
    if U.is_complex():
        # the phase of a pair of vectors, which LAPACK chooses, is counted on U alone
        inner = without_diagonal(inner) + diagonal_matrix(diagonal(left_skew, 0, -2, -1) / (S * 2))
    return inner


def svd_given(self: Tensor) -> Tensor:
    """What is a tensor."""
    return self


def svd_check_phase(on_u: "Tensor?", on_v: "Tensor?") -> any:
    """The loss must not change when a pair of vectors is turned."""
    what = (
        "svd_backward: The singular vectors in the complex case are specified up to multiplication "
        "by e^{i phi}. The specified loss function depends on this phase term, making it "
        "ill-defined."
    )
    if on_u is None:
        check_phase(svd_diagonal(on_v), None, what)
    elif on_v is None:
        check_phase(svd_diagonal(on_u), None, what)
    else:
        check_phase(svd_diagonal(on_u), svd_diagonal(on_v), what)


def svd_diagonal(self: Tensor) -> Tensor:
    """Half the diagonal of a skew matrix."""
    return diagonal(self, 0, -2, -1) * 0.5


# ---- pseudoinverse, least squares, exponential


def pinv_backward(grad: Tensor, pinv: Tensor, A: Tensor) -> Tensor:
    """G. Golub and V. Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares
    problems whose variables separate" (1973); the smaller products first."""
    adjoint = conj_t(pinv)
    grad_h = conj_t(grad)
    if A.size(-2) <= A.size(-1):
        inner = grad_h @ pinv
        outer_ = inner @ adjoint
        return (
            outer_
            - conj_t(pinv @ inner)
            - (A @ pinv) @ outer_
            + (adjoint @ pinv) @ (grad_h - inner @ A)
        )
    inner = pinv @ grad_h
    outer_ = adjoint @ inner
    return (
        outer_
        - conj_t(inner @ pinv)
        + ((grad_h - A @ inner) @ pinv) @ adjoint
        - (outer_ @ pinv) @ A
    )


def lstsq_backward(
    grad_solution: "Tensor?",
    grad_residuals: "Tensor?",
    A: Tensor,
    b: Tensor,
    solution: Tensor,
    output_mask: "int[]",
) -> any:
    """X = pinv(A) B. The residuals do not change with X at its place, so that their gradient is
    that of |B - A X|**2 with X fixed."""
    vectors = holds_vectors(A.sizes(), b.sizes())
    right = unsqueeze(b, -1) if vectors else b
    x = unsqueeze(solution, -1) if vectors else solution
    grad_a = None
    grad_b = None
    if grad_solution is not None:
        pinv = linalg_pinv(A)
        grad_x = lstsq_matrix(grad_solution, vectors)
        if output_mask[0]:
            grad_a = pinv_backward(grad_x @ conj_t(right), pinv, A)
        if output_mask[1]:
            grad_b = conj_t(pinv) @ grad_x
    if grad_residuals is not None and grad_residuals.numel() != 0:
        error = (right - A @ x) * lstsq_scale(grad_residuals)
        if output_mask[0]:
            more = -(error @ conj_t(x))
            grad_a = more if grad_a is None else more + grad_a
        if output_mask[1]:
            grad_b = error if grad_b is None else error + grad_b
    if grad_b is None:
        return (grad_a, None)
    return (grad_a, r_or_ops_squeeze(grad_b, vectors))


def lstsq_matrix(self: Tensor, vectors: bool) -> Tensor:
    """With a dimension for a single column."""
    return unsqueeze(self, -1) if vectors else self


def lstsq_scale(self: Tensor) -> Tensor:
    """Twice the gradients of the columns' sums."""
    return unsqueeze(self, -2) * 2


def matrix_exp_backward(grad: Tensor, self: Tensor) -> Tensor:
    """The upper right block of exp([[A.H, G], [0, A.H]]); N. Higham, "Functions of matrices"
    (2008), section 3.2."""
    n = self.size(-1)
    adjoint = conj_t(self)
    above = cat([adjoint, grad], -1)
    below = cat([zeros_like(adjoint), adjoint], -1)
    return narrow(narrow(linalg_matrix_exp(cat([above, below], -2)), -2, 0, n), -1, n, n)
