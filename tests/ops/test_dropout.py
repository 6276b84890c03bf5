"""Dropout draws PyTorch's numbers."""

from functools import partial

import pytest

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.ops.oracle import compare, layouts, sample  # noqa: E402
from tests.probes.ops import dropout as probe  # noqa: E402

FLOATS = [torch.float16, torch.float32, torch.float64]


def seeded(function):
    """The function, with both generators seeded."""

    def run(*args):
        torch.manual_seed(7)
        probe.seed(7)
        return function(*args)

    return run


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("p", [0.0, 0.2, 0.5, 1.0])
@pytest.mark.parametrize("train", [True, False, None])
def test_native_dropout(train, p, dtype):
    for shape in ((5, 7), (300,), (), (0, 3)):
        for x in layouts(sample(shape, dtype)):
            compare(
                seeded(partial(probe.call, "native_dropout")),
                seeded(torch.ops.aten.native_dropout),
                x,
                p,
                train,
                strides=x.numel() > 0,
            )


def test_native_dropout_of_integers_is_refused():
    x = sample((2, 3), torch.int64)
    compare(
        seeded(partial(probe.call, "native_dropout")),
        seeded(torch.ops.aten.native_dropout),
        x,
        0.5,
        True,
    )


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("p", [0.2, 0.5, 0.9])
def test_dropout_noise_is_what_dropout_multiplies_with(p, dtype):
    for shape in ((5, 7), (300,), ()):
        for x in layouts(torch.ones(shape, dtype=dtype)):
            compare(
                seeded(partial(probe.call, "dropout_noise")),
                seeded(lambda x, p: torch.dropout(x, p, True)),
                x,
                p,
            )
    x = torch.ones(4, 3, 1, 1, dtype=dtype)
    compare(
        seeded(partial(probe.call, "dropout_noise")),
        seeded(lambda x, p, _: torch.feature_dropout(x, p, True)),
        x,
        p,
        True,
    )
