"""Operators that PyTorch does not differentiate: their results require grad, and a backward says so."""

import pytest

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

import minitorch  # noqa: E402

BOTH = pytest.mark.parametrize("library", [torch, minitorch], ids=["pytorch", "minitorch"])


def leaf(library):
    return library.tensor([0.5, -1.0, 2.0], requires_grad=True)


CALLS = {
    "floor_divide": lambda lib, x: x // 2,
    "heaviside": lambda lib, x: lib.heaviside(x, x),
    "bincount": lambda lib, x: lib.bincount(lib.tensor([0, 1, 1]), x),
    "bernoulli": lambda lib, x: lib.bernoulli(x, 0.5),
    "floor_divide_": lambda lib, x: x.clone().floor_divide_(2),
    "heaviside_": lambda lib, x: x.clone().heaviside_(x),
}


@BOTH
@pytest.mark.parametrize("name", CALLS)
def test_the_backward_names_the_operator(library, name):
    result = CALLS[name](library, leaf(library))
    assert result.grad_fn.name() == "torch::autograd::NotImplemented"
    assert type(result.grad_fn).__name__ == "NotImplemented"
    with pytest.raises(RuntimeError) as caught:
        result.sum().backward()
    assert str(caught.value) == f"derivative for aten::{name} is not implemented"


@BOTH
def test_out_is_recorded_where_there_is_no_derivative_to_lose(library):
    out = library.empty(3)
    result = library.floor_divide(leaf(library), 2, out=out)
    assert result is out
    assert out.requires_grad
    with pytest.raises(RuntimeError, match="derivative for aten::floor_divide is not implemented"):
        out.sum().backward()


@BOTH
@pytest.mark.parametrize("name", ["asinh", "acosh", "atanh"])
def test_only_the_in_place_form_lacks_a_derivative(library, name):
    x = library.tensor([1.5, 0.5], requires_grad=True)
    getattr(x, name)().sum().backward()
    assert x.grad is not None
    result = getattr(x.clone(), name + "_")()
    with pytest.raises(NotImplementedError) as caught:
        result.sum().backward()
    message = f"the derivative for 'inplace version of {name}' is not implemented."
    assert str(caught.value) == message


@BOTH
def test_distinct_values_have_a_node_without_a_derivative(library):
    distinct = library.unique(leaf(library))
    assert distinct.grad_fn.name() == "Unique2Backward0"
    with pytest.raises(NotImplementedError):
        distinct.sum().backward()


@BOTH
@pytest.mark.parametrize("name", ["eq", "ne", "lt", "le", "gt", "ge"])
def test_a_comparison_in_place_gives_zeros(library, name):
    x, y = leaf(library), leaf(library)
    result = getattr(x * 2, name + "_")(y)
    assert result.grad_fn.name() == name.capitalize() + "Backward1"
    result.sum().backward()
    assert x.grad.tolist() == y.grad.tolist() == [0, 0, 0]
    assert getattr(x * 2, name + "_")(1.0).grad_fn.name() == name.capitalize() + "Backward0"


@BOTH
def test_integers_compared_in_place_with_what_requires_grad_require_grad(library):
    integers = library.tensor([0, 1, 2])
    integers.eq_(leaf(library))
    assert integers.requires_grad
    assert integers.dtype is library.int64
    assert integers.tolist() == [0, 0, 1]


@BOTH
def test_a_sum_of_integers_of_what_requires_grad_is_refused(library):
    with pytest.raises(RuntimeError, match="Autograd not support dtype: Long"):
        leaf(library).sum(dtype=library.int64)


@BOTH
def test_a_conversion_to_integers_is_not(library):
    assert not leaf(library).to(library.int64).requires_grad
