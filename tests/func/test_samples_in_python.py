"""vmap of functions that are written in Python and look at the numbers."""

import warnings

import pytest

from tests.both import compare

CALLS = """
vmap(lambda a: torch.linspace(a, 1, 3))(x[:, 0])
vmap(lambda a, b: torch.linspace(a, b, 3, dtype=torch.float64))(x[:, 0], x[:, 1])
vmap(lambda b: torch.linspace(torch.tensor(0.0), b, steps=3))(x[:, 1])
vmap(lambda a: torch.logspace(a, 1, 3))(x[:, 0])
vmap(lambda a, b: torch.logspace(a, b, 3, base=2))(x[:, 0], x[:, 1])
vmap(vmap(lambda a: torch.linspace(0, a, 2)))(x)
tuple(vmap(lambda a: torch.histogram(a, 3))(x))
vmap(lambda a: torch.histogram(a, torch.tensor([0.0, 1, 9]))[0])(x)
vmap(lambda a: torch.nonzero_static(a, size=3))(x)
vmap(lambda a: torch.histogramdd(a, [2, 2]))(x.reshape(2, 3, 1).expand(2, 3, 2))
vmap(torch.argwhere)(x)
vmap(torch.argwhere)(x + 1)
vmap(lambda t: F.ctc_loss(p, t, (5, 5), (2, 2)))(targets)
vmap(lambda p, t: F.ctc_loss(p, t, (5, 5), (2, 2)))(torch.stack([p, 2 * p]), targets)
""".strip().splitlines()


@pytest.mark.parametrize("call", CALLS)
def test_each_sample(call):
    def program(torch):
        names = {
            "torch": torch, "vmap": torch.func.vmap, "F": torch.nn.functional,
            "x": torch.arange(6.0).reshape(2, 3),
            "p": torch.arange(40.0).sin().reshape(5, 2, 4).log_softmax(-1),
            "targets": torch.tensor([[[1, 2], [2, 3]], [[1, 1], [3, 2]]]),
        }  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a loop over samples is slow
            result = eval(call, names)
        if isinstance(result, tuple):
            return [part.contiguous() for part in result]
        return result.contiguous()

    compare(program)
