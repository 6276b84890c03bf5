"""`vmap` of what PyTorch's ``op_db`` has is what PyTorch makes of it."""

import pytest

pytest.importorskip("torch.testing._internal.common_methods_invocations")

from tests.compat.batching import check
from tests.compat.operators import names

# what is another one than PyTorch's, and why
DIFFERENT = {
    "multinomial": "draws in the order of the samples, wherever the batch is",
    **dict.fromkeys(
        ("svd_lowrank", "pca_lowrank", "linalg.eig", "linalg.eigh"),
        "the vectors are defined but for their sign",
    ),
    **dict.fromkeys(
        (
            "special.airy_ai",
            "special.bessel_j0",
            "special.bessel_j1",
            "special.bessel_y0",
            "special.bessel_y1",
        ),
        "is more exact",
    ),
    "index_fill": "PyTorch takes another sample's value for a 0-dim tensor",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_vmap_of_an_operator(name):
    found, _ = check(name)
    if name not in DIFFERENT:
        assert not found


@pytest.mark.slow
def test_nearly_all_of_them_are_compared():
    assert sum(check(name)[1] > 0 for name in names()[::10]) > 40
