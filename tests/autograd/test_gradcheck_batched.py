"""gradcheck of several gradients and tangents at once."""

import itertools
import re

import pytest

import minitorch

pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.autograd.test_gradcheck import leaf  # noqa: E402
from tests.autograd.test_gradcheck_faults import (  # noqa: E402
    FAULTS,
    assert_same,
    complex_,
    function,
    run,
)

MODES = {
    "backward": {"check_batched_grad": True},
    "forward": {
        "check_forward_ad": True,
        "check_batched_forward_grad": True,
        "check_batched_grad": True,
    },
    "forward only": {
        "check_forward_ad": True,
        "check_backward_ad": False,
        "check_batched_forward_grad": True,
    },
    "second": {"second": True, "check_batched_grad": True},
}
RIGHT = {
    "one that is right": FAULTS["one that is right"],
    "complex that is right": FAULTS["complex that is right"],
    "unused": lambda t: (lambda x, y: (x * 2, y.exp()), (leaf(t), leaf(t))),
    "products": lambda t: (lambda x, y: x @ y, (leaf(t), leaf(t))),
    "no tangent": lambda t: (lambda x, y: (x * 2, x.detach() * 0 + y), (leaf(t), leaf(t))),
}
# PyTorch ends in an internal assertion: the tangent of a complex view has another layout
LOST_BY_PYTORCH = {
    ("complex that is right", "forward"),
    ("complex that is right", "forward only"),
}


def noisy(t):
    """A backward that gives another gradient in every call, the same in both libraries."""
    calls = itertools.count(1)
    return function(t, lambda x: x * 2, lambda x, g: g * (2 + 0.01 * next(calls)))


def not_batched(t):
    return function(t, lambda x: x * 2, lambda x, g: g * 2 + 0 * g.sum().item())


# what is done differently at once, and what cannot be done; the text of the second is vmap's
WRONG = {
    "another in every call": lambda t: run(
        t, lambda t: (noisy(t), leaf(t)), check_batched_grad=True, nondet_tol=1.0, atol=1.0
    ),
    "an element": lambda t: run(t, lambda t: (not_batched(t), leaf(t)), check_batched_grad=True),
    "a complex element": lambda t: run(
        t, lambda t: (not_batched(t), complex_(t)), check_batched_grad=True
    ),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", RIGHT)
def test_gradients_at_once_are_those_one_after_the_other(name, mode):
    if (name, mode) in LOST_BY_PYTORCH:
        assert run(minitorch, RIGHT[name], **MODES[mode])
        return
    assert_same(lambda t: run(t, RIGHT[name], **MODES[mode]))


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_done_at_once_is_an_error(name):
    def program(t):
        try:
            return WRONG[name](t)
        except RuntimeError as error:
            return type(error).__name__, re.sub(r"got: .*?\n\n", "", str(error), flags=re.DOTALL)

    assert program(minitorch)[0] == "GradcheckError"
    assert_same(program)
