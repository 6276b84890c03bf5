"""What the factorizations promise: their products are the matrix again."""

import numpy as np
import pytest

import minitorch as torch

DTYPES = [torch.float32, torch.float64, torch.complex64, torch.complex128]
SHAPES = [(3, 3), (1, 1), (20, 20), (2, 3, 3), (2, 1, 2, 2), (0, 3, 3), (2, 0, 0), (0, 0)]
OBLONG = [(3, 5), (5, 3), (2, 4, 2), (20, 7), (0, 3), (3, 0), (2, 3, 0), (0, 4, 2), (1, 5)]


def random(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape)
    if dtype.is_complex:
        values = values + 1j * rng.standard_normal(shape)
    return torch.from_numpy(np.asarray(values)).to(dtype)


def regular(shape, dtype):
    return random(shape, dtype) + torch.eye(shape[-1], dtype=dtype) * 4


def definite(shape, dtype):
    a = random(shape, dtype)
    return a @ a.mH + torch.eye(shape[-1], dtype=dtype)


def close(a, b):
    assert a.shape == b.shape
    a, b = a.numpy(), b.numpy()
    tolerance = 2e-3 if a.dtype in (np.float32, np.complex64) else 1e-10
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


def identity(n, like):
    return torch.eye(n, dtype=like.dtype).expand(*like.shape[:-2], n, n)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
class TestSquare:
    def test_a_matrix_times_its_inverse_is_the_identity(self, shape, dtype):
        A = regular(shape, dtype)
        close(A @ torch.linalg.inv(A), identity(shape[-1], A))

    def test_a_transposed_matrix_has_the_transposed_inverse(self, shape, dtype):
        A = regular(shape, dtype)
        close(torch.linalg.inv(A.mT), torch.linalg.inv(A).mT)

    @pytest.mark.parametrize("left", [True, False])
    def test_the_solution_solves(self, shape, dtype, left):
        A = regular(shape, dtype)
        size = (*shape[:-2], shape[-1], 2) if left else (*shape[:-2], 2, shape[-1])
        B = random(size, dtype, 1)
        X = torch.linalg.solve(A, B, left=left)
        close(A @ X if left else X @ A, B)

    @pytest.mark.parametrize("adjoint", [True, False])
    @pytest.mark.parametrize("left", [True, False])
    def test_lu_solve_solves_with_a_factorization(self, shape, dtype, left, adjoint):
        A = regular(shape, dtype)
        size = (*shape[:-2], shape[-1], 2) if left else (*shape[:-2], 2, shape[-1])
        B = random(size, dtype, 1)
        X = torch.linalg.lu_solve(*torch.linalg.lu_factor(A), B, left=left, adjoint=adjoint)
        op = A.mH if adjoint else A
        close(op @ X if left else X @ op, B)

    @pytest.mark.parametrize("upper", [True, False])
    def test_cholesky_gives_a_triangle_and_its_square(self, shape, dtype, upper):
        A = definite(shape, dtype)
        L = torch.linalg.cholesky(A, upper=upper)
        close(L.mH @ L if upper else L @ L.mH, A)
        close(L.triu() if upper else L.tril(), L)

    @pytest.mark.parametrize("upper", [True, False])
    def test_cholesky_solve_and_cholesky_inverse(self, shape, dtype, upper):
        A = definite(shape, dtype)
        L = torch.linalg.cholesky(A, upper=upper)
        B = random((*shape[:-2], shape[-1], 2), dtype, 1)
        close(A @ torch.cholesky_solve(B, L, upper), B)
        close(A @ torch.cholesky_inverse(L, upper), identity(shape[-1], A))

    def test_eigh(self, shape, dtype):
        A = definite(shape, dtype)
        for UPLO in "LU":
            values, V = torch.linalg.eigh(A, UPLO)
            close((V * values.unsqueeze(-2)) @ V.mH, A)
            close(V.mH @ V, identity(shape[-1], A))
        close(torch.linalg.eigvalsh(A), values)

    def test_eig(self, shape, dtype):
        A = random(shape, dtype)
        values, V = torch.linalg.eig(A)
        close(A.to(V.dtype) @ V, V * values.unsqueeze(-2))
        close(torch.linalg.eigvals(A), values)

    def test_ldl(self, shape, dtype):
        B = random((*shape[:-2], shape[-1], 2), dtype, 1)
        for hermitian in (True, False):
            A = random(shape, dtype)
            A = A + (A.mH if hermitian else A.mT)
            factors = torch.linalg.ldl_factor(A, hermitian=hermitian)
            close(A @ torch.linalg.ldl_solve(*factors, B, hermitian=hermitian), B)

    def test_the_determinant_is_the_product_of_the_eigenvalues(self, shape, dtype):
        A = random(shape, dtype)
        product = torch.linalg.eigvals(A).prod(-1)
        sign, logabsdet = torch.linalg.slogdet(A)
        np.testing.assert_allclose(torch.linalg.det(A), product, rtol=1e-2, atol=1e-3)
        np.testing.assert_allclose(sign * logabsdet.exp(), product, rtol=1e-2, atol=1e-3)

    def test_the_exponential_is_the_limit_of_powers(self, shape, dtype):
        A = random(shape, dtype) / 2
        if not A.numel():
            assert torch.linalg.matrix_exp(A).shape == A.shape
            return
        wide = A.to(torch.complex128)
        steps = identity(shape[-1], wide) + wide / 2**22
        limit = torch.linalg.matrix_power(steps, 2**22)
        result = torch.linalg.matrix_exp(A).to(torch.complex128)
        np.testing.assert_allclose(result, limit, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES + OBLONG)
class TestAny:
    @pytest.mark.parametrize("mode", ["reduced", "complete"])
    def test_qr(self, shape, dtype, mode):
        A = random(shape, dtype)
        Q, R = torch.linalg.qr(A, mode)
        close(Q @ R, A)
        close(R.triu(), R)
        close(Q.mH @ Q, identity(Q.shape[-1], Q))
        close(torch.linalg.qr(A, "r").R, torch.linalg.qr(A).R)

    def test_householder_product_and_ormqr(self, shape, dtype):
        A = random(shape, dtype)
        reflectors, tau = torch.geqrf(A)
        Q = torch.linalg.qr(A, "complete").Q
        if shape[-2] >= shape[-1]:
            close(torch.linalg.householder_product(reflectors, tau), Q[..., : shape[-1]])
        C = random((*shape[:-2], shape[-2], 2), dtype, 1)
        if tau.numel():
            close(torch.ormqr(reflectors, tau, C), Q @ C)
            close(torch.ormqr(reflectors, tau, C, transpose=True), Q.mH @ C)
            close(torch.ormqr(reflectors, tau, C.mT, left=False), C.mT @ Q)

    @pytest.mark.parametrize("full", [True, False])
    def test_svd(self, shape, dtype, full):
        A = random(shape, dtype)
        U, S, Vh = torch.linalg.svd(A, full)
        k = min(shape[-2:])
        close((U[..., :k] * S.unsqueeze(-2)) @ Vh[..., :k, :], A)
        close(U.mH @ U, identity(U.shape[-1], U))
        close(Vh @ Vh.mH, identity(Vh.shape[-2], Vh))
        close(torch.linalg.svdvals(A), S)

    def test_lu(self, shape, dtype):
        A = random(shape, dtype)
        P, L, U = torch.linalg.lu(A)
        close(P @ L @ U, A)
        LU, pivots, _ = torch.linalg.lu_factor_ex(A)
        for one, other in zip(torch.lu_unpack(LU, pivots), (P, L, U), strict=True):
            close(one, other)

    def test_the_pseudoinverse_is_one(self, shape, dtype):
        A = random(shape, dtype)
        inverse = torch.linalg.pinv(A)
        close(A @ inverse @ A, A)
        close(inverse @ A @ inverse, inverse)

    @pytest.mark.parametrize("driver", ["gels", "gelsy", "gelsd", "gelss"])
    def test_least_squares_are_those_of_the_pseudoinverse(self, shape, dtype, driver):
        A = random(shape, dtype)
        if not A.numel():
            return
        B = random((*shape[:-2], shape[-2], 2), dtype, 1)
        X = torch.linalg.lstsq(A, B, driver=driver).solution
        close(X, torch.linalg.pinv(A) @ B)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("upper", [True, False])
@pytest.mark.parametrize("unitriangular", [True, False])
@pytest.mark.parametrize("transposed", [True, False])
def test_triangular_systems(dtype, left, upper, unitriangular, transposed):
    A = regular((2, 4, 4), dtype)
    A = A.triu() if upper else A.tril()
    if unitriangular:
        A = A - torch.diag_embed(A.diagonal(dim1=-2, dim2=-1)) + torch.eye(4, dtype=dtype)
    given = A.mT.contiguous().mT if transposed else A
    B = random((2, 4, 3) if left else (2, 3, 4), dtype, 1)
    X = torch.linalg.solve_triangular(given, B, upper=upper, left=left, unitriangular=unitriangular)
    close(A @ X if left else X @ A, B)


@pytest.mark.parametrize("dtype", DTYPES)
def test_infinite_elements_do_not_keep_the_search_for_singular_values_from_ending(dtype):
    A = torch.ones(3, 3, dtype=dtype)
    A[0, 0] = np.inf
    for function in (torch.linalg.svd, torch.linalg.pinv):
        with pytest.raises(torch.linalg.LinAlgError, match="contained non-finite values"):
            function(A)
    for driver in ("gelss", "gelsd"):
        X = torch.linalg.lstsq(torch.eye(3, dtype=dtype), A, driver=driver).solution
        assert X[:, 0].isnan().all()
        with pytest.raises(torch.linalg.LinAlgError, match="could not be computed"):
            torch.linalg.lstsq(A, A, driver=driver)
