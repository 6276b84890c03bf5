"""A few eigenvalues of a large matrix: against PyTorch, the equation and gradcheck."""

import pytest

import minitorch
from tests.both import compare


def symmetric(torch, m=12):
    a = torch.arange(float(m * m), dtype=torch.float64).square().reshape(m, m).sin()
    return a @ a.mT + torch.eye(m, dtype=torch.float64)


def start(torch, n=3):
    return torch.arange(12.0 * n, dtype=torch.float64).square().reshape(12, n).cos()


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("with_b", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
def test_eigenvalues_are_those_of_pytorch(largest, with_b, sparse):
    def program(torch):
        a = symmetric(torch)
        b = torch.diag(torch.arange(1.0, 13.0, dtype=torch.float64)) if with_b else None
        if sparse:
            a = a.to_sparse()
        e, x = torch.lobpcg(a, k=2, B=b, X=start(torch), largest=largest, tol=1e-9, niter=-1)
        bx = x if b is None else b @ x
        return e, x.mT @ bx, (a @ x - bx * e).abs().max() < 1e-5

    compare(program, tolerance=1e-6)


def test_a_batch_is_solved_matrix_by_matrix():
    def program(torch):
        a = torch.stack([symmetric(torch), 2 * symmetric(torch)])
        e, x = torch.lobpcg(a, k=1, X=torch.stack([start(torch)] * 2)[..., :1], tol=1e-9)
        return e, x.shape

    compare(program)


def test_gradients_flow_to_the_matrix():
    torch = minitorch
    a = symmetric(torch).requires_grad_()

    def pairs(a):
        e, x = torch.lobpcg((a + a.mT) / 2, k=2, X=start(torch, 2), tol=1e-12)
        return e, x.abs()

    assert torch.autograd.gradcheck(pairs, (a,), atol=1e-4)


def test_a_tracker_sees_each_step_and_can_end_it():
    def program(torch):
        steps = []

        def tracker(worker):
            steps.append((worker.ivars["istep"], tuple(worker.X.shape), worker.iparams["k"]))
            worker.bvars["force_stop"] = len(steps) == 3

        torch.lobpcg(symmetric(torch), k=1, X=start(torch), tracker=tracker, tol=1e-14)
        return steps

    compare(program)


def test_what_cannot_be_computed_is_refused():
    compare(lambda torch: torch.lobpcg(symmetric(torch), k=5))
    compare(lambda torch: torch.lobpcg(symmetric(torch), X=start(torch)[:5]))

    def program(torch):
        a = symmetric(torch).requires_grad_()
        torch.lobpcg(a, k=1, B=torch.eye(12, dtype=torch.float64))[0].sum().backward()

    compare(program)
