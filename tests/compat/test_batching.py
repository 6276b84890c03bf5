"""`vmap` of what PyTorch's ``op_db`` has is what PyTorch makes of it."""

import pytest

pytest.importorskip("torch.testing._internal.common_methods_invocations")

from tests.compat.batching import check
from tests.compat.operators import names

# what is another one than PyTorch's, and why
DIFFERENT = {
    **dict.fromkeys(
        ("linspace.tensor_overload", "logspace.tensor_overload", "histogram", "nonzero_static"),
        "asks for the elements",
    ),
    **dict.fromkeys(
        ("nn.functional.ctc_loss", "_segment_reduce.lengths"),
        "looks at its indices, which differ between samples",
    ),
    **dict.fromkeys(
        (
            "randn_like",
            "rand_like",
            "randint_like",
            "multinomial",
            "nn.functional.dropout",
            "nn.functional.alpha_dropout",
        ),
        "draws in the order of the samples, wherever the batch is",
    ),
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
    "argwhere": "PyTorch speaks of stack()",
    "index_fill": "PyTorch takes another sample's value for a 0-dim tensor",
    "nn.functional.prelu": "an input without elements",
    "max_pool2d_with_indices_backward": "is not public",
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
