"""Lengths of vectors: of one element, and too long to be squared."""

import pytest

from tests.both import compare


@pytest.mark.parametrize("p", [0.5, 1, 2, 3, float("inf"), -1])
@pytest.mark.parametrize("keepdim", [False, True])
def test_a_norm_along_one_element_is_its_absolute_value(p, keepdim):
    def program(torch):
        x = torch.tensor([[1e30], [-1e-30], [0.0]])
        norm = torch.linalg.vector_norm
        out = torch.empty(0)
        return (
            norm(x, p, dim=1, keepdim=keepdim), norm(x[:1], p, keepdim=keepdim), norm(x[0, 0], p),
            norm(x * 1j, p, dim=(1,), keepdim=keepdim), norm(x, p, dim=1, dtype=torch.float64),
            norm(x, p, dim=1, keepdim=keepdim, out=out), out.shape, torch.norm(x, p, dim=1),
        )  # fmt: skip

    compare(program)


def test_the_cosine_of_vectors_that_are_too_long():
    def program(torch):
        x = torch.tensor([[1e20, 1e20], [3.0, 4.0], [0.0, 1e-12]], requires_grad=True)
        cosine = torch.nn.functional.cosine_similarity
        result = cosine(x, torch.tensor([[1.0, 2.0]]))
        (grad,) = torch.autograd.grad(result.sum(), x)
        return result, grad[1:], cosine(x.T, x.T), cosine(x[:, :1], x[:, :1])

    compare(program)
