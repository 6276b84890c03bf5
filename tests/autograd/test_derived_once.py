"""Operators that PyTorch derives once: no forward mode, and a second derivative that is an error."""

import pytest

from tests.both import compare


def multi_margin(torch, x):
    return torch.nn.functional.multi_margin_loss(x, torch.tensor([1, 0]))


def multilabel_margin(torch, x):
    return torch.nn.functional.multilabel_margin_loss(x, torch.tensor([[1, -1, 0], [0, 2, -1]]))


def ctc(torch, x):
    log_probs = x.reshape(2, 1, 3).log_softmax(-1)
    return torch.nn.functional.ctc_loss(log_probs, torch.tensor([[1]]), (2,), (1,))


def segments(torch, x):
    return torch.segment_reduce(x, "sum", lengths=torch.tensor([1, 1]))


def attention(torch, x):
    x = x.reshape(1, 1, 2, 3)
    return torch.nn.functional.scaled_dot_product_attention(x, x, x)


def bag(torch, x):
    places, weights, table = torch.tensor([[0, 1]]), x.sum(1).reshape(1, 2), torch.ones(2, 3)
    return torch.nn.functional.embedding_bag(places, table, per_sample_weights=weights, mode="sum")


def products(torch, x):
    start = torch.ones(2, 3) * x.sum()
    return start.scatter_reduce(0, torch.zeros(2, 3).long(), x - x, "prod")


def slices(torch, x):
    start = torch.ones(2, 3) * x.sum()
    return start.index_reduce(0, torch.tensor([0, 0]), x - x, "prod")


ONCE = [multi_margin, multilabel_margin, ctc, segments, attention, bag, products, slices]


@pytest.mark.parametrize("program", ONCE)
def test_the_second_derivative_is_refused(program):
    def run(torch):
        x = torch.tensor([[1.0, 2.0, 0.5], [0.5, -1.0, 3.0]], requires_grad=True)
        gradient = torch.autograd.grad(program(torch, x).sum(), x, create_graph=True)[0]
        return gradient.detach(), torch.autograd.grad(gradient.sum(), x)

    compare(run, tolerance=1e-5)


@pytest.mark.parametrize("program", ONCE)
def test_the_first_derivative_remains(program):
    def run(torch):
        x = torch.tensor([[1.0, 2.0, 0.5], [0.5, -1.0, 3.0]], requires_grad=True)
        return torch.autograd.grad(program(torch, x).sum(), x)

    compare(run, tolerance=1e-5)


@pytest.mark.parametrize("program", ONCE[:5])
@pytest.mark.parametrize("batched", [False, True])
def test_forward_mode_is_refused(program, batched):
    def run(torch):
        def tangent(x):
            return torch.func.jvp(lambda x: program(torch, x), (x,), (x,))[1]

        x = torch.tensor([[1.0, 2.0, 0.5], [0.5, -1.0, 3.0]])
        return torch.func.vmap(tangent)(torch.stack([x, x])) if batched else tangent(x)

    compare(run)


@pytest.mark.parametrize("name", ["i1", "i1e"])
def test_bessel_functions_of_16_bits_have_no_gradient(name):
    def run(torch):
        x = torch.ones(2, dtype=torch.bfloat16, requires_grad=True)
        getattr(torch.special, name)(x).sum().backward()

    compare(run)
