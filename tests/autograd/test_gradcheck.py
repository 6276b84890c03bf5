"""gradcheck and gradgradcheck find what is wrong, and say so as PyTorch's do."""

import warnings

import pytest

import minitorch
from minitorch.autograd.checks import analytical as _gradcheck_analytical
from minitorch.autograd.checks import rules as _gradcheck_rules
from minitorch.autograd.gradcheck import GradcheckError
from tests.both import compare

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")


def leaf(library, dtype="float64"):
    x = library.tensor([[0.5, -1.25], [2.0, 0.75]], dtype=getattr(library, dtype))
    return x.requires_grad_()


def outcome(function):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function()
        except Exception as error:  # noqa: BLE001 - the error is what is compared
            result = type(error).__name__, str(error)
    return result, [str(w.message) for w in caught]


CALLS = {
    "right": lambda t: t.autograd.gradcheck(lambda x: x * x, leaf(t)),
    "second": lambda t: t.autograd.gradgradcheck(lambda x: x * x, leaf(t)),
    "complex": lambda t: t.autograd.gradcheck(lambda x: x * x, leaf(t, "complex128")),
    "no history": lambda t: t.autograd.gradcheck(lambda x: x.detach() + 0 * x, leaf(t)),
    "half a gradient": lambda t: t.autograd.gradcheck(lambda x: x.detach() * x, leaf(t)),
    "half a complex gradient": lambda t: t.autograd.gradcheck(
        lambda x: x.detach() * x, leaf(t, "complex128")
    ),
    "second output": lambda t: t.autograd.gradcheck(lambda x: (x + 1, x.detach() * x), leaf(t)),
    "False": lambda t: t.autograd.gradcheck(
        lambda x: x.detach() * x, leaf(t), raise_exception=False
    ),
    "not differentiable": lambda t: t.autograd.gradcheck(lambda x: x.detach() * 2, leaf(t)),
    "constant": lambda t: t.autograd.gradcheck(lambda x: x.detach() * 0, leaf(t)),
    "no input": lambda t: t.autograd.gradcheck(lambda x: x * x, leaf(t).detach()),
    "stride 0": lambda t: t.autograd.gradcheck(
        lambda x: x * x, leaf(t)[:1].detach().expand(3, 2).requires_grad_()
    ),
    "single precision": lambda t: t.autograd.gradcheck(lambda x: x + x, leaf(t, "float32"), atol=1),
    "wrong second": lambda t: t.autograd.gradgradcheck(
        lambda x: x.detach() * x * x, leaf(t), t.ones(2, 2, dtype=t.float64).requires_grad_()
    ),
    "no mode": lambda t: t.autograd.gradcheck(lambda x: x, leaf(t), check_backward_ad=False),
    "batched": lambda t: t.autograd.gradcheck(
        lambda x: x,
        leaf(t),
        check_forward_ad=True,
        check_backward_ad=False,
        check_batched_grad=True,
    ),
    "batched forward": lambda t: t.autograd.gradcheck(
        lambda x: x, leaf(t), check_batched_forward_grad=True
    ),
    "no second mode": lambda t: t.autograd.gradgradcheck(
        lambda x: x, leaf(t), check_rev_over_rev=False
    ),
    "undefined in no mode": lambda t: t.autograd.gradgradcheck(
        lambda x: x, leaf(t), check_rev_over_rev=False, check_fwd_over_rev=True
    ),
    "batched in no mode": lambda t: t.autograd.gradgradcheck(
        lambda x: x,
        leaf(t),
        check_rev_over_rev=False,
        check_fwd_over_rev=True,
        check_undefined_grad=False,
        check_batched_grad=True,
    ),
    "a gradient that is None": lambda t: t.autograd.gradgradcheck(
        lambda x: (x, x), leaf(t), (None, leaf(t))
    ),
    "a gradient too few": lambda t: t.autograd.gradgradcheck(lambda x: (x, x), leaf(t), leaf(t)),
    "a gradient of another shape": lambda t: t.autograd.gradgradcheck(
        lambda x: x, leaf(t), leaf(t)[0].detach().requires_grad_()
    ),
    "gradients without grad": lambda t: t.autograd.gradgradcheck(
        lambda x: x.exp(), leaf(t), leaf(t).detach()
    ),
    "a bool beside": lambda t: t.autograd.gradcheck(lambda x: (x * x, x > 0), leaf(t)),
    "an integer beside": lambda t: t.autograd.gradcheck(
        lambda x: (x * x, x.sort()[1]), leaf(t), fast_mode=True
    ),
    "a list": lambda t: t.autograd.gradcheck(lambda x, y: [x * y, y], [leaf(t), leaf(t)]),
    "an input in a list": lambda t: t.autograd.gradcheck(
        lambda x, y: x * y[0], (leaf(t), [leaf(t)])
    ),
    "a list without grad": lambda t: t.autograd.gradcheck(
        lambda x, y: x * y[0], (leaf(t), [leaf(t).detach()])
    ),
    "another eps": lambda t: t.autograd.gradcheck(lambda x: x**3, leaf(t), eps=0.5, atol=1e-8),
    "no keyword": lambda t: t.autograd.gradcheck(lambda x: x, leaf(t), 1e-6),
    "an unknown option": lambda t: t.autograd.gradcheck(lambda x: x, leaf(t), quick=True),
    "gaps": lambda t: t.autograd.gradgradcheck(
        lambda x: x.exp(), leaf(t), gen_non_contig_grad_outputs=True
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_check_ends_as_pytorchs_does(name):
    result, caught = outcome(lambda: CALLS[name](minitorch))
    expected, expected_warnings = outcome(lambda: CALLS[name](torch))
    assert result == expected
    assert caught == expected_warnings


def test_the_input_is_as_it_was():
    x = leaf(minitorch)
    before = x.detach().clone()
    minitorch.autograd.gradcheck(lambda x: x * x, x)
    assert (x == before).all()
    assert x.grad is None and x._version == 0


def test_the_input_is_as_it_was_after_an_error():
    x = leaf(minitorch)
    before = x.detach().clone()

    def refuses(x):
        if x.detach()[0, 0] > before[0, 0]:
            raise ValueError("too large")
        return x * x

    with pytest.raises(ValueError, match="too large"):
        minitorch.autograd.gradcheck(refuses, x)
    assert (x == before).all()


def test_an_integer_output_before_a_float_one():
    def f(x):
        return x.sort()[1], x * x

    assert minitorch.autograd.gradcheck(f, leaf(minitorch), check_forward_ad=True)
    with pytest.raises(GradcheckError, match="Jacobian mismatch for output 0"):
        minitorch.autograd.gradcheck(lambda x: (x.sort()[1], x.detach() * x), leaf(minitorch))


def test_an_output_without_grad_before_one_with():
    def f(x):
        return x.detach(), x * x

    assert minitorch.autograd.gradcheck(f, leaf(minitorch), check_forward_ad=True)
    assert minitorch.autograd.gradcheck(f, leaf(minitorch), fast_mode=True)


# what no graph gives: the engine sums and casts the gradients of inputs, or raises
UNHEARD_OF = {
    "dtype": lambda g: g.float(),
    "shape": lambda g: g.reshape(-1),
    "size": lambda g: g[0],
    "dtype of zeros": lambda g: g if g.any() else g.float(),
    "shape of zeros": lambda g: g if g.any() else g.reshape(-1),
    "layout of zeros": lambda g: g if g.any() else g.to_sparse(),
}


@pytest.mark.parametrize("option", [False, True])
@pytest.mark.parametrize("name", UNHEARD_OF)
def test_what_the_engine_lets_through_is_found(monkeypatch, name, option):
    def program(library):
        true = library.autograd.grad

        def gradient(*args, **kwargs):
            return tuple(UNHEARD_OF[name](g) for g in true(*args, **kwargs))

        with monkeypatch.context() as patched:
            patched.setattr(library.autograd, "grad", gradient)
            for module in (_gradcheck_analytical, _gradcheck_rules):
                patched.setattr(module, "_grad", gradient)
            return library.autograd.gradcheck(
                lambda x: 2 * x, leaf(library), check_grad_dtypes=option
            )

    compare(program)


@pytest.mark.parametrize("dims", [1, 2])
def test_zeros_with_other_dimensions_than_a_sparse_input_has(monkeypatch, dims):
    def program(library):
        true = library.autograd.grad

        def gradient(*args, **kwargs):
            zeros = library.zeros(2, 2, 1, dtype=library.float64).to_sparse(dims)
            return tuple(g if g.to_dense().any() else zeros for g in true(*args, **kwargs))

        x = leaf(library).detach().to_sparse().requires_grad_()
        with monkeypatch.context() as patched:
            patched.setattr(library.autograd, "grad", gradient)
            patched.setattr(_gradcheck_rules, "_grad", gradient)
            return library.autograd.gradcheck(lambda x: 2 * x.to_dense(), x)

    compare(program)


@pytest.mark.parametrize("option", [{}, {"check_grad_dtypes": True}, {"fast_mode": True}])
@pytest.mark.parametrize("dtype", [None, "float32"])
def test_a_gradient_of_another_dtype_that_a_leaf_asks_for(dtype, option):
    def program(library):
        class Halved(library.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x / 2

            @staticmethod
            def backward(ctx, gradient):
                return gradient.float() / 2

        x = leaf(library)
        x.grad_dtype = dtype and getattr(library, dtype)
        return library.autograd.gradcheck(Halved.apply, x, **option)

    compare(program)


@pytest.mark.parametrize("fast_mode", (True, False))
@pytest.mark.parametrize("masked", (True, False))
@pytest.mark.parametrize("hybrid", (True, False))
def test_sparse_inputs(fast_mode, masked, hybrid):
    def program(torch):
        x = torch.eye(3, dtype=torch.float64)
        x = (x.to_sparse(1) if hybrid else x.to_sparse()).requires_grad_()
        options = {"masked": masked, "fast_mode": fast_mode, "check_batched_grad": False}
        return torch.autograd.gradcheck(
            lambda x: x.to_dense(masked_grad=masked) * 3, (x,), **options
        )

    compare(program)


def test_entries_that_a_sparse_gradient_leaves_out():
    def program(torch):
        x = torch.eye(3, dtype=torch.float64).to_sparse().requires_grad_()
        return torch.autograd.gradcheck(
            lambda x: x.to_dense(masked_grad=True), (x,), masked=False, raise_exception=False
        )

    compare(program)


@pytest.mark.parametrize("fast", [False, True])
def test_a_sparse_gradient_of_other_dimensions(fast):
    def program(torch):
        def fn(x):
            y = x.clone()
            y.register_hook(lambda g: None if g is None else g.to_dense().to_sparse(1))
            return y.to_dense()

        x = torch.ones(2, 2, dtype=torch.double, requires_grad=True).to_sparse()
        options = {"masked": True, "check_batched_grad": False, "atol": 0.1, "fast_mode": fast}
        return torch.autograd.gradcheck(fn, (x,), **options)

    compare(program)
