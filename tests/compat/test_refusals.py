"""Wrong calls inside a transform raise PyTorch's errors: the wrong calls of its databases.

Differences are listed below with their reasons; that list only shrinks.
"""

import pytest

pytest.importorskip("torch.testing._internal.common_methods_invocations")

from tests.compat.refusals import (
    check_module,
    check_operator,
    modules_with_errors,
    operators_with_errors,
)

ASSERTION = "PyTorch's text is an assertion of its own, or tells of something else"
OTHER_STEPS = "PyTorch's rule is composed of other operators, which count dimensions with the batch"
TWO_MISTAKES = "the call is wrong in two ways, and the other one is told of"

DIFFERENT = {
    ASSERTION: """
        item linspace linspace.tensor_overload logspace logspace.tensor_overload nn.functional.conv1d
        nn.functional.conv2d nn.functional.conv3d narrow_copy nn.MaxPool2d
    """,
    OTHER_STEPS: "diag_embed nn.functional.embedding",
    TWO_MISTAKES: """
        aminmax complex nn.functional.multi_margin_loss nn.functional.multilabel_margin_loss multinomial
        histogramdd cat nn.MultiMarginLoss
    """,
}
REASONS = {name: reason for reason, listed in DIFFERENT.items() for name in listed.split()}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", operators_with_errors())
def test_wrong_calls_of_an_operator(name):
    _check(name, check_operator(name)[0])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", modules_with_errors())
def test_wrong_calls_of_a_module(name):
    _check(name, check_module(name)[0])


def _check(name, found):
    if name in REASONS:
        assert found, "is right now: take it off the list"
    else:
        assert not found


@pytest.mark.filterwarnings("ignore")
def test_many_of_them_are_compared():
    assert sum(check_operator(name)[1] for name in operators_with_errors()[::10]) > 150


def test_only_entries_of_the_databases_are_listed():
    assert set(REASONS) <= {*operators_with_errors(), *modules_with_errors()}
