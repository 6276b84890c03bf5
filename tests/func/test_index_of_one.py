"""Indices without dimensions under `vmap`: each sample has its own."""

import pytest

from tests.both import compare

INDEXED = {
    "first": lambda x, i: x[i],
    "second": lambda x, i: x[:, i],
    "both": lambda x, i: x[i, i],
    "after a number": lambda x, i: x[0, i],
    "after a new dimension": lambda x, i: x[None, i],
    "last": lambda x, i: x[..., i],
    "with a slice between": lambda x, i: x[i, :, i],
}


@pytest.mark.parametrize("case", INDEXED)
@pytest.mark.parametrize("in_dims", [(None, 0), (0, 0)])
def test_index(case, in_dims):
    def program(torch):
        x = torch.arange(54.0).reshape(3, 3, 3, 2)[..., 0] if in_dims[0] is None else None
        x = torch.arange(81.0).reshape(3, 3, 3, 3)[..., :2] if x is None else x
        return torch.vmap(lambda a, i: INDEXED[case](a, i % 2), in_dims)(
            x, torch.tensor([2, 0, 1])
        ).clone(memory_format=torch.contiguous_format)

    compare(program)


def test_written():
    def write(x, i):
        x = x.clone()
        x[i] = 7
        return x

    compare(lambda torch: torch.vmap(write)(torch.zeros(2, 3), torch.tensor([2, 0])))


def test_inside_another():
    def program(torch):
        x, i = torch.arange(9).view(3, 3), torch.tensor([1, 0, 2])
        inner = torch.vmap(lambda i, j: x[i, j], (None, 0))
        return torch.vmap(inner, (0, None))(i, i)

    compare(program)


def test_a_mask_has_no_size():
    compare(lambda torch: torch.vmap(lambda b: torch.ones(2)[b])(torch.tensor([True, False])))
