"""A mode of ``__torch_dispatch__`` sees the same operators as in PyTorch, in the samples of its ``op_db``.

Differences are listed below with their reasons; that list only shrinks.
"""

import pytest

pytest.importorskip("torch.testing._internal.common_methods_invocations")

from tests.compat.operators import names
from tests.compat.operators_told import check

COMPOSED = "is one operator there and several here"
FORMULA = "the formula of the gradient takes other steps to the same numbers"
STEPS = "is composed of other steps"
BATCH_STATISTICS = "is told as F.batch_norm, which makes room beside it"
EMPTY = "is told of what it does with no elements or no dimensions"

DIFFERENT = {
    COMPOSED: """
        nn.functional.bilinear nn.functional.rrelu nn.functional.ctc_loss nn.functional.embedding_bag
        nn.functional.linear_cross_entropy.chunked nn.functional.linear_cross_entropy.chunked_none
        nn.functional.multilabel_margin_loss nn.functional.fractional_max_pool2d nn.functional.fractional_max_pool3d
        polar _unsafe_masked_index _unsafe_masked_index_put_accumulate _chunk_cat histogramdd
        _segment_reduce.lengths _segment_reduce.offsets round.decimals_0 sgn
    """,
    FORMULA: """
        clamp as_strided_scatter lu_solve linalg.lu_solve native_group_norm nn.functional.max_unpool2d
        nn.functional.max_unpool2d.grad nn.functional.pad.circular nextafter ormqr qr linalg.qr index_fill
        cumulative_trapezoid logcumsumexp fft.ihfft fft.ihfft2 fft.ihfftn linalg.det linalg.eig linalg.eigvals
        linalg.householder_product linalg.lstsq linalg.lstsq.grad_oriented linalg.pinv.singular
    """,
    STEPS: """
        gradient nn.functional.linear_cross_entropy nn.functional.max_pool1d linalg.matrix_power
        linalg.matrix_rank linalg.matrix_rank.hermitian signal.windows.kaiser special.ndtr
    """,
    BATCH_STATISTICS: "native_batch_norm _native_batch_norm_legit",
    EMPTY: """
        broadcast_to expand expand_as expand_copy cdist nn.functional.normalize
        nn.functional.batch_norm linalg.vector_norm masked.norm
    """,
}
REASONS = {name: reason for reason, listed in DIFFERENT.items() for name in listed.split()}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", names())
def test_the_operators_of_an_entry(name):
    found, _ = check(name)
    if name in REASONS:
        assert found, "is right now: take it off the list"
    else:
        assert not found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_nearly_all_of_them_are_compared():
    assert sum(check(name)[1] > 0 for name in names()[::10]) > 55


def test_only_entries_of_the_database_are_listed():
    assert set(REASONS) <= set(names())
