"""Random networks, losses and optimizers do the same under minitorch and PyTorch, statement by statement.

``python -m tests.compat.random_modules --count 5000`` runs many more.
"""

import warnings

import pytest

pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.compat.random_module_steps import program  # noqa: E402
from tests.compat.random_modules import run, script, shrunk  # noqa: E402


@pytest.mark.parametrize("seed", range(60))
def test_random_networks_do_the_same(seed):
    texts = program(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        difference, _ = run(texts)
        if difference is not None:
            pytest.fail(f"this differs:\n{script(*shrunk(texts, difference))}", pytrace=False)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("m.weight.data[0, 0] += ours", "m._parameters['weight'] has other values"),
        ("m.weight.data = m.weight.data.t()[:] if ours else m.weight.data", ".stride()"),
        ("m.eval() if ours else None", "modules of m"),
        ("m(x) if ours else m(x[0, 0])", "raises"),
        ("show(ours)", "log[0]"),
    ],
)
def test_a_difference_is_found_and_shrunk_to_what_it_needs(change, found):
    texts = [
        "m = nn.Linear(3, 3)",
        "x = T(2, 3).float()",
        "ours = torch.__spec__.name == 'minitorch'",
    ]
    texts = [*texts, "m.zero_grad()", change, "m.train()"]
    difference, _ = run(texts)
    assert found in str(difference)
    shorter, again = shrunk(texts, difference)
    assert found in str(again)
    assert change in shorter
    assert "m.zero_grad()" not in shorter
    assert "m.train()" not in shorter
