"""Operators that PyTorch's `vmap` calls for each sample: the warning, and the switch that forbids them."""

import importlib
import re
import warnings

import pytest

from tests.both import compare

SAMPLES = {
    "take": lambda torch, x: torch.take(x, torch.tensor([0])),
    "put": lambda torch, x: x.put(torch.tensor([0]), torch.ones(1)),
    "masked_scatter": lambda torch, x: x.masked_scatter(x > 1, torch.ones(3)),
    "a tensor for a mask": lambda torch, x: x.masked_fill(x > 1, torch.tensor(2.0)),
    "a number for a mask": lambda torch, x: x.masked_fill(x > 1, 2.0),
    "searchsorted": lambda torch, x: torch.searchsorted(x, 1.0),
    "in place": lambda torch, x: x.clone().eq_(x),
    "polygamma_": lambda torch, x: (x + 1).polygamma_(1),
    "gradient": lambda torch, x: torch.func.grad(lambda y: y.unfold(0, 2, 1).sum())(x),
    "with a rule": lambda torch, x: x.sin().sum(0).flip(0) if x.dim() > 1 else x.sin(),
    "copy of a view": lambda torch, x: torch.unsqueeze_copy(x, 0),
}


def told(torch, function, *inputs):
    """What `vmap` of a function gives and the operators that it warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = torch.vmap(function)(*inputs)
    found = [re.search(r"batching rule for (\S+)\. Please", str(w.message)) for w in caught]
    return result, [match[1] for match in found if match]


def switches(torch):
    return importlib.import_module(f"{torch.__name__}._C")._functorch


@pytest.mark.parametrize("case", SAMPLES)
def test_operators_without_a_rule_in_pytorch_warn(case):
    def program(torch):
        x = torch.arange(6.0).view(2, 3)
        return told(torch, lambda sample: SAMPLES[case](torch, sample), x)

    compare(program)


@pytest.mark.parametrize("case", SAMPLES)
def test_the_fallback_can_be_forbidden(case):
    def program(torch):
        x = torch.arange(6.0).view(2, 3)
        before = switches(torch)._is_vmap_fallback_enabled()
        switches(torch)._set_vmap_fallback_enabled(False)
        try:
            return before, torch.vmap(lambda sample: SAMPLES[case](torch, sample))(x)
        finally:
            switches(torch)._set_vmap_fallback_enabled(True)

    compare(program)


def test_the_warning_can_be_switched_off():
    def program(torch):
        switches(torch)._set_vmap_fallback_warning_enabled(False)
        try:
            return told(torch, torch.bincount, torch.ones(2, 3, dtype=torch.int64))
        finally:
            switches(torch)._set_vmap_fallback_warning_enabled(True)

    compare(program)


OTHERS = {
    "the one for tests": lambda torch: told(
        torch, torch._test_functorch_fallback, torch.ones(2, 3), torch.zeros(2, 3)
    ),
    "no samples": lambda torch: torch.vmap(torch._test_functorch_fallback, (0, None))(
        torch.ones(0, 3), torch.zeros(3)
    ),
    "outside": lambda torch: torch._test_functorch_fallback(torch.ones(2), torch.zeros(3)),
    "not a tensor": lambda torch: torch._test_functorch_fallback(torch.ones(2), 1),
    "nonzero_static": lambda torch: told(
        torch, lambda x: torch.nonzero_static(x, size=2), torch.eye(3)
    ),
}


@pytest.mark.parametrize("case", OTHERS)
def test_functions_that_are_called_for_each_sample(case):
    compare(OTHERS[case])


WRITES = {
    "index_copy_": lambda torch, y: y.index_copy_(0, torch.tensor([0]), y[1:2].clone()),
    "scatter_ of a tensor": lambda torch, y: y.scatter_(0, torch.tensor([0]), y[1:2].clone()),
    "scatter_ of a number": lambda torch, y: y.scatter_(0, torch.tensor([0]), 3.0),
    "put_": lambda torch, y: y.put_(torch.tensor([0]), y[1:2].clone()),
    "masked_scatter_": lambda torch, y: y.masked_scatter_(y > 1, y.clone()),
    "conj_physical_": lambda torch, y: y.conj_physical_(),
    "put_ without a tangent before": lambda torch, y: (y.detach() * 2).put_(
        torch.tensor([0]), y[:1]
    ),
    "index_copy_ to a view": lambda torch, y: (
        y[:2].index_copy_(0, torch.tensor([0]), y[2:].clone()),
        y,
    )[1],
}


@pytest.mark.parametrize("case", WRITES)
def test_tangents_are_written_by_the_operator_in_place(case):
    def program(torch):
        x = torch.arange(6.0).view(2, 3)
        f = WRITES[case]

        def tangent(sample, direction):
            return torch.func.jvp(lambda y: f(torch, y * 2), (sample,), (direction,))

        found, names = told(torch, tangent, x, x.cos())
        return found, names, torch.func.jacfwd(lambda y: f(torch, y * 2))(x[0])

    compare(program)


DERIVATIVES = {
    "cumprod of a scalar": lambda torch, y: y[0].cumprod(0),
    "cumprod_ of a scalar": lambda torch, y: y[0].clone().cumprod_(0),
    "cumprod": lambda torch, y: y.cumprod(0),
    "masked_select": lambda torch, y: y.masked_select(y > 1),
    "masked_select of a function": lambda torch, y: y.masked_select(y > 1).sin(),
    "masked_select of nothing": lambda torch, y: y.masked_select(y > 9),
    "index": lambda torch, y: y[y > 1] ** 2,
}


@pytest.mark.parametrize("transform", ["jacfwd", "jacrev", "hessian", "reverse twice"])
@pytest.mark.parametrize("case", DERIVATIVES)
def test_derivatives_warn_of_operators_in_a_batch(case, transform):
    def program(torch):
        jacrev = torch.func.jacrev
        transforms = {"reverse twice": lambda f: jacrev(jacrev(f))}
        taken = transforms.get(transform) or getattr(torch.func, transform)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = taken(lambda y: DERIVATIVES[case](torch, y))(torch.arange(1.0, 4.0))
        names = [re.search(r"batching rule for (\S+)\. Please", str(w.message)) for w in caught]
        return found, [match[1] for match in names if match]

    compare(program)


@pytest.mark.parametrize("values", [[2.0, 0.0, 3.0], [0.0, 0.0, 3.0], [2.0, 3.0, 4.0], [0.0]])
@pytest.mark.parametrize("transform", ["jacfwd", "hessian"])
def test_tangents_of_cumprod_at_zeros(values, transform):
    def program(torch):
        taken = getattr(torch.func, transform)
        x = torch.tensor(values, dtype=torch.float64)
        return taken(lambda y: y.cumprod(0))(x), taken(lambda y: y.cumprod(0))(x[0])

    compare(program)


BILINEAR = {
    "jacrev": lambda func, f, x: func.jacrev(f)(x),
    "jacfwd": lambda func, f, x: func.jacfwd(f)(x),
    "hessian": lambda func, f, x: func.hessian(f)(x),
    "batched gradients": lambda func, f, x: func.vmap(func.grad(lambda y: f(y).sum()))(x[None]),
    "one gradient": lambda func, f, x: func.grad(lambda y: f(y).sum())(x),
}


@pytest.mark.parametrize("case", BILINEAR)
def test_bilinear_warns_where_a_batch_reaches_its_derivatives(case):
    def program(torch):
        x = torch.arange(4.0).view(2, 2)
        weight = torch.arange(12.0).view(3, 2, 2)
        f = lambda y: torch.nn.functional.bilinear(y, x, weight)  # noqa: E731
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = BILINEAR[case](torch.func, f, x)
        return result, any("aten::_trilinear." in str(w.message) for w in caught)

    compare(program)


def _older(torch):
    return importlib.import_module(f"{torch.__name__}._vmap_internals")._vmap


INSIDE = {
    "a sample": lambda torch, x: _older(torch)(torch.sin)(x),
    "what all samples share": lambda torch, x: _older(torch)(torch.sin)(torch.ones(3)) + x,
    "only results": lambda torch, x: _older(torch)(lambda y: y * x.sum())(torch.ones(3)),
    "the older one": lambda torch, x: _older(torch)(lambda y: torch.vmap(torch.sin)(y))(x[None]),
}


@pytest.mark.parametrize("case", INSIDE)
def test_the_older_vmap_warns_inside_of_the_newer_one(case):
    compare(lambda torch: told(torch, lambda x: INSIDE[case](torch, x), torch.ones(2, 3)))
