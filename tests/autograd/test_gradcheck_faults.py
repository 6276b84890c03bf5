"""gradcheck fails: every kind of wrong derivative is planted, and found with PyTorch's very words."""

import itertools
import re
import warnings

import pytest

import minitorch
from minitorch.autograd.gradcheck import GradcheckError

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.autograd.test_gradcheck import leaf  # noqa: E402


def function(t, forward, backward=None, jvp=None, save=True):
    """A `Function` of one input; its backward and jvp are handed what it saved."""

    class Planted(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            if save:
                ctx.save_for_backward(x)
                ctx.save_for_forward(x)
            return forward(x)

        @staticmethod
        def backward(ctx, *gradients):
            return backward(ctx.saved_tensors[0], *gradients)

    if jvp is not None:
        Planted.jvp = staticmethod(lambda ctx, tangent: jvp(ctx.saved_tensors[0], tangent))
    return Planted.apply


def noisy(t):
    """A backward that gives another gradient in every call, the same in both libraries."""
    calls = itertools.count(1)
    return function(t, lambda x: x * 2, lambda x, g: g * (2 + 1e-9 * next(calls)))


def double(t):
    return leaf(t)


def complex_(t):
    x = t.tensor([0.5 - 1j, 1 + 0.25j], dtype=t.complex128)
    return x.requires_grad_()


def undefined(t, which):
    """Two outputs, of which one must have a gradient, or both."""

    class Two(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, a, b):
            if which(a is None, b is None):
                raise RuntimeError("a gradient is missing")
            return (0 if a is None else a * 2) + (0 if b is None else b * 3)

    return Two.apply


def undefined_is_one(t):
    class Two(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            ctx.like = x
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, a, b):
            a = t.ones_like(ctx.like) if a is None else a
            b = t.zeros_like(ctx.like) if b is None else b
            return a * 2 + b * 3

    return Two.apply


def missing_none(t):
    """A gradient of ones for an input that has none."""

    class Scaled(t.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 2, gradient

    return Scaled.apply


def wrong_jvp_in_place(t):
    class Doubled(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 2

        @staticmethod
        def jvp(ctx, tangent):
            return tangent.mul_(3)

    return lambda x: Doubled.apply(x.clone())


def nothing_for_zeros(t):
    """A jvp that is wrong when the other input has no tangent."""

    class Product(t.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.set_materialize_grads(False)
            ctx.save_for_forward(x, y)
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx, gradient):
            x, y = ctx.saved_tensors
            return gradient * y, gradient * x

        @staticmethod
        def jvp(ctx, dx, dy):
            x, y = ctx.saved_tensors
            if dx is None:
                return dy * x + 1
            if dy is None:
                return dx * y
            return dx * y + dy * x

    return Product.apply


def by_value(shape):
    """Outputs of a shape or dtype that depends on the entries."""

    def f(x):
        if shape:
            return x if x.detach()[0] > 0.5 else x.reshape(-1, 1)
        return x if x.detach()[0] > 0.5 else x.float()

    return f


# large numbers of both signs, whose sum is small
SIGNS = [[100.0, -100.0], [-100.0, 100.0]]

# the library -> the function and its inputs
FAULTS = {
    "value": lambda t: (function(t, lambda x: x * x, lambda x, g: g * x), double(t)),
    "one entry": lambda t: (
        function(t, lambda x: x * 2, lambda x, g: g * 2 + (x == 2.0) * g * 0.5),
        double(t),
    ),
    "sign": lambda t: (function(t, lambda x: x.sin(), lambda x, g: -g * x.cos()), double(t)),
    "missing": lambda t: (function(t, lambda x: x * 2, lambda x, g: None), double(t)),
    "shape": lambda t: (function(t, lambda x: x * 2, lambda x, g: (g * 2)[0, 0]), double(t)),
    "too large": lambda t: (function(t, lambda x: x.sum(), lambda x, g: g.expand(5)), double(t)),
    "dtype": lambda t: (function(t, lambda x: x * 2, lambda x, g: (g * 2).float()), double(t)),
    "dtype of inexact values": lambda t: (
        function(t, lambda x: x * 2.2, lambda x, g: g.to(t.bfloat16) * 2.2),
        double(t),
    ),
    "conjugate": lambda t: (
        function(t, lambda z: z * z, lambda z, g: 2 * g * z),
        complex_(t),
    ),
    "imaginary part": lambda t: (
        function(t, lambda z: z * 2, lambda z, g: t.complex(g.real * 2, g.imag * 3)),
        complex_(t),
    ),
    "real part": lambda t: (
        function(t, lambda z: z * 2, lambda z, g: t.complex(g.real * 3, g.imag * 2)),
        complex_(t),
    ),
    "imaginary part, real output": lambda t: (
        function(t, lambda z: z.abs() ** 2, lambda z, g: t.complex(2 * g * z.real, g * z.imag)),
        complex_(t),
    ),
    "complex output of a real input": lambda t: (
        function(t, lambda x: x * 2j, lambda x, g: (g * 2j).real),
        double(t),
    ),
    "not multiplied": lambda t: (
        function(t, lambda x: x.sum(), lambda x, g: t.ones_like(x)),
        double(t),
    ),
    "non-determinism": lambda t: (noisy(t), double(t)),
    "small, but of one sign": lambda t: (
        function(t, lambda x: x * t.tensor(SIGNS), lambda x, g: g * (t.tensor(SIGNS) + 0.08)),
        double(t),
    ),
    "second output": lambda t: (lambda x: (x * 2, x.detach() * x, x + 1), double(t)),
    "second input": lambda t: (lambda x, y: x * y.detach() * 1 + 0 * y, (double(t), double(t))),
    "second of three inputs": lambda t: (
        lambda x, n, y: x * n * y.detach() + 0 * y,
        (double(t), 3, double(t)),
    ),
    "not an input that is constant": lambda t: (
        lambda c, x: c * x.detach() + 0 * x,
        (double(t).detach(), double(t)),
    ),
    "not differentiable": lambda t: (lambda x: x.detach() * 3, double(t)),
    "one undefined": lambda t: (undefined(t, lambda a, b: a or b), double(t)),
    "all undefined": lambda t: (undefined(t, lambda a, b: a and b), double(t)),
    "undefined is one": lambda t: (undefined_is_one(t), double(t)),
    "missing None": lambda t: (missing_none(t), (double(t), double(t))),
    "too many gradients": lambda t: (
        function(t, lambda x: x * 2, lambda x, g: (g * 2, g)),
        double(t),
    ),
    "shape by value": lambda t: (
        by_value(True),
        t.full((2,), 0.5).double().requires_grad_(),
    ),
    "dtype by value": lambda t: (by_value(False), t.full((2,), 0.5).double().requires_grad_()),
    "an error of backward": lambda t: (
        function(t, lambda x: x * 2, lambda x, g: g @ t.ones(7)),
        double(t),
    ),
    "an error of the function": lambda t: (lambda x: x @ x.new_ones(5), double(t)),
    "no tensor": lambda t: (lambda x: 3, double(t)),
    "no input": lambda t: (lambda x: x, double(t).detach()),
    "one that is right": lambda t: (
        lambda x, y: (x * y.exp(), (x - y).sum(), x.max(1)[1]),
        (double(t), double(t)),
    ),
    "complex that is right": lambda t: (
        lambda z, x: (z * z.conj() * x, z.abs(), z.exp() * x),
        (complex_(t), t.tensor([0.5, 2.0], dtype=t.float64).requires_grad_()),
    ),
    "a number": lambda t: (lambda x: x**3, t.tensor(2.0, dtype=t.float64).requires_grad_()),
    "one tensor twice": lambda t: (lambda x: (lambda x, y: x * y, (x, x)))(double(t)),
    "a view": lambda t: (lambda x: (x.t(), x), double(t)),
    "in place": lambda t: (lambda x: x.clone().mul_(x), double(t)),
    "in place on the input": lambda t: (lambda x: x.mul_(2), double(t)),
    "not contiguous": lambda t: (
        lambda x: x * x.sum(),
        t.arange(12.0).double().reshape(3, 4)[:, ::2].t().detach().requires_grad_(),
    ),
    "no outputs": lambda t: (lambda x: (), double(t)),
    "an output that is None": lambda t: (lambda x: (x, None), double(t)),
    "an output without entries": lambda t: (lambda x: x[:0], double(t)),
    "no entries": lambda t: (
        lambda x: x * 2,
        t.ones(0, 3, dtype=t.float64).requires_grad_(),
    ),
    "jvp's value": lambda t: (
        function(t, lambda x: x * x, lambda x, g: 2 * g * x, lambda x, v: 3 * v * x),
        double(t),
    ),
    "jvp's dtype": lambda t: (
        function(t, lambda x: x * 2, lambda x, g: 2 * g, lambda x, v: (2 * v) * (1 + 0j)),
        double(t),
    ),
    "jvp's imaginary part": lambda t: (
        function(
            t,
            lambda z: z * 2,
            lambda z, g: 2 * g,
            lambda z, v: t.complex(v.real * 2, v.imag * 3),
        ),
        complex_(t),
    ),
    "jvp's real part": lambda t: (
        function(
            t,
            lambda z: z * 2,
            lambda z, g: 2 * g,
            lambda z, v: t.complex(v.real * 3, v.imag * 2),
        ),
        complex_(t),
    ),
    "jvp without tangents": lambda t: (nothing_for_zeros(t), (double(t), double(t))),
    "jvp in place": lambda t: (wrong_jvp_in_place(t), double(t)),
    "no jvp": lambda t: (function(t, lambda x: x * 2, lambda x, g: 2 * g), double(t)),
}

MODES = {
    "slow": {},
    "fast": {"fast_mode": True},
    "dtypes": {"check_grad_dtypes": True},
    "masked": {"masked": True},
    "tolerant": {"nondet_tol": 1e-3, "atol": 10.0},
    "not undefined": {"check_undefined_grad": False},
    "both": {"check_forward_ad": True},
    "forward": {"check_forward_ad": True, "check_backward_ad": False, "check_grad_dtypes": True},
    "fast forward": {"check_forward_ad": True, "check_backward_ad": False, "fast_mode": True},
    "False": {"raise_exception": False},
    "second": {"second": True},
    "second, fast": {"second": True, "fast_mode": True},
    "second, forward": {"second": True, "check_fwd_over_rev": True},
    "exact": {"atol": 0.0, "rtol": 0.0},
    "exact, fast": {"atol": 0.0, "rtol": 0.0, "fast_mode": True},
    "second, exact, gaps": {
        "second": True,
        "atol": 0.0,
        "rtol": 0.0,
        "gen_non_contig_grad_outputs": True,
    },
    "second, forward only": {
        "second": True,
        "check_fwd_over_rev": True,
        "check_rev_over_rev": False,
        "check_undefined_grad": False,
    },
}


def run(t, case, second=False, **options):
    t.manual_seed(3)
    f, inputs = case(t)
    check = t.autograd.gradgradcheck if second else t.autograd.gradcheck
    return check(f, inputs, **options)


def outcome(program):
    """What the program returns or raises, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = program()
        except Exception as error:  # noqa: BLE001 - the error is what is compared
            result = type(error).__name__, str(error)
    texts = [str(w.message).split(" (Triggered internally")[0] for w in caught]
    # given by PyTorch's own sources as it imports some of them
    return result, [text for text in texts if not text.startswith("`torch.jit.")]


NUMBER = re.compile(r"[+-]?\d+\.(?:\d+)?(?:e[+-]?\d+)?")


def split(result):
    """The text around the numbers, and the numbers."""
    text = str(result)
    # an output that does not depend on an input has a tangent with a history in PyTorch
    text = re.sub(r",\s*grad_fn=<CopySlices>", "", text)
    numbers = [float(number) for number in NUMBER.findall(text)]
    return re.sub(r"\s+", "", NUMBER.sub("#", text)), numbers


def assert_same(program):
    ours, our_warnings = outcome(lambda: program(minitorch))
    theirs, their_warnings = outcome(lambda: program(torch))
    text, numbers = split(theirs)
    assert split(ours)[0] == text
    # differences divided by 2e-6 are right to some 1e-9
    assert split(ours)[1] == pytest.approx(numbers, rel=1e-6, abs=1e-6)
    assert our_warnings == their_warnings


# PyTorch counts an input among those that require grad, and looks it up among all of them; and an
# output among all, and looks it up among the differentiable ones
LOST_BY_PYTORCH = {
    ("second of three inputs", "fast forward"),
    ("not an input that is constant", "fast forward"),
    ("not differentiable", "fast forward"),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_as_pytorch_finds_it(fault, mode):
    if (fault, mode) in LOST_BY_PYTORCH:
        with pytest.raises(IndexError):
            run(torch, FAULTS[fault], **MODES[mode])
        with pytest.raises(GradcheckError, match="mismatch"):
            run(minitorch, FAULTS[fault], **MODES[mode])
        return
    assert_same(lambda t: run(t, FAULTS[fault], **MODES[mode]))
