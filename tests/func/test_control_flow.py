"""Branches, loops and scans: `cond`, `while_loop`, `scan`, `map`, as PyTorch's."""

import importlib
import warnings

import pytest

from tests.both import compare


def operators(torch):
    return importlib.import_module(f"{torch.__name__}._higher_order_ops")


CASES = """
torch.cond(torch.tensor(True), torch.sin, torch.cos, (torch.ones(2),))
torch.cond(torch.tensor([[False]]), torch.sin, torch.cos, (torch.ones(2),))
torch.cond(torch.tensor([True, False]), torch.sin, torch.cos, (torch.ones(2),))
torch.cond("yes", torch.sin, torch.cos, (torch.ones(2),))
torch.cond(torch.tensor(True), 1, torch.cos, (torch.ones(2),))
torch.cond(torch.tensor(True), torch.sin, torch.cos, (1,))
torch.cond(0, abs, float, [3])
torch.cond(torch.tensor(True), lambda d: d["x"][0] + 1, lambda d: d["x"][0] - 1, ({"x": [torch.ones(2)]},))
torch.while_loop(lambda x: x.sum() < 9, lambda x: (x + 1,), (torch.zeros(2),))
torch.while_loop(lambda n, x: n < 3, lambda n, x: (n + 1, 2 * x), (0, torch.ones(2)))
torch.while_loop(lambda n: n < 0, lambda n: (n + 1,), (torch.tensor(3),))
torch.while_loop(1, lambda n: (n + 1,), (torch.tensor(3),))
H.scan(lambda c, x: (c + x, (c * x).clone()), torch.zeros(2), torch.arange(6.0).view(3, 2))
H.scan(lambda c, x: (c + x, c - x), torch.zeros(2), torch.arange(4.0).view(2, 2), dim=1, reverse=True)
H.scan(lambda c, x: ([c[0] + x["a"]], c[0] * 2), [torch.zeros(2)], {"a": torch.ones(3, 2)})
H.scan(lambda c, x: (c, x.clone()), torch.zeros(2), [])
H.scan(lambda c, x: (c, x.clone()), [], torch.ones(2, 2))
H.scan(lambda c, x: (c, x.clone()), 3, torch.ones(2, 2))
H.scan(lambda c, x: (c, x.clone()), torch.zeros(2), [torch.ones(2), 3])
H.scan(3, torch.zeros(2), torch.ones(2, 2))
H.scan(lambda c, x: (c, x.clone()), torch.zeros(2), torch.ones(2, 2), dim=4)
H.scan(lambda c, x: (c, x.clone()), torch.zeros(2), torch.ones(0, 2))
H.scan(lambda c, x: (c, x.clone()), torch.zeros(2), torch.ones(2, 2), reverse=1)
H.map(lambda x, y: {"sum": x[0] + y}, [torch.ones(3, 2)], torch.ones(2))
H.map(torch.sin, 3)
H.map(torch.sin, torch.ones(0, 2))
H.map(lambda x: x[0], [torch.ones(2), torch.ones(3)])
H.associative_scan(torch.add, torch.ones(0), 0, combine_mode="generic")
H.associative_scan(torch.add, torch.ones(2), 0, reverse=1, combine_mode="generic")
"""


@pytest.mark.parametrize("expression", CASES.strip().splitlines())
def test_an_expression_does_what_it_does_in_pytorch(expression):
    compare(lambda torch: eval(expression, {"torch": torch, "H": operators(torch)}))


def test_gradients_go_through_all_of_them():
    def program(torch):
        x = torch.arange(1.0, 5.0, requires_grad=True)
        steps = operators(torch)
        branch = torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))
        loop = torch.while_loop(
            lambda n, y: n < 2, lambda n, y: (n + 1, y * y), (torch.tensor(0), x)
        )
        slices = steps.map(lambda y: y * y, x)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch compiles
            carry, out = steps.scan(lambda c, y: (c * y, c + y), torch.ones(()), x)
        values = (branch, loop[1], slices, out, carry)
        return [torch.autograd.grad(value.sum(), x, retain_graph=True) for value in values]

    compare(program)


def test_samples_go_their_own_ways():
    import minitorch as torch

    def one(x):
        return torch.cond(x.sum() > 1, lambda x: x + 100, lambda x: -x, (x,))

    x = torch.tensor([[0.5], [2.0]])
    assert torch.equal(torch.vmap(one)(x), torch.tensor([[-0.5], [102.0]]))
    assert torch.equal(torch.func.grad(lambda x: one(x).sum())(x[0]), torch.tensor([-1.0]))


def test_what_a_loop_carries_is_checked():
    import minitorch as torch

    start = (torch.zeros(2),)
    with pytest.raises(RuntimeError, match="cond_fn must return a boolean scalar tensor"):
        torch.while_loop(lambda x: x < 1, lambda x: (x + 1,), start)
    with pytest.raises(
        AssertionError, match="same number of elements as carried_inputs, got 2 vs 1"
    ):
        torch.while_loop(lambda x: x.sum() < 1, lambda x: (x + 1, x), start)
    with pytest.raises(AssertionError, match="can only be of"):
        torch.while_loop(lambda x: True, lambda x: (x,), ("a",))
    with pytest.raises(RuntimeError, match="structure of the carries and the init do not match"):
        operators(torch).scan(lambda c, x: ([c], x), torch.zeros(()), torch.ones(2))
    with pytest.raises(RuntimeError, match="init and carry to have same metadata"):
        operators(torch).scan(lambda c, x: (c.double(), x), torch.zeros(()), torch.ones(2))
