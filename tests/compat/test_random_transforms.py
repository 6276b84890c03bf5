"""Random functions do the same inside of random transforms under minitorch and PyTorch.

``python -m tests.compat.random_transforms --count 20000`` runs many more.
"""

import dataclasses
import warnings

import pytest

pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.compat.random_functions import Layer, Program, program  # noqa: E402
from tests.compat.random_transforms import (  # noqa: E402
    difference_of,
    run,
    script,
    shrunk,
    warns_there,
)


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


# programs of which PyTorch computes something else: arguments, dtype, statements, transforms
WRONG_THERE = {
    "roll of samples without dimensions": (
        [()],
        "float64",
        ["t0 = a.roll(1)"],
        [Layer("torch.func.vmap(f)", [0])],
    ),
    "a product written to its operand": ([(2, 2)], "complex128", ["t0 = a", "a.addmm_(a,a)"], []),
    "the sign of a complex zero": (
        [(2, 3)],
        "complex128",
        ["t1 = -a", "t0 = torch.float_power(t1, 0.5)"],
        [],
    ),
    "the square root of a rounding error": (
        [(3, 1)],
        "float64",
        ["t1 = torch.linalg.eigvalsh(a@a.mT)", "t0 = torch.reciprocal(t1)"],
        [],
    ),
    "the derivative of hardtanh at nan": (
        [(2, 3, 2)],
        "float64",
        ["t0 = F.hardtanh(a + torch.log(-torch.ones_like(a)))"],
        [Layer("torch.func.grad(total(f))")],
    ),
    "the gradient of the tangent of solve": (
        [(2, 2)],
        "float64",
        ["t0 = torch.linalg.solve(a@a.mT+3*torch.eye(2,dtype=a.dtype),a)"],
        [Layer("pushed_first(f)"), Layer("torch.func.grad(total(f))")],
    ),
}


@pytest.mark.parametrize("name", WRONG_THERE)
def test_what_pytorch_computes_wrong_is_no_difference(name):
    shapes, dtype, body, layers = WRONG_THERE[name]
    made = Program(shapes, [dtype], body, "t0", layers, [False])
    assert difference_of(made) is not None
    assert run(made) is None


@pytest.mark.parametrize("name", WRONG_THERE)
def test_a_difference_of_shapes_is_found_beside_it(name):
    shapes, dtype, body, layers = WRONG_THERE[name]
    other = "t0 = torch.stack([t0] * (1 + (torch.__name__ == 'minitorch')))"
    made = Program(shapes, [dtype], [*body, other], "t0", layers, [False])
    made.layers = [layer for layer in layers if "total" not in layer.text]
    assert run(made) is not None


def test_warnings_in_inference_mode_are_compared_without_those_of_two_operators():
    def warned(*texts):
        return [("UserWarning", text) for text in texts]

    detach, take = ("the batching rule for aten::detach_.", "the batching rule for aten::take.")
    text = "with torch.inference_mode(): t0 = torch.tensor(a)"
    for theirs, ours, known in [
        ((detach,), (), True),
        (("copy", detach), ("copy",), True),
        (("copy", detach), (), False),
        ((take,), (), False),
    ]:
        difference = f"warns\n  theirs: {warned(*theirs)}\n  ours:   {warned(*ours)}"
        assert warns_there(text, difference) is known
        assert not warns_there("t0 = torch.tensor(a)", difference)
