"""The helper that compares both libraries says what differs."""

import pytest

from tests.both import compare, same

pytestmark = pytest.mark.core


def test_different_errors_are_shown():
    def program(torch):
        raise ValueError(f"raised by {torch.__name__}")

    with pytest.raises(AssertionError) as caught:
        compare(program)
    assert "raised by minitorch" in str(caught.value) and "raised by torch" in str(caught.value)


def test_different_keys_and_warnings_are_shown():
    with pytest.raises(AssertionError) as caught:
        same({"mine": 1}, {"theirs": 1}, 0)
    assert "mine" in str(caught.value) and "theirs" in str(caught.value)

    def program(torch):
        import warnings

        warnings.warn(f"warned by {torch.__name__}", stacklevel=1)

    with pytest.raises(AssertionError) as caught:
        compare(program)
    assert "warned by minitorch" in str(caught.value)


@pytest.mark.parametrize(
    "program",
    [
        lambda torch: torch.ones(2) if torch.__name__ == "torch" else torch.zeros(2),
        lambda torch: torch.ones(2, 3) if torch.__name__ == "torch" else torch.ones(3, 2).t(),
        lambda torch: [1, 2] if torch.__name__ == "torch" else [1, 3],
        lambda torch: [1, 2] if torch.__name__ == "torch" else [1, 2, 3],
        lambda torch: torch.ones(2, requires_grad=torch.__name__ == "torch"),
        lambda torch: 1 / 0 if torch.__name__ == "torch" else 1,
    ],
)
def test_differences_are_noticed(program):
    with pytest.raises(AssertionError):
        compare(program)
