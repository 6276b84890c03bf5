"""Operators as values: what transforms, modes and the profiler are handed."""

import pickle

import pytest

import minitorch as torch
from minitorch.autograd.levels import enter_level, exit_level
from minitorch.autograd.operators import _operator


def test_an_operator_computes_what_its_function_does():
    x = torch.tensor([3.0, 4.0])
    assert _operator("mul")(x, x).tolist() == [9.0, 16.0]
    assert _operator("mul", "_")(x, x) is x
    assert x.tolist() == [9.0, 16.0]


@pytest.mark.parametrize(
    "name, arguments, error",
    [
        ("mul", (torch.ones(2),), "takes 2 arguments, not 1"),
        ("mul", (torch.ones(2), 3), "other is to be a Tensor, not int"),
        ("linalg_vector_norm", (torch.ones(2), 2, None, False, -1), "the code of a dtype, not -1"),
    ],
)
def test_wrong_arguments_are_errors_and_no_crash(name, arguments, error):
    with pytest.raises((TypeError, ValueError), match=error):
        _operator(name)(*arguments)


def test_an_operator_is_pickled_by_name():
    assert pickle.loads(pickle.dumps(_operator("add", "_"))) is _operator("add", "_")


def test_levels_are_left_in_reverse():
    outer, inner = enter_level("grad"), enter_level("vmap", 2)
    with pytest.raises(RuntimeError, match="reverse"):
        exit_level(outer)
    exit_level(inner)
    exit_level(outer)
    assert (outer.number, inner.number, inner.alive) == (1, 2, False)
