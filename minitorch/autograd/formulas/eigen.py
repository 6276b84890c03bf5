"""Derivatives of eigenvalues, singular values and their vectors.

The sources are listed in linalg.py. For gradients of complex vectors, whose phase LAPACK chooses,
see Z.-Q. Wan and S.-X. Zhang, "Automatic differentiation for complex valued SVD" (2019).
"""

# ---- eigenvalues


def differences_of(self: Tensor) -> Tensor:
    """Return the matrix x_j - x_i, with 1 on the diagonal."""
    differences = unsqueeze(self, -2) - unsqueeze(self, -1)
    fill_(diagonal(differences, 0, -2, -1), 1)
    return differences


def eigh_backward(
    grad_values: "Tensor?", grad_vectors: "Tensor?", values: Tensor, V: Tensor
) -> Tensor:
    """Return V (diag(gL) + skew(V.H gV) / E) V.H with E_ij = L_j - L_i."""
    if V.numel() == 0 and values.numel() != 0:
        raise RuntimeError(
            "linalg_eigh: the eigenvectors are needed for the gradient, and were not computed"
        )
    if grad_vectors is None:
        adjoint = conj_t(V)
        return (V * unsqueeze(grad_values, -2)) @ adjoint
    product = conj_t(V) @ grad_vectors
    turns = diagonal(product, 0, -2, -1)
    if V.is_complex():
        check_phase(
            turns,
            None,
            "linalg_eigh_backward: The eigenvectors in the complex case are specified up to "
            "multiplication by e^{i phi}. The specified loss function depends on this quantity, so "
            "it is ill-defined.",
        )
    # V.H dV is skew-Hermitian for unitary V
    inner = (product - conj_t(product)) * 0.5
    inner = div_(inner, differences_of(values))
    if grad_values is not None:
        inner = diagonal_scatter(inner, grad_values, 0, -2, -1)
    return V @ (inner @ conj_t(V))


def eig_backward(
    grad_values: "Tensor?", grad_vectors: "Tensor?", values: Tensor, V: Tensor, is_real: bool
) -> Tensor:
    """Return inv(V).H (diag(gL) + (V.H gV - V.H V Re(diag(V.H gV))) / conj(E)) V.H.

    The term with Re(diag(V.H gV)) keeps the length of the vectors at one.
    """
    if grad_vectors is None:
        inner = unsqueeze(grad_values, -1) * conj_t(V)
    else:
        product = conj_t(V) @ grad_vectors
        on_diagonal = diagonal(product, 0, -2, -1)
        check_phase(
            on_diagonal,
            None,
            "linalg_eig_backward: The eigenvectors in the complex case are specified up to "
            "multiplication by e^{i phi}. The specified loss function depends on this quantity, so "
            "it is ill-defined.",
        )
        along = V * unsqueeze(real(on_diagonal), -2)
        middle = product - conj_t(V) @ along
        middle = div_(middle, differences_of(values.conj()))
        if grad_values is not None:
            middle = diagonal_scatter(middle, grad_values, 0, -2, -1)
        inner = middle @ conj_t(V)
    total = _linalg_solve_ex(conj_t(V), inner, True, False)[0]
    return real(total) if is_real else total


# ---- singular values


def svd_backward(
    grad_u: "Tensor?",
    grad_s: "Tensor?",
    grad_vh: "Tensor?",
    U: Tensor,
    S: Tensor,
    Vh: Tensor,
    full_matrices: bool,
    m: int,
    n: int,
) -> Tensor:
    """Return U [(skew(U.H gU) S + S skew(V.H gV)) / E + gS] V.H, with E_ij = S_j**2 - S_i**2.

    The parts of gU and gV outside the spans of U and V are added, divided by S.
    """
    k = S.size(-1)
    if U.numel() == 0 and S.numel() != 0:
        raise RuntimeError(
            "linalg_svd: the singular vectors are needed for the gradient, and were not computed"
        )
    left = narrow(U, -1, 0, k) if full_matrices else U
    right = narrow(Vh, -2, 0, k) if full_matrices else Vh
    if grad_u is None and grad_vh is None:
        if m >= n:
            return left @ (unsqueeze(grad_s, -1) * right)
        return (left * unsqueeze(grad_s, -2)) @ right
    gu = svd_narrow(grad_u, -1, k) if full_matrices and grad_u is not None else grad_u
    gvh = svd_narrow(grad_vh, -2, k) if full_matrices and grad_vh is not None else grad_vh
    inner = svd_inner(gu, gvh, left, S, right)
    if grad_s is not None:
        inner = inner + diagonal_matrix(grad_s)
    if gu is not None and m > k:
        total = left @ inner
        scaled = svd_given(gu) / unsqueeze(S, -2)
        outside = left @ (conj_t(left) @ scaled)
        return (total + scaled - outside) @ right
    if gvh is not None and n > k:
        total = inner @ right
        scaled = svd_given(gvh) / unsqueeze(S, -1)
        outside = (scaled @ conj_t(right)) @ right
        return left @ (total + scaled - outside)
    if m >= n:
        return left @ (inner @ right)
    return (left @ inner) @ right


def svd_narrow(self: Tensor, dim: int, k: int) -> Tensor:
    """Return the first k vectors, which belong to singular values."""
    return narrow(self, dim, 0, k)


def svd_inner(gu: "Tensor?", gvh: "Tensor?", U: Tensor, S: Tensor, Vh: Tensor) -> Tensor:
    """Return the square matrix between U and V.H, without gS."""
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
    if on_v is None:
        inner = (left_skew / E) * unsqueeze(S, -2)
    else:
        right_part = unsqueeze(S, -1) * svd_given(on_v)
        inner = (left_skew * unsqueeze(S, -2) + right_part) / E
    if U.is_complex():
        # LAPACK chooses the phase of a pair of vectors; its change is attributed to U alone
        inner = without_diagonal(inner) + diagonal_matrix(diagonal(left_skew, 0, -2, -1) / (S * 2))
    return inner


def svd_given(self: Tensor) -> Tensor:
    """Return the argument, known not to be None."""
    return self


def svd_check_phase(on_u: "Tensor?", on_v: "Tensor?") -> any:
    """Check that the loss does not depend on the phase of a pair of vectors."""
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
    """Return half the diagonal of a skew matrix."""
    return diagonal(self, 0, -2, -1) * 0.5
