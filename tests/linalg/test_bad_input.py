"""No input may crash, and errors are PyTorch's."""

import operator
import warnings

import numpy as np
import pytest

import minitorch as torch
from tests.both import compare
from tests.expressions import check, lines

SQUARE = "cholesky cholesky_ex det eig eigh eigvals eigvalsh inv inv_ex ldl_factor_ex lu slogdet"
ANY = "lu_factor_ex qr svd svdvals pinv matrix_rank matrix_norm"


@pytest.mark.parametrize("size", [1, 3, 20, 70])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), 0.0, 1e300])
@pytest.mark.parametrize("name", (SQUARE + " " + ANY).split())
@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128])
def test_values_that_are_no_matrix_end_in_a_result_or_an_error(name, value, size, dtype):
    A = torch.full((2, size, size), value, dtype=dtype)
    try:
        getattr(torch.linalg, name)(A)
    except RuntimeError as error:
        assert "linalg" in str(error)


@pytest.mark.parametrize("value", [0, -1, 4, 2**31 - 1, -(2**31)])
def test_pivots_that_are_no_rows_are_refused(value):
    LU, pivots = torch.linalg.lu_factor(torch.eye(3))
    pivots = torch.full_like(pivots, value)
    with pytest.raises(RuntimeError):
        torch.linalg.lu_solve(LU, pivots, torch.ones(3, 1))
    with pytest.raises(RuntimeError, match="pivots passed to lu_unpack must be between 1 and"):
        torch.lu_unpack(LU, pivots)
    if abs(value) != 1:
        with pytest.raises(RuntimeError):
            torch.linalg.ldl_solve(LU, pivots, torch.ones(3, 1))


def test_half_a_block_of_two_is_no_pivot():
    pivots = torch.tensor([1, 2, -3], dtype=torch.int32)
    with pytest.raises(RuntimeError):
        torch.linalg.ldl_solve(torch.eye(3), pivots, torch.ones(3, 1))


LINES = lines(
    r"""
torch.linalg.cond(torch.ones(3), 'fro')
torch.linalg.cond(torch.ones(3), 2)
torch.linalg.cond(torch.ones(3, 3, dtype=torch.int32), 'nuc')
torch.linalg.cond(torch.zeros(2, 2), 'nuc'), torch.linalg.cond(torch.diag(x), 'nuc')
torch.linalg.cond(torch.empty(0, 3), 1)
torch.linalg.norm(m, 1j)
torch.linalg.solve(torch.eye(2).expand(3, 2, 2), torch.ones(2, 2, 1))
torch.linalg.solve_triangular(torch.eye(2).expand(3, 2, 2), torch.ones(4, 2, 1), upper=True)
torch.linalg.lu_solve(*torch.linalg.lu_factor(torch.eye(2).expand(3, 2, 2)), torch.ones(4, 2, 1))
torch.linalg.ldl_solve(*torch.linalg.ldl_factor(torch.eye(2).expand(3, 2, 2)), torch.ones(4, 2, 1))
torch.lu(torch.zeros(2, 2))
torch.svd_lowrank(x)
torch.svd_lowrank(m.int(), 2)
torch.svd_lowrank(m.bfloat16(), 2)
torch.linalg.matrix_rank(m, tol=torch.tensor(1j))
torch.linalg.pinv(m, torch.tensor(1j))
torch.linalg.pinv(m, rtol=torch.tensor(1j))
torch.linalg.lu(torch.empty(0, 3), pivot=False)
torch.linalg.lu(i.reshape(2, 3), pivot=False)
torch.linalg.lu(m, pivot=False)
torch.linalg.lu_factor(torch.empty(2, 0, 0), pivot=False)
torch.linalg.lstsq(m, torch.ones(4))
torch.linalg.lstsq(m, torch.ones(4, 1))
    """
)


@pytest.mark.parametrize("line", LINES)
def test_the_line_is_pytorchs(line):
    check(line)


def test_the_error_is_public_and_a_runtime_error():
    assert issubclass(torch.linalg.LinAlgError, RuntimeError)
    with pytest.raises(torch.linalg.LinAlgError) as error:
        torch.linalg.inv(torch.zeros(2, 2, 2))
    assert str(error.value) == (
        "linalg.inv: (Batch element 0): The diagonal element 1 is zero, the inversion could not be "
        "completed because the input matrix is singular."
    )


def test_inputs_are_not_written_to():
    rng = np.random.default_rng(0)
    values = rng.standard_normal((4, 4))
    for layout in ("C", "F"):
        A = torch.from_numpy(np.array(values, order=layout))
        for name in (SQUARE + " " + ANY).split():
            if not name.startswith("cholesky"):
                getattr(torch.linalg, name)(A)
        torch.linalg.cholesky(A @ A.mT)
        torch.linalg.solve(A, A)
        torch.linalg.lstsq(A, A)
        torch.linalg.matrix_exp(A)
        np.testing.assert_array_equal(A.numpy(), values)


@pytest.mark.parametrize("name", ["linalg.qr", "linalg.svd", "linalg.svdvals", "qr", "svd"])
@pytest.mark.parametrize("requires_grad", [False, True])
def test_a_vector_is_no_matrix_for_factorizations(name, requires_grad):
    def program(torch):
        vector = torch.ones(2, requires_grad=requires_grad)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return operator.attrgetter(name)(torch)(vector)

    compare(program)


def test_qr_of_a_vector_in_a_functional_call():
    def program(torch):
        class Factor(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = torch.nn.Parameter(torch.ones(2, 2))

            def forward(self, mode):
                return torch.linalg.qr(self.weight, mode)

        vector = torch.ones(2, requires_grad=True)
        return torch.func.functional_call(Factor(), {"weight": vector}, ("nonsense",))

    compare(program)
