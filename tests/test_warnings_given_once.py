"""Warnings that PyTorch gives once in a process, and warnings that it does not give."""

import warnings

import pytest

from tests.both import compare
from tests.warned_calls import differences


@pytest.mark.parametrize(
    "call",
    [
        lambda torch: torch.cross(torch.ones(4, 3), torch.ones(4, 3)),
        lambda torch: torch.meshgrid(torch.ones(2), torch.ones(3)),
        lambda torch: torch.set_default_tensor_type(torch.FloatTensor),
    ],
    ids=["cross", "meshgrid", "set_default_tensor_type"],
)
@pytest.mark.parametrize("always", [False, True])
def test_repeated_warning(call, always):
    # an earlier test may have used up the one warning, so only the repeats are counted
    def program(torch):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call(torch)
        before = torch.is_warn_always_enabled()
        torch.set_warn_always(always)
        try:
            with warnings.catch_warnings(record=True) as given:
                warnings.simplefilter("always")
                call(torch)
                call(torch)
        finally:
            torch.set_warn_always(before)
        return [str(w.message).split(" (Triggered")[0] for w in given]

    compare(program)


@pytest.mark.parametrize("kind", ["generator", "map", "iterator", "list"])
def test_clipping_the_gradients_of_no_parameters(kind):
    def program(torch):
        empty = {
            "generator": (p for p in []),
            "map": map(int, []),
            "iterator": iter([]),
            "list": [],
        }
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            torch.nn.utils.clip_grad_norm_(empty[kind], 1.0)
        return [str(w.message) for w in given]

    compare(program)


def test_deprecated_and_unusual_calls_warn_as_often_as_pytorchs():
    assert differences() == {}
