"""`Tensor.dim_order` and the old `resize`."""

import pytest

from tests.both import compare

TENSORS = {
    "a row": lambda t: t.ones(1, 2),
    "a column": lambda t: t.ones(2, 1),
    "between": lambda t: t.ones(3, 1, 2),
    "one image": lambda t: t.ones(1, 2, 3, 4),
    "one channel": lambda t: t.ones(2, 1, 3, 4),
    "repeated": lambda t: t.ones(2, 3).expand(4, 2, 3),
    "every second": lambda t: t.ones(2, 3)[:, ::2],
    "a matrix": lambda t: t.ones(2, 3),
    "transposed": lambda t: t.ones(2, 3).t(),
    "channels last": lambda t: t.ones(2, 3, 4, 5).to(memory_format=t.channels_last),
    "permuted": lambda t: t.ones(2, 3, 4).permute(1, 2, 0),
    "sparse": lambda t: t.ones(2, 3).to_sparse_coo(),
    "a scalar": lambda t: t.tensor(1.0),
}
CHECKS = {
    "none": lambda t: False,
    "any": lambda t: True,
    "formats": lambda t: [t.contiguous_format],
    "no formats": lambda t: 3,
}


@pytest.mark.parametrize("case", TENSORS)
@pytest.mark.parametrize("check", CHECKS)
def test_dim_order(case, check):
    compare(lambda torch: TENSORS[case](torch).dim_order(ambiguity_check=CHECKS[check](torch)))


@pytest.mark.parametrize("sizes", [(3, 2), (6,), (4, 2), (1, 6, 1)])
def test_resize_is_a_function_with_a_gradient(sizes):
    def program(torch):
        x = torch.arange(6.0, requires_grad=True)
        y = x.view(2, 3).t().resize(*sizes)
        (y * torch.arange(6.0).view(sizes)).sum().backward()
        return y, y.grad_fn.name(), x.grad

    compare(program)


def test_resize_as():
    def program(torch):
        x = torch.arange(6.0, requires_grad=True)
        return x.resize_as(torch.ones(3, 2)), x._is_zerotensor()

    compare(program)
