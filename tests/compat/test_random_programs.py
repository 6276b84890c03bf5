"""Random programs do the same under minitorch and PyTorch, step by step.

Hypothesis makes the programs out of rows of numbers and shrinks one that differs; it is printed as a
script. ``python -m tests.compat.random_programs --count 20000`` runs many more.
"""

import gc
import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.compat.logged_programs import WAYS, LoggedPair  # noqa: E402
from tests.compat.random_programs import NUMBERS, generate, run, script, shrunk  # noqa: E402

ROW = st.lists(st.integers(0, (1 << 16) - 1), min_size=NUMBERS, max_size=NUMBERS)


@settings(
    max_examples=400,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(st.lists(ROW, min_size=5, max_size=30))
def test_random_programs_do_the_same(rows):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        texts, difference = generate(rows)
        if difference is not None:
            pytest.fail(f"this differs:\n{script(texts, difference)}", pytrace=False)


def test_a_difference_is_found_and_shrunk_to_what_it_needs(monkeypatch):
    texts = [
        "x0 = torch.ones(3, requires_grad=True)",
        "x1 = x0 * 2",
        "x2 = torch.ones(2)",
        "x3 = torch.ones(2) + (torch.__spec__.name == 'minitorch')",
        "x2.mul_(2)",
    ]
    difference = run(texts)
    assert str(difference) == "x3: [2.0, 2.0] torch.float32, not [1.0, 1.0] torch.float32"
    assert shrunk(texts) == texts[3:4]
    assert script(shrunk(texts), difference).splitlines()[1:] == [texts[3], f"# {difference}"]


@pytest.mark.parametrize(
    "program",
    [
        ["x0 = torch.ones(2, requires_grad=True)", "x0.mul_(2)", "x1 = x0.view(-1)", "x1[0] = 1"],
        ["x0 = torch.ones(2)", "x0.backward()", "x0 + torch.ones(3)"],
    ],
)
def test_statements_that_fail_alike_are_no_difference(program):
    assert run(program) is None


def test_versions_are_compared_from_where_a_tensor_was_made():
    # PyTorch counts a write of its own while it makes the minimum of an inference tensor
    program = [
        "x0 = torch.ones(2, requires_grad=True)",
        "with torch.inference_mode(): x1 = x0 * 2",
        "x2 = x1.min()",
        "x3 = x0 * x2",
        "x2.mul_(2)",
        "x3.sum().backward()",
    ]
    assert run(program) is None
    program.insert(4, "x2.mul_(1) if torch.__spec__.name == 'minitorch' else None")
    assert str(run(program)) == "writes to x2: 1, not 0"


@pytest.mark.parametrize("way", WAYS)
def test_a_mode_logs_the_operators_of_a_program_as_in_pytorch(way):
    program = [
        "x0 = torch.arange(6, dtype=torch.float64).sin().reshape(2, 3).requires_grad_()",
        "x1 = F.logsigmoid(x0 @ x0.t())",
        "with torch.no_grad(): x2 = x1.var(0)",
        "x1.mul_(3)",
        "(x1 * x1).sum().backward()",
    ]
    assert run(program, partial(LoggedPair, way)) is None
    otherwise = "x3 = x2 * 2 if torch.__spec__.name == 'minitorch' else x2 + x2"
    assert str(run([*program, otherwise], partial(LoggedPair, way))).startswith("asks [")
    gc.collect()  # while a wrapper is alive anywhere, backwards run on tensors
