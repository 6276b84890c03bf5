"""Compositions of `vmap`, `vjp` and `jvp` over ``op_db`` give what PyTorch's give, where that gives something."""

import pytest

pytest.importorskip("torch.testing._internal.common_methods_invocations")

from tests.compat.compositions import check
from tests.compat.operators import names

# what is another one than PyTorch's, and why
DIFFERENT = {
    **dict.fromkeys(
        (
            "select_scatter",
            "scatter_reduce.prod",
            "nn.functional.linear_cross_entropy.chunked",
            "nn.functional.linear_cross_entropy.chunked_none",
        ),
        "a derivative of PyTorch's is wrong",
    ),
    "index_fill": "PyTorch takes another sample's value for a 0-dim tensor",
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
