"""``torch.nn.grad``: gradients of convolutions by themselves."""

import pytest

from tests.both import compare


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("given", [{}, {"stride": 2, "padding": 1, "groups": 2}])
def test_they_are_what_pytorch_computes(n, given):
    def program(torch):
        torch.manual_seed(0)
        groups = given.get("groups", 1)
        x = torch.randn(2, 4, *[5] * n, dtype=torch.float64)
        w = torch.randn(6, 4 // groups, *[3] * n, dtype=torch.float64, requires_grad=True)
        y = getattr(torch.nn.functional, f"conv{n}d")(x, w, **given).detach()
        of_input = getattr(torch.nn.grad, f"conv{n}d_input")(x.shape, w, y, **given)
        of_weight = getattr(torch.nn.grad, f"conv{n}d_weight")(x, w.shape, y, **given)
        of_input.pow(2).sum().backward()
        return of_input, of_weight, w.grad

    compare(program, 1e-10)


@pytest.mark.parametrize("size", [[4, 4], None])
def test_a_size_that_does_not_fit(size):
    def program(torch):
        return torch.nn.grad.conv2d_input(size, torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2))

    compare(program)


@pytest.mark.parametrize(
    "given",
    [
        None,
        {"device": "cpu"},
        {"size": 1},
        {"factory_kwargs": {"device": "cpu"}, "dtype": "float"},
        {"factory_kwargs": {"device": "cpu"}, "device": 1},
    ],
)
def test_factory_kwargs(given):
    compare(lambda torch: torch.nn.factory_kwargs(given))
