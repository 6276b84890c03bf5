"""gradcheck and gradgradcheck find what is wrong, and say so as PyTorch's do."""

import warnings

import pytest

import minitorch

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


@pytest.mark.parametrize(
    "option", ["check_forward_ad", "fast_mode", "masked", "check_batched_grad"]
)
def test_an_option_that_is_missing_is_named(option):
    with pytest.raises(NotImplementedError, match=option):
        minitorch.autograd.gradcheck(lambda x: x, leaf(minitorch), **{option: True})


def test_the_input_is_as_it_was():
    x = leaf(minitorch)
    before = x.detach().clone()
    minitorch.autograd.gradcheck(lambda x: x * x, x)
    assert (x == before).all()
    assert x.grad is None and x._version == 0
