"""Tensors with masks: what is there, what is shown, and what gradients look like."""

import warnings

import pytest

import minitorch
from minitorch.masked.maskedtensor.binary import BINARY_NAMES
from minitorch.masked.maskedtensor.reductions import REDUCE_NAMES
from minitorch.masked.maskedtensor.unary import INPLACE_UNARY_NAMES, UNARY_NAMES
from tests.both import compare

MORE = {"clamp": (0, 0.5), "clip": (0, 0.5), "pow": (2,)}


def quiet(program):
    """The program without its warnings: how often masked tensors are made inside is not behaviour."""

    def run(torch):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return program(torch)

    return run


def parts(value):
    """A masked tensor's data where they are there, its mask and its text; others as they are."""
    if not hasattr(value, "get_mask"):
        return value
    return [value.detach().to_tensor(0), value.get_mask(), repr(value)]


def made(torch, requires_grad=False, dtype=None):
    """One row is whole, one is partly there, one is not."""
    data = torch.tensor([[0.1, 0.5, 0.9], [0.3, 0.2, 0.7], [0.4, 0.6, 0.8]])
    data = data if dtype is None else (data * 10).to(dtype)
    mask = torch.tensor([[True, True, True], [False, True, False], [False, False, False]])
    return torch.masked.masked_tensor(data, mask, requires_grad)


@pytest.mark.parametrize("name", UNARY_NAMES)
def test_functions_of_one_operand_keep_the_mask(name):
    def program(torch):
        return parts(getattr(torch, name)(made(torch), *MORE.get(name, ())))

    compare(quiet(program))


@pytest.mark.parametrize("name", [name[:-1] for name in INPLACE_UNARY_NAMES])
def test_functions_in_place_change_the_data(name):
    def program(torch):
        value = made(torch)
        result = getattr(value, name + "_")(*MORE.get(name, ()))
        return [result is value, *parts(value)]

    compare(quiet(program))


@pytest.mark.parametrize("name", BINARY_NAMES)
def test_functions_of_two_operands_keep_the_mask(name):
    def program(torch):
        one, number = made(torch, dtype=torch.int64), 2
        function = getattr(torch, name)
        results = [function(one, one)]
        if name not in ("maximum", "minimum", "fmax", "fmin"):
            results.append(function(one, torch.tensor(number)))
        return [parts(result) for result in results]

    compare(quiet(program))


@pytest.mark.parametrize("name", [name for name in REDUCE_NAMES if name not in ("all", "norm")])
def test_reductions_leave_out_what_is_not_there(name):
    def program(torch):
        function = getattr(torch, name)
        results = [function(made(torch)), function(made(torch), 1), function(made(torch), 0, True)]
        return [parts(result) for result in results]

    compare(quiet(program))


@pytest.mark.parametrize("name", ["sum", "mean", "amin", "amax", "prod"])
def test_gradients_of_reductions_have_the_mask(name):
    def program(torch):
        value, rows = made(torch, True), made(torch, True)
        getattr(torch, name)(value).backward()
        getattr(rows, name)(1).sum().backward()
        return [parts(value.grad), parts(rows.grad)]

    compare(quiet(program))


def test_gradients_pass_through_functions():
    def program(torch):
        value = made(torch, True)
        ((value * 2).exp() / value).sum().backward()
        return parts(value.grad)

    compare(quiet(program))


def test_gradients_reach_data_that_are_wrapped():
    def program(torch):
        data = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        masked = torch.masked.as_masked_tensor(data, torch.tensor([True, False, True]))
        (masked * masked).sum().backward()
        return parts(data.grad)

    compare(quiet(program))


def test_where_takes_the_mask_of_what_it_takes():
    def program(torch):
        x = torch.tensor([-2.0, -1.0, 0.0, 90.0])
        small = torch.masked.masked_tensor(x, x < 0, requires_grad=True)
        large = torch.masked.masked_tensor(torch.ones(4), x >= 0, requires_grad=True)
        result = torch.where(x < 0, torch.exp(small), large)
        result.sum().backward()
        plain = torch.where(x < 0, small.detach(), 2.0)
        return [parts(value) for value in (result, small.grad, large.grad, plain)]

    compare(quiet(program))


def test_softmax_is_over_what_is_there():
    def program(torch):
        value = made(torch, True)
        result = torch.softmax(value, 1)
        (result * result)[:2].sum().backward()
        return [parts(result[:2]), parts(value.grad[:2])]

    compare(quiet(program))


def test_masks_move_with_the_data():
    def program(torch):
        x = made(torch)
        moved = [
            x[0], x[1:], x.t(), x.transpose(0, 1).contiguous(), x.reshape(9), x.unsqueeze(0), x[0].expand(2, 3),
            torch.cat([x, x]), torch.stack([x, x]), x.unfold(1, 2, 1), x.to(torch.float64), x.clone(),
            torch.ones_like(x), *x.split(2), x.to_dense(),
        ]  # fmt: skip
        return [parts(value) for value in moved]

    compare(quiet(program))


CALLS = {
    "a mask for data": lambda torch, x: torch.masked.masked_tensor(x, x.get_mask()),
    "data for a mask": lambda torch, x: torch.masked.masked_tensor(x.get_data(), x),
    "a number": lambda torch, x: torch.masked.masked_tensor(1, x.get_mask()),
    "a mask of numbers": lambda torch, x: torch.masked.masked_tensor(x.get_data(), x.get_data()),
    "another dimension": lambda torch, x: torch.masked.masked_tensor(x.get_data(), x.get_mask()[0]),
    "another size": lambda torch, x: torch.masked.masked_tensor(x.get_data(), x.get_mask()[:2]),
    "a complex one": lambda torch, x: torch.masked.masked_tensor(x.get_data() * 1j, x.get_mask()),
    "two masks": lambda torch, x: x + torch.masked.masked_tensor(x.get_data(), ~x.get_mask()),
    "a keyword": lambda torch, x: x.add(x, alpha=2),
    "an element that is not there": lambda torch, x: x[2, 0].item(),
    "a tensor as a limit": lambda torch, x: x.clamp(torch.zeros(3)),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_mistakes_are_refused(call):
    compare(quiet(lambda torch: call(torch, made(torch))))


def test_the_constructor_warns_of_a_prototype_and_of_data_with_gradients():
    def program(torch):
        data = torch.ones(2, requires_grad=True)
        return parts(torch.masked.MaskedTensor(data, torch.tensor([True, False])).get_mask())

    compare(program)


def test_what_has_no_rule_is_named():
    with pytest.warns(UserWarning, match="max is not implemented in __torch_dispatch__"):
        with pytest.raises(TypeError, match="aten.max"):
            made(minitorch).max()


def test_sparse_data_are_refused():
    data = minitorch.eye(2)
    with pytest.raises(NotImplementedError, match="sparse_coo"):
        minitorch.masked.masked_tensor(data.to_sparse(), data.bool().to_sparse())
    with pytest.raises(NotImplementedError, match="sparse"):
        minitorch.masked.masked_tensor(data, data.bool()).to_sparse()
