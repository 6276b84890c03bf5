"""Warnings that PyTorch gives once in a process, and warnings that it does not give."""

import warnings

import pytest

import minitorch
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


@pytest.mark.parametrize(
    "line",
    [
        "torch.ones(2, requires_grad=True).exp().grad",
        "torch.add(torch.ones(3), 1, out=torch.empty(2))",
        "torch.nonzero(torch.ones(2), out=torch.empty(3).long())",
        "torch.linalg.inv(torch.eye(2), out=torch.empty(3))",
        "torch.where(torch.ones(2).byte(), torch.ones(2), torch.ones(2))",
        "torch.ones(1).std()",
        "torch.std_mean(torch.ones(1, 2), 0)",
        "torch.nn.L1Loss(size_average=True)",
    ],
)
def test_a_warning_names_the_innermost_line_of_the_program(line):
    """PyTorch names a line of its own for what it has in Python, such as losses."""
    names = {"torch": minitorch}
    exec(compile(f"\n\ndef inner():\n    {line}\n", "inner", "exec"), names)
    before = minitorch.is_warn_always_enabled()
    minitorch.set_warn_always(True)
    try:
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            names["inner"]()
    finally:
        minitorch.set_warn_always(before)
    assert [(w.filename, w.lineno) for w in given] == [("inner", 4)]
