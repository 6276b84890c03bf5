"""Gradients are composed as PyTorch composes them: the graphs of create_graph, and what modes see."""

import pytest

from tests.both import compare, like_pytorch, logging_mode

COMPOSED = {
    "squeezed": lambda torch, x: x.unsqueeze(0).unsqueeze(-1).squeeze(),
    "squeezed in dimensions": lambda torch, x: x.unsqueeze(0).squeeze((0, 1)),
    "stacked": lambda torch, x: torch.stack([x, x * 2], 1),
    "expanded number": lambda torch, x: x.sum().expand(3),
    "selected by a mask": lambda torch, x: x.masked_select(x.detach() > 0.5),
    "taken": lambda torch, x: x.take(torch.tensor([0, 3, 3])),
    "gathered": lambda torch, x: x.gather(1, torch.tensor([[0, 2], [1, 1]])),
    "selected": lambda torch, x: x.index_select(0, torch.tensor([1, 1])),
    "largest of a number": lambda torch, x: x.sum().max(0)[0],
    "both extremes": lambda torch, x: torch.stack(list(torch.aminmax(x, dim=1))),
    "amax": lambda torch, x: x.amax((0, 1)),
    "standard deviation": lambda torch, x: x.std(1),
    "logsumexp": lambda torch, x: x.logsumexp(1),
    "maximum": lambda torch, x: torch.maximum(x, x.flip(1)),
    "fmin": lambda torch, x: torch.fmin(x, x.flip(1)),
    "atanh": lambda torch, x: x.atanh(),
    "lerp": lambda torch, x: x.lerp(x * 2, x.flip(0)),
    "addcmul": lambda torch, x: x.addcmul(x, x * 3),
    "subtracted multiple": lambda torch, x: torch.sub(x, x * 2, alpha=3),
    "matrix and vector": lambda torch, x: x @ x[0],
    "power": lambda torch, x: x ** x.flip(0),
    "x log y": lambda torch, x: torch.xlogy(x, x * 2),
    "logaddexp2": lambda torch, x: torch.logaddexp2(x, x * 2),
    "sinc": lambda torch, x: x.sinc(),
    "i1": lambda torch, x: torch.special.i1(x),
    "log_ndtr": lambda torch, x: torch.special.log_ndtr(x),
    "ndtri": lambda torch, x: torch.special.ndtri(x),
    "mvlgamma": lambda torch, x: (x + 2).mvlgamma(2),
    "mish": lambda torch, x: torch.nn.functional.mish(x),
    "trace": lambda torch, x: x.trace(),
    "scattered mean": lambda torch, x: x.scatter_reduce(
        1, torch.tensor([[0, 0, 1], [1, 1, 2]]), x * 2, "mean", include_self=False
    ),
    "scattered product": lambda torch, x: x.scatter_reduce(
        1, torch.tensor([[0, 0, 1], [1, 1, 2]]), x * 2, "prod"
    ),
    "largest by index": lambda torch, x: x.scatter_reduce(
        1, torch.tensor([[0, 0, 1], [1, 1, 2]]), x * 2, "amax"
    ),
    "Fourier": lambda torch, x: torch.fft.rfft(x).abs(),
    "back from Fourier": lambda torch, x: torch.fft.irfft(x, 5),
    "inverse": lambda torch, x: torch.linalg.inv(x @ x.mT),
    "solved": lambda torch, x: torch.linalg.solve(x @ x.mT, x),
    "pseudoinverse": lambda torch, x: torch.linalg.pinv(x),
    "Cholesky": lambda torch, x: torch.linalg.cholesky(x @ x.mT),
    "LU of a wide matrix": lambda torch, x: torch.linalg.lu(x)[2],
    "LU of a tall matrix": lambda torch, x: torch.linalg.lu(x.mT)[1],
    "factors in one": lambda torch, x: torch.linalg.lu_factor(x @ x.mT)[0],
    "QR": lambda torch, x: torch.linalg.qr(x.mT)[0],
    "singular values": lambda torch, x: torch.linalg.svdvals(x),
    "singular vectors": lambda torch, x: torch.linalg.svd(x, full_matrices=False)[0].abs(),
    "eigenvectors": lambda torch, x: torch.linalg.eigh(x @ x.mT)[1].abs(),
    "differences": lambda torch, x: x.diff(dim=1),
    "integral": lambda torch, x: torch.trapezoid(x, x * 2),
    "integral by steps": lambda torch, x: torch.trapezoid(x, dx=1),
    "logits": lambda torch, x: torch.nn.functional.binary_cross_entropy_with_logits(x, x / 2),
    "probabilities": lambda torch, x: torch.nn.functional.binary_cross_entropy(x, x / 2),
}


def numbers(torch):
    return torch.tensor([[0.75, 0.25, 0.5], [0.125, 0.875, 0.625]]).requires_grad_()


def names(node, seen):
    if node is None:
        return None
    if node in seen:
        return node.name()
    seen.add(node)
    return [node.name(), *(names(n, seen) for n, _ in node.next_functions)]


@pytest.mark.parametrize("case", COMPOSED)
def test_the_graph_of_a_gradient(case):
    def program(torch):
        x = numbers(torch)
        y = COMPOSED[case](torch, x)
        weights = torch.ones_like(y, requires_grad=True)
        (first,) = torch.autograd.grad(y, x, weights, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), x, retain_graph=True, allow_unused=True)
        return names(first.grad_fn, set()), first, second

    compare(program, 2e-5)


@pytest.mark.parametrize("case", COMPOSED)
def test_the_operators_of_a_gradient(case):
    def program(torch):
        x = numbers(torch)
        y = COMPOSED[case](torch, x)
        with logging_mode(torch) as mode:
            (gradient,) = torch.autograd.grad(y, x, torch.ones_like(y))
        return mode.log, gradient

    compare(program, 2e-5)


COMPLEX = {
    "product": lambda torch, z: z * z.flip(0),
    "square root": lambda torch, z: z.sqrt(),
    "logarithm": lambda torch, z: z.log10(),
    "sign": lambda torch, z: z.sgn(),
    "angle": lambda torch, z: z.angle(),
    "matrices": lambda torch, z: z @ z,
    "matrix and vector": lambda torch, z: z @ z[0],
    "physical conjugate": lambda torch, z: z.conj_physical(),
    "norm of what is conjugated": lambda torch, z: z.conj().abs(),
}


@pytest.mark.parametrize("case", COMPLEX)
def test_lazy_conjugates_are_resolved_before_a_mode_is_asked(case):
    def program(torch):
        z = torch.tensor([[1 + 2j, 0.5j], [2 - 1j, 3]], requires_grad=True)
        with logging_mode(torch) as mode:
            y = COMPLEX[case](torch, z)
            (gradient,) = torch.autograd.grad(y, z, torch.ones_like(y))
        return mode.log, gradient.resolve_conj()

    compare(program, 1e-5)


@like_pytorch
def test_a_lazy_conjugate_is_written_to_under_a_mode(torch):
    x = torch.tensor([1 + 2j, 3 - 1j])
    with logging_mode(torch) as mode:
        x.conj().mul_(2j)
        torch.add(x, 1, out=x.conj())
    return mode.log, x


@like_pytorch
def test_eigenvectors_turn_by_skew_matrices(torch):
    x = torch.tensor([[2.0, 0.5], [0.5, -1.0]], requires_grad=True)
    values, vectors = torch.linalg.eigh(x)
    weights = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    signs = vectors.detach().diagonal().sign()
    return torch.autograd.grad([values, vectors * signs], x, [weights[0], weights])


@like_pytorch
def test_values_at_the_ends_of_functions(torch):
    infinite = torch.tensor([float("inf"), 1.0], requires_grad=True)
    certain = torch.tensor([0.0, 1.0], requires_grad=True)
    loss = torch.nn.functional.binary_cross_entropy(torch.tensor([0.0, 1.0]), certain)
    return torch.autograd.grad(infinite.logsumexp(0), infinite), torch.autograd.grad(loss, certain)


@like_pytorch
def test_a_mask_that_is_broadcast_selects_under_a_mode(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    mask = torch.tensor([[True, False], [True, True]])
    with logging_mode(torch) as mode:
        (gradient,) = torch.autograd.grad(x.masked_select(mask).sum(), x)
    return mode.log, gradient
