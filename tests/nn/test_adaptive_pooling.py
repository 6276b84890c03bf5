"""The means over whole images that `adaptive_avg_pool` returns, in images of every layout."""

import itertools

import pytest

from tests.both import compare

SIZES = [(1, 4, 3, 5), (2, 4, 3, 5), (2, 1, 3, 5), (2, 4, 1, 5), (2, 4, 3, 1), (1, 4, 1, 1)]


def laid_out(torch, size, order):
    places = [order.index(d) for d in range(4)]
    values = torch.arange(120.0)[: size[0] * size[1] * size[2] * size[3]]
    return values.view([size[d] for d in order]).permute(places)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
@pytest.mark.parametrize("size", SIZES)
def test_strides_of_the_means(order, size):
    def program(torch):
        x, F = laid_out(torch, size, order), torch.nn.functional
        return (
            F.adaptive_avg_pool2d(x, 1),
            F.adaptive_avg_pool2d(x[0], 1),
            F.adaptive_avg_pool1d(x[0], 1),
            F.adaptive_avg_pool3d(x[None], 1),
        )

    compare(program)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 2, 3, 1), (1, 0, 2, 3), (3, 0, 1, 2)])
@pytest.mark.parametrize("batch", range(4))
def test_strides_of_the_means_of_samples(order, batch):
    def program(torch):
        x, F = laid_out(torch, (2, 4, 3, 5), order), torch.nn.functional
        return (
            torch.func.vmap(lambda x: F.adaptive_avg_pool1d(x, 1), in_dims=batch)(x),
            torch.func.vmap(lambda x: F.adaptive_avg_pool2d(x[None], 1), in_dims=batch)(x),
        )

    compare(program)
