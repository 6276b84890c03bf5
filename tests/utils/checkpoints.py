"""What the tests of checkpoints share."""

import pytest

from tests.both import compare, real

KINDS = (True, False)


def checkpoints_of(torch):
    """``torch.utils.checkpoint``, which PyTorch does not import by itself."""
    if torch is real:
        import torch.utils.checkpoint  # noqa: F401
    return torch.utils.checkpoint


def numbers(torch, *shape, grad=True):
    count = 1
    for size in shape:
        count *= size
    values = torch.arange(1.0, count + 1).reshape(*shape) / count
    return values.requires_grad_(grad)


def network(torch):
    torch.manual_seed(3)
    nn = torch.nn
    return nn.Sequential(
        nn.Linear(4, 6), nn.Tanh(), nn.Dropout(0.4), nn.Linear(6, 5), nn.ReLU(), nn.Linear(5, 2)
    )


def gradients(model):
    return [p.grad for p in model.parameters()]


def over_kinds(program):
    """The test is that ``program(torch, kind)`` does the same under both, for both kinds of checkpoint."""

    @pytest.mark.parametrize("reentrant", KINDS, ids=("reentrant", "hooks"))
    def test(reentrant):
        compare(lambda torch: program(torch, reentrant))

    test.__name__ = program.__name__
    return test
