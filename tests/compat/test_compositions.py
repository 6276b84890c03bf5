"""Compositions of `vmap`, `vjp` and `jvp` over ``op_db`` give what PyTorch's give, where that gives something."""

import pytest

pytest.importorskip("torch.testing._internal.common_methods_invocations")

from tests.compat.compositions import check
from tests.compat.operators import names

# what is another one than PyTorch's, and why
DIFFERENT = {
    **dict.fromkeys(
        (
            "as_strided_scatter",
            "select_scatter",
            "scatter_reduce.prod",
            "triangular_solve",
            "nn.functional.linear_cross_entropy.chunked",
            "nn.functional.linear_cross_entropy.chunked_none",
        ),
        "a derivative of PyTorch's is wrong",
    ),
    "as_strided.partial_views": "the sample looks outside of what is translated",
    "cholesky_inverse": "is ill-conditioned",
    "index_fill": "PyTorch takes another sample's value for a 0-dim tensor",
    "linalg.pinv": "PyTorch loses the batch of a tensor without elements",
    "nn.functional.max_unpool2d.grad": "PyTorch keeps channels that are last",
    "multinomial": "draws in the order of the samples, wherever the batch is",
}


@pytest.fixture(scope="module")
def results():
    return {name: check(name, number) for number, name in enumerate(names())}


@pytest.mark.slow
def test_compositions_over_operators(results):
    found = {name: differences for name, (differences, _) in results.items() if differences}
    assert not {name: found[name] for name in found.keys() - DIFFERENT.keys()}


@pytest.mark.slow
def test_nearly_all_operators_are_compared(results):
    assert sum(compared > 0 for _, compared in results.values()) > 480
