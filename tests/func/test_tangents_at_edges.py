"""Tangents where a derivative has a limit alone, or none: at zeros, among equal elements, where nothing varies."""

import math
import warnings

import pytest

from tests.both import compare

NOTHING, EQUAL = [[0.0, 0.0], [0.0, 0.0]], [[1.0, 1.0], [1.0, 1.0]]
SOME = [[0.0, -1.0], [2.0, 0.0]]

FUNCTIONS = {
    "sgn": lambda torch, x: x.sgn(),
    "angle": lambda torch, x: x.angle(),
    "abs": lambda torch, x: x.abs(),
    "std": lambda torch, x: x.std(),
    "std of rows": lambda torch, x: x.std(-1, correction=0, keepdim=True),
    "std_mean": lambda torch, x: torch.std_mean(x, 0),
    "log": lambda torch, x: x.log(),
    "sqrt": lambda torch, x: x.sqrt(),
    "dist": lambda torch, x: x.dist(x.detach().flip(0) * 0, 3),
    "unfold_copy": lambda torch, x: torch.unfold_copy(x, 0, 2, 1),
    "fill": lambda torch, x: torch.fill(x, x[0, 0] * 2),
    "fill with a number": lambda torch, x: torch.fill(x, 3),
    **{
        f"norm {p}": lambda torch, x, p=p: torch.linalg.vector_norm(x, p, dim=-1)
        for p in (0, 0.5, 1, 1.5, 2, 3, math.inf, -math.inf)
    },
}


def complex_of(torch, x):
    return torch.complex(x, x.flip(0))


@pytest.mark.parametrize("values", [NOTHING, EQUAL, SOME])
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("is_complex", [False, True])
def test_of_a_function(name, values, is_complex):
    def program(torch):
        x, t = torch.tensor(values).double(), torch.tensor([[1.0, 2.0], [-3.0, 4.0]]).double()
        if is_complex:
            x, t = complex_of(torch, x), complex_of(torch, t)

        def f(x):
            return FUNCTIONS[name](torch, x)

        def gradient(x):
            out, pullback = torch.func.vjp(f, x)
            first = out[0] if isinstance(out, tuple) else out
            given = torch.ones_like(first) * 2
            rest = tuple(torch.zeros_like(o) for o in out[1:]) if isinstance(out, tuple) else ()
            return pullback((given, *rest) if rest else given)[0]

        tangent = torch.func.jvp(f, (x,), (t,))
        # zeros have a sign, which hangs on the order of products
        return tangent, torch.func.jvp(gradient, (x,), (t,))[1] + 0.0

    compare(program)


@pytest.mark.parametrize("bounds", ["both", "min", "max"])
def test_of_a_clamp_at_its_bounds(bounds):
    def program(torch):
        x = torch.tensor([0.0, 1.0, 2.0, 1.0])
        low, high = torch.tensor([0.0, 1.0, 0.0, 2.0]), torch.tensor([1.0, 1.0, 2.0, 0.0])
        t = torch.tensor([1.0, 2.0, 3.0, 4.0])

        def f(x, low, high):
            return torch.clamp(
                x, None if bounds == "max" else low, None if bounds == "min" else high
            )

        return torch.func.jvp(f, (x, low, high), (t, t * 10, t * 100))

    compare(program)


@pytest.mark.parametrize("call", ["minimum", "maximum", "fmin", "fmax"])
def test_of_the_extreme_one_of_two_with_nan(call):
    def program(torch):
        x = torch.tensor([1.0, math.nan, 2.0, 3.0, math.nan, 1.0])
        y = torch.tensor([2.0, 1.0, math.nan, 3.0, math.nan, 1.0])
        t = torch.tensor([1.0, math.nan, 3.0, 4.0, 5.0, math.nan])
        u = torch.tensor([math.nan, 7.0, math.inf, 9.0, 10.0, math.nan])
        return torch.func.jvp(getattr(torch, call), (x, y), (t, u))

    compare(program)


@pytest.mark.parametrize("call", ["softmax", "softmin", "log_softmax"])
def test_of_the_softmax_of_single_numbers(call):
    def program(torch):
        def f(x):
            return torch.func.jvp(
                lambda x: getattr(torch.nn.functional, call)(x, 0), (x,), (x.cos(),)
            )[1]

        x = torch.tensor([0.5, -1.0], requires_grad=True)
        found = torch.func.vmap(f)(x)
        return found, found.requires_grad, torch.autograd.grad(found.sum(), x)

    compare(program)


@pytest.mark.parametrize("call", ["atan2", "div", "xlogy", "hypot"])
def test_of_two_zeros(call):
    def program(torch):
        x, y = torch.tensor([0.0, 0.0, 1.0]), torch.tensor([0.0, 1.0, 0.0])
        return torch.func.jvp(getattr(torch, call), (x, y), (x + 1, y + 2))

    compare(program)


@pytest.mark.parametrize("mode", [None, "floor", "trunc"])
@pytest.mark.parametrize("which", [0, 1, 2])
def test_of_quotients(mode, which):
    def program(torch):
        x, y = torch.tensor([0.5, -3.0]), torch.tensor([2.0, 4.0])
        if which == 2:
            return torch.func.jvp(lambda x: torch.div(x, 3, rounding_mode=mode), (x,), (y,))
        given = [x, y]

        def f(a):
            given[which] = a
            return torch.div(*given, rounding_mode=mode)

        return torch.func.jvp(f, (given[which],), (y + 1,))

    compare(program)


@pytest.mark.parametrize("upper", [False, True])
def test_of_cholesky_in_a_direction_that_is_not_symmetric(upper):
    def program(torch):
        A = torch.tensor([[4.0, 1.0], [1.0, 5.0]]).to(torch.complex128) + torch.tensor(
            [[0, 1j], [-1j, 0]]
        )
        t = torch.tensor([[1.0, 2.0], [3.0, 4.0]]) * (1 + 2j)
        f = lambda A: torch.linalg.cholesky(A, upper=upper)  # noqa: E731
        return torch.func.jvp(f, (A,), (t.to(A.dtype),))

    compare(program)


@pytest.mark.parametrize("reduce", ["max", "amin"])
@pytest.mark.parametrize("initial", [None, 1.0, 5.0, -5.0])
def test_equal_elements_of_a_segment_share_its_gradient(reduce, initial):
    def program(torch):
        x = torch.tensor([1.0, 1.0, 2.0, 2.0, 0.0], requires_grad=True)
        lengths = torch.tensor([2, 0, 3])
        y = torch.segment_reduce(x, reduce, lengths=lengths, initial=initial)
        return y, torch.autograd.grad(y, x, torch.tensor([1.0, 2.0, 3.0]))

    compare(program)


BESIDE = {
    "mul": lambda torch, x, n: x * n,
    "div": lambda torch, x, n: x / n,
    "remainder": lambda torch, x, n: torch.remainder(x, n),
    "fmod": lambda torch, x, n: torch.fmod(x, n),
    "xlogy": lambda torch, x, n: torch.xlogy(x, n),
    "ldexp": lambda torch, x, n: torch.ldexp(x, n),
    "fmax": lambda torch, x, n: torch.fmax(x, n),
    "addcdiv": lambda torch, x, n: torch.addcdiv(x, x, n),
    "mul_": lambda torch, x, n: x.clone().mul_(n),
    "nanmean": lambda torch, x, n: x.nanmean(),
    "prelu": lambda torch, x, n: torch.nn.functional.prelu(x, torch.tensor([0.5])),
}


@pytest.mark.parametrize("dtype", ["int64", "bool", "float32"])
@pytest.mark.parametrize("case", BESIDE)
def test_what_is_beside_a_dual_tensor_has_zeros_that_require_grad_with_it(case, dtype):
    def program(torch):
        forward_ad = torch.autograd.forward_ad
        x = torch.tensor([1.5, -2.0, 0.5]).requires_grad_()
        beside = torch.tensor([1, 3, 2]).to(getattr(torch, dtype))
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(x, torch.ones(3))
            tangent = forward_ad.unpack_dual(BESIDE[case](torch, dual, beside)).tangent
            return tangent.requires_grad, tangent.detach()

    compare(program)


@pytest.mark.parametrize("where", ["hessian", "batched", "alone"])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("delta", [1.0, 0.3])
def test_the_gradient_of_huber_loss_has_tangents_where_it_is_composed(delta, reduction, where):
    def program(torch):
        func, x, y = torch.func, torch.tensor([0.5, -1.2, 2.0]), torch.tensor([0.1, 0.3, 0.9])

        def f(x):
            return torch.nn.functional.huber_loss(x, y, reduction=reduction, delta=delta).sum()

        if where == "hessian":
            return func.hessian(f)(x)
        if where == "batched":
            with warnings.catch_warnings():
                # there a result of PyTorch's own is resized
                warnings.simplefilter("ignore")
                return func.jvp(func.vmap(func.grad(f)), (x[None],), (x[None],))
        return func.jvp(func.grad(f), (x,), (x,))

    compare(program)


NANSUM = {
    "all": {},
    "a dimension": {"dim": 0},
    "kept dimensions": {"dim": (0, 1), "keepdim": True},
    "another dtype": {"dim": 1, "dtype": "float64"},
}


@pytest.mark.parametrize("case", NANSUM)
def test_nansum_leaves_out_the_tangents_of_nan(case):
    def program(torch):
        options = dict(NANSUM[case])
        if "dtype" in options:
            options["dtype"] = getattr(torch, options["dtype"])
        x = torch.tensor([[1.0, float("nan")], [2.0, 3.0]])
        tangent = torch.tensor([[2.0, float("nan")], [float("nan"), 1.0]])
        return torch.func.jvp(lambda y: torch.nansum(y, **options), (x,), (tangent,))

    compare(program)


def test_copysign_of_what_has_no_tangent_has_zeros_twice():
    def program(torch):
        f = torch.func.jacfwd(lambda y: torch.copysign(y > 0, y))
        return torch.func.jacfwd(f)(torch.tensor([1.0, -2.0]))

    compare(program)
