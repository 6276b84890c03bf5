"""Random functions do the same inside of random transforms under minitorch and PyTorch.

``python -m tests.compat.random_transforms --count 20000`` runs many more.
"""

import dataclasses
import warnings

import pytest

pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.compat.random_functions import Layer, Program, program  # noqa: E402
from tests.compat.random_transforms import run, script, shrunk  # noqa: E402


@pytest.mark.parametrize("first", range(0, 150, 30))
def test_random_transforms_do_the_same(first):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(first, first + 30):
            made = program(seed)
            difference = run(made)
            if difference is not None:
                made, difference = shrunk(made, difference)
                pytest.fail(f"this differs:\n{script(made, difference)}", pytrace=False)


def test_a_difference_is_found_and_shrunk_to_what_it_needs():
    other = "t1 = a + (torch.__name__ == 'minitorch')"
    layers = [Layer("torch.func.vmap(f, randomness='same')", [0]), Layer("pulled(f)")]
    made = Program(
        [(3,)], ["float64"], ["t0 = a.sin()", other, "t2 = t1 * 2"], "t2", layers, [True]
    )
    difference = run(made)
    assert difference is not None
    made, difference = shrunk(made, difference)
    assert made.body == [other] and made.result == "t1" and made.layers == []
    assert f"    {other}\n    return t1" in script(made, difference)


def test_programs_that_fail_alike_are_no_difference():
    made = Program(
        [(2,)], ["float64"], ["t0 = a.item()"], "t0", [Layer("torch.func.vmap(f)", [0])], [False]
    )
    assert run(dataclasses.replace(made, body=["t0 = a + torch.ones(3)"])) is None
