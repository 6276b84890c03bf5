"""`torch.func.rearrange`, beside PyTorch's."""

import pytest

from tests.both import compare

# pattern, lengths; the tensor is 2 x 3 x 4
PATTERNS = [
    ("a b c -> c a b", {}),
    ("a b c->(a b) c", {}),
    ("a (b1 b2) c -> a b1 (b2 c)", {"b1": 3}),
    ("a (b1 b2 b3) c -> a b1 b2 b3 c", {"b1": 3, "b2": 1}),
    ("a b (c d) -> (a d) (c b)", {"d": 2}),
    ("... c -> c ...", {}),
    ("a ... -> ... a", {}),
    ("a b c ... -> ... c b a", {}),
    ("... -> ...", {}),
    ("... -> (...)", {}),
    ("a ... -> (a ...)", {}),
    ("a b c -> a b c 1", {}),
    ("a b c -> () a (1 b) c", {}),
    ("a b c -> (a b c)", {}),
    ("1 b c -> b c", {}),
    ("a b c -> a b", {}),
    ("a b -> b a", {}),
    ("a b c d -> b a c d", {}),
    ("a b c d ... -> b a c d ...", {}),
    ("a b c", {}),
    ("", {}),
    ("a b c -> a b c -> a b c", {}),
    ("a a c -> a c", {}),
    ("a (b c -> a b c", {}),
    ("a b) c -> a b c", {}),
    ("a ((b)) c -> a b c", {}),
    ("a b c -> a (b ...) c", {}),
    ("a b c -> ... a b c", {}),
    ("a (b ...) c -> a b", {}),
    ("a ... ... -> a ...", {}),
    ("a . c -> a c", {}),
    ("a ? c -> a c", {}),
    ("a b 2c -> a b", {}),
    ("_a b c -> _a", {}),
    ("a b_ c -> a b_ c", {}),
    ("a b c -> a 2 b c", {}),
    ("a 0 c -> a c", {}),
    ("a 3 c -> c a", {}),
    ("a b c -> a b c", {"d": 3}),
    ("a b c -> a b c", {"a": "x"}),
    ("a b c -> c b a", {"a": 5}),
    ("a (b1 b2) c -> a b1 b2 c", {}),
    ("a (b1 b2) c -> a b1 b2 c", {"b1": 2}),
    ("a (b1 b2) c -> a b1 b2 c", {"b1": 2, "b2": 2}),
    ("a axis if -> if a axis", {}),
]


@pytest.mark.parametrize("pattern, lengths", PATTERNS, ids=str)
def test_patterns(pattern, lengths):
    def program(torch):
        return torch.func.rearrange(torch.arange(24.0).reshape(2, 3, 4), pattern, **lengths)

    compare(program)


def test_sequences_and_derivatives():
    def program(torch):
        x = torch.linspace(0.0, 1.0, 6).reshape(2, 3)
        weights = torch.arange(12.0).reshape(3, 4)

        def f(x):
            return (torch.func.rearrange([x, x * 2], "n a b -> b (a n)") * weights).sum()

        return torch.func.rearrange([x, x], "n a b -> a n b"), torch.func.grad(f)(x).contiguous()

    compare(program)


def test_views_are_views():
    import minitorch

    x = minitorch.arange(6.0)
    assert minitorch.func.rearrange(x, "(a b) -> b a", a=2).data_ptr() == x.data_ptr()


@pytest.mark.parametrize("turn", [lambda t: t.t(), lambda t: t.transpose(0, -1)])
def test_a_transposed_scalar_of_a_batch_is_the_scalar(turn):
    def run(torch):
        x = torch.ones(2, requires_grad=True)

        def sample(scalar):
            with torch.no_grad():
                return turn(scalar)

        out = torch.vmap(sample)(x)
        return out is x, out.requires_grad

    compare(run)
