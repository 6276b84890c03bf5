"""Derivatives of Cholesky, QR, the pseudoinverse and the matrix exponential.

The sources are those of linalg.py, and for QR also S. Walter and L. Lehmann, "Algorithmic
differentiation of linear algebra functions" (2010).
"""

# ---- Cholesky


def cholesky_backward(grad: Tensor, upper: bool, L: Tensor) -> Tensor:
    """Return inv(L).H phi inv(L), where A = L L.H.

    Here phi is half of the lower triangle of L.H gL plus its mirror image.
    """
    lower = conj_t(L) if upper else L
    grad_l = conj_t(grad) if upper else grad
    product = conj_t(lower) @ grad_l
    lower_half = tril(product)
    phi = (lower_half + conj_t(tril(lower_half, -1))) * 0.5
    inner = linalg_solve_triangular(conj_t(lower), phi, True, True)
    return linalg_solve_triangular(lower, inner, False, False)


def cholesky_solve_backward(
    grad: Tensor, input2: Tensor, result: Tensor, upper: bool, output_mask: "int[]"
) -> any:
    """Return the gradients as for solve, with gA turned into gL = (gA + gA.H) L."""
    grad_self = cholesky_solve(grad, input2, upper)
    if not output_mask[1]:
        return (grad_self, None)
    product = grad_self @ conj_t(result)
    both = product + conj_t(product)
    return (grad_self, -(input2 @ both) if upper else -(both @ input2))


def cholesky_inverse_backward(grad: Tensor, self: Tensor, upper: bool, result: Tensor) -> Tensor:
    """Return the gradient as for inv, carried over to the factor."""
    both = result @ ((grad + conj_t(grad)) @ result)
    return -(self @ both) if upper else -(both @ self)


# ---- QR


def qr_backward(
    grad_q: "Tensor?", grad_r: "Tensor?", Q: Tensor, R: Tensor, mode: str, m: int, n: int
) -> Tensor:
    """Return [gQ + Q (M + M.H)] inv(R).H, where M = triu(gR R.H - Q.H gQ) with half its diagonal.

    For a wide matrix, the columns behind the square part are Q R, and so contribute to gQ as well.
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
    """Return the gradient for a square R."""
    if grad_r is None:
        inner = -(conj_t(Q) @ grad_q)
    elif grad_q is None:
        inner = grad_r @ conj_t(R)
    else:
        inner = grad_r @ conj_t(R) - conj_t(Q) @ grad_q
    half = triu(inner)
    total = Q @ with_halved_diagonal(half + conj_t(half))
    if grad_q is not None:
        total = total + grad_q
    return linalg_solve_triangular(conj_t(R), total, False, False)


def reflections_backward(grad: Tensor, self: Tensor, tau: Tensor, C: Tensor, adjoint: bool) -> any:
    """Return the gradients of the reflectors and of tau.

    `grad` is the gradient of Q C or, if adjoint, of Q.H C.

    Q = H_1 ... H_k with H = I - tau v v.H. The loop goes through the factors from the left. `after`
    is the operand of a factor: C multiplied by the factors behind it. `passed` is the gradient
    after passing the factors in front.
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
    """Return (I - tau v v.H) times a matrix; if adjoint, with the conjugate of tau."""
    scale = unsqueeze(tau.conj() if adjoint else tau, -1)
    return self - (v * scale) @ (conj_t(v) @ self)


def reflection_backward(grad: Tensor, self: Tensor, v: Tensor, tau: Tensor, adjoint: bool) -> any:
    """Return the gradients of v and tau, from the gradient of H times a matrix."""
    scale = unsqueeze(tau.conj() if adjoint else tau, -1)
    # gH = grad self.H is never formed
    right = grad @ (conj_t(self) @ v)
    left = self @ (conj_t(grad) @ v)
    grad_tau = -squeeze_dim(conj_t(v) @ right, -1)
    grad_v = -(scale.conj() * right) - scale * left
    return (grad_v, grad_tau.conj() if adjoint else grad_tau)


def householder_product_backward(grad: Tensor, self: Tensor, tau: Tensor) -> any:
    """Return the gradients of Q as Q applied to the first columns of the identity."""
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
    """Return the gradients; C Q is handled as (Q.H C.H).H, which leaves two of the four cases."""
    grad_other = ormqr(self, tau, grad, left, not transposed)
    if not (output_mask[0] or output_mask[1]):
        return (None, None, grad_other)
    if left:
        pair = reflections_backward(grad, self, tau, other, transposed)
    else:
        pair = reflections_backward(conj_t(grad), self, tau, conj_t(other), not transposed)
    return (pair[0], pair[1], grad_other)


def geqrf_backward(grad: "Tensor?") -> Tensor:
    """Raise NotImplementedError: geqrf has no derivative."""
    raise NotImplementedError("the derivative for 'geqrf' is not implemented.")


# ---- pseudoinverse, least squares, exponential


def pinv_backward(grad: Tensor, pinv: Tensor, A: Tensor) -> Tensor:
    """Return the gradient of the pseudoinverse, computing the smaller products first.

    G. Golub and V. Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares
    problems whose variables separate" (1973).
    """
    adjoint = conj_t(pinv)
    grad_h = conj_t(grad)
    if A.size(-2) <= A.size(-1):
        inner = grad_h @ pinv
        outer_ = inner @ adjoint
        pair = adjoint @ pinv
        last = pair @ (grad_h - inner @ A)
        third = (A @ pinv) @ outer_
        return -conj_t(pinv @ inner) + outer_ - third + last
    inner = pinv @ grad_h
    outer_ = adjoint @ inner
    last = (outer_ @ pinv) @ A
    third = ((grad_h - A @ inner) @ pinv) @ adjoint
    return -conj_t(inner @ pinv) + third + outer_ - last


def lstsq_backward(
    grad_solution: "Tensor?",
    grad_residuals: "Tensor?",
    A: Tensor,
    b: Tensor,
    solution: Tensor,
    output_mask: "int[]",
) -> any:
    """Return the gradients of A and B, where X = pinv(A) B.

    The residuals are stationary in X, so their gradient is the gradient of |B - A X|**2 with X
    fixed.
    """
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
    """Return the argument, as a matrix with one column if it holds vectors."""
    return unsqueeze(self, -1) if vectors else self


def lstsq_scale(self: Tensor) -> Tensor:
    """Return twice the gradients of the columns' sums, to be multiplied with the columns."""
    return unsqueeze(self, -2) * 2


def matrix_exp_backward(grad: Tensor, self: Tensor) -> Tensor:
    """Return the upper right block of exp([[A.H, G], [0, A.H]]).

    N. Higham, "Functions of matrices" (2008), section 3.2.
    """
    n = self.size(-1)
    adjoint = conj_t(self)
    above = cat([adjoint, grad], -1)
    below = cat([zeros_like(adjoint), adjoint], -1)
    return narrow(narrow(linalg_matrix_exp(cat([above, below], -2)), -2, 0, n), -1, n, n)
