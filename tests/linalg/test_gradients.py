"""Gradients of what does not depend on the choice of vectors that a decomposition makes."""

import numpy as np
import pytest

import minitorch as torch
from minitorch.autograd import gradcheck, gradgradcheck
from tests.both import compare


def matrix(*shape, dtype=torch.complex128, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape)
    if dtype.is_complex:
        values = values + 1j * rng.standard_normal(shape)
    return torch.from_numpy(values).requires_grad_()


def of_eigh(A):
    values, V = torch.linalg.eigh(A + A.mH)
    return (V * values.exp().unsqueeze(-2)) @ V.mH


def of_eig(A):
    values, V = torch.linalg.eig(A)
    return (V * values.exp().unsqueeze(-2)) @ torch.linalg.inv(V), V.abs()


def of_svd(A):
    U, S, Vh = torch.linalg.svd(A, full_matrices=False)
    return (U * S.exp().unsqueeze(-2)) @ Vh


def of_left_vectors(A):
    U, _, _ = torch.linalg.svd(A, full_matrices=False)
    return (U[..., :1].abs() ** 2,)


def definite(A):
    return A @ A.mH + torch.eye(A.shape[-1])


def triangle(A):
    # the diagonal of a Cholesky factor is real
    return A.tril(-1) + 3 * torch.eye(A.shape[-1])


FUNCTIONS = {
    "cholesky": (lambda A: torch.linalg.cholesky(definite(A)), (2, 3, 3)),
    "upper cholesky": (lambda A: torch.linalg.cholesky(definite(A), upper=True), (3, 3)),
    "cholesky_solve": (lambda A: torch.cholesky_solve(A, triangle(A)), (3, 3)),
    "upper cholesky_solve": (lambda A: torch.cholesky_solve(A, triangle(A).mT, True), (3, 3)),
    "cholesky_inverse": (lambda A: torch.cholesky_inverse(triangle(A)), (3, 3)),
    "upper cholesky_inverse": (lambda A: torch.cholesky_inverse(triangle(A).mT, True), (3, 3)),
    "real eigenvectors": (lambda A: torch.linalg.eigh(definite(A)).eigenvectors.abs(), (3, 3)),
    "eigh": (of_eigh, (3, 3)),
    "eigvalsh": (lambda A: torch.linalg.eigvalsh(A + A.mH), (3, 3)),
    "eig": (of_eig, (3, 3)),
    "eigvals": (torch.linalg.eigvals, (3, 3)),
    "svd": (of_svd, (3, 3)),
    "svd of a tall matrix": (of_svd, (4, 2)),
    "svd of a wide matrix": (of_svd, (2, 2, 3)),
    "left vectors alone": (of_left_vectors, (3, 2)),
    "svdvals": (torch.linalg.svdvals, (3, 4)),
    "nuclear norm": (lambda A: torch.linalg.matrix_norm(A, "nuc"), (3, 2)),
    "2-norm": (lambda A: torch.linalg.matrix_norm(A, 2), (3, 2)),
    "cond": (torch.linalg.cond, (3, 3)),
    "cond by the inverse": (lambda A: torch.linalg.cond(A, "fro"), (3, 3)),
    "logdet": (lambda A: torch.logdet(A @ A.mH + torch.eye(3)), (3, 3)),
    "matrix_power": (lambda A: torch.linalg.matrix_power(A, 3), (2, 2)),
    "negative power": (lambda A: torch.linalg.matrix_power(A, -2), (2, 2)),
    "multi_dot": (lambda A: torch.linalg.multi_dot([A, A.mH, A]), (2, 3)),
    "pinv of a Hermitian matrix": (lambda A: torch.linalg.pinv(A + A.mH, hermitian=True), (3, 3)),
    "vecdot": (lambda A: torch.linalg.vecdot(A, A * 2), (2, 3)),
    "tensorinv": (lambda A: torch.linalg.tensorinv(A.reshape(2, 2, 4)), (4, 4)),
    "vander": (torch.linalg.vander, (2, 3)),
}


@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_are_slopes(name, dtype):
    function, shape = FUNCTIONS[name]
    A = matrix(*shape, dtype=dtype)
    assert gradcheck(function, (A,))
    assert gradgradcheck(function, (A,), atol=1e-4)


@pytest.mark.parametrize("rank", [0, 1, 2])
def test_the_determinant_of_a_singular_matrix_has_a_recorded_gradient(rank):
    A = matrix(3, rank, dtype=torch.float64).detach() @ matrix(rank, 3, dtype=torch.float64, seed=1)
    A = A.detach()
    A[2] = 0
    A = A.requires_grad_()
    (grad,) = torch.autograd.grad(torch.linalg.det(A), A, create_graph=True)
    units = torch.eye(9, dtype=torch.float64).reshape(9, 3, 3)
    slopes = torch.linalg.det(A + units) - torch.linalg.det(A)  # it is linear in each element
    np.testing.assert_allclose(grad.detach().reshape(9), slopes.detach(), atol=1e-12)


@pytest.mark.parametrize("recorded", (False, True))
@pytest.mark.parametrize(
    "kinds", ("regular", "singular", "zero", "regular singular", "regular zero singular")
)
def test_the_determinants_gradient_is_found_in_pytorchs_way(kinds, recorded):
    def program(torch):
        regular = torch.tensor([[2.0, 1, 0], [0.5, 3, 1], [1, 0, 1]], dtype=torch.float64)
        singular = torch.arange(9, dtype=torch.float64).reshape(3, 3)
        made = {"regular": regular, "singular": singular, "zero": singular.tril() * 0}
        A = torch.stack([made[kind] for kind in kinds.split()]).squeeze(0).requires_grad_()
        det = torch.linalg.det(A).sum()
        (grad,) = torch.autograd.grad(det, A, create_graph=recorded)
        return grad.detach().round(decimals=6) + 0.0, grad.stride(), type(grad.grad_fn).__name__

    compare(program, alone=True)


def test_a_loss_that_depends_on_the_phase_is_refused():
    A = matrix(3, 3)
    with pytest.raises(RuntimeError, match="svd_backward: The singular vectors in the complex"):
        torch.linalg.svd(A).U.real.sum().backward()
    with pytest.raises(RuntimeError, match="linalg_eigh_backward: The eigenvectors in the complex"):
        torch.linalg.eigh(A + A.mH).eigenvectors.imag.sum().backward()
    with pytest.raises(RuntimeError, match="linalg_eig_backward: The eigenvectors in the complex"):
        torch.linalg.eig(A).eigenvectors.imag.sum().backward()


def test_qr_says_what_it_cannot_differentiate():
    A = matrix(3, 2)
    with pytest.raises(RuntimeError, match="mode='complete' and nrows > ncols"):
        torch.linalg.qr(A, "complete").Q.abs().sum().backward()
    with pytest.raises(RuntimeError, match="not computed when mode='r'"):
        torch.linalg.qr(A, "r").R.abs().sum().backward()
