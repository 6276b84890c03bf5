"""Parametrized tensors: what is stored, what is computed, what is refused."""

import copy
import importlib
import pickle

import pytest

from tests.both import compare, like_pytorch


def functions(torch):
    """Parametrizations of several kinds."""

    class Namespace:
        class Double(torch.nn.Module):
            def forward(self, x):
                return x * 2

        class Symmetric(torch.nn.Module):
            def forward(self, x):
                return x.triu() + x.triu(1).transpose(-1, -2)

            def right_inverse(self, x):
                return x.triu()

        class Product(torch.nn.Module):
            def forward(self, a, b):
                return a * b

            def right_inverse(self, x):
                return x.clone() * 2, torch.full_like(x, 0.5)

        class First(torch.nn.Module):
            def forward(self, x):
                return x[0]

            def right_inverse(self, x):
                return x[None]

        class Wide(torch.nn.Module):
            def forward(self, x):
                return x.double()

        class WideInverse(torch.nn.Module):
            def forward(self, x):
                return x.float()

            def right_inverse(self, x):
                return x.double()

        class NoTensor(torch.nn.Module):
            def forward(self, x):
                return [x]

        class NoTensorInverse(torch.nn.Module):
            def forward(self, x):
                return x

            def right_inverse(self, x):
                return 3

        class NoTensorsInverse(torch.nn.Module):
            def forward(self, x):
                return x

            def right_inverse(self, x):
                return [x, 3]

        class NotInverse(torch.nn.Module):
            def forward(self, x):
                return x * 3

            def right_inverse(self, x):
                raise NotImplementedError("no")

    return Namespace


def state(module):
    return {name: tensor for name, tensor in module.state_dict().items()}


@pytest.mark.parametrize(
    "name",
    "Double Symmetric Product First Wide WideInverse NoTensor NoTensorInverse NoTensorsInverse "
    "NotInverse".split(),
)
@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize("twice", [False, True])
def test_register(name, unsafe, twice):
    def program(torch):
        torch.manual_seed(0)
        layer = torch.nn.Linear(3, 3)
        P, function = torch.nn.utils.parametrize, getattr(functions(torch), name)
        if twice:
            P.register_parametrization(layer, "weight", functions(torch).Symmetric())
        P.register_parametrization(layer, "weight", function(), unsafe=unsafe)
        y = layer.weight
        y.sum().backward()
        grads = {n: p.grad for n, p in layer.named_parameters()}
        return y, state(layer), grads, repr(layer), type(layer).__name__, [*layer._buffers]

    compare(program)


@like_pytorch
def test_assigning_goes_through_the_right_inverse(torch):
    F, P = functions(torch), torch.nn.utils.parametrize
    layer = torch.nn.Linear(2, 2)
    P.register_parametrization(layer, "weight", F.Symmetric())
    layer.weight = torch.tensor([[1.0, 2.0], [2.0, 3.0]])
    first = state(layer)["parametrizations.weight.original"], layer.weight
    P.register_parametrization(layer, "bias", F.Product())
    layer.bias = torch.tensor([3.0, 4.0])
    return first, state(layer)["parametrizations.bias.original0"], layer.bias


@pytest.mark.parametrize(
    "name, value",
    [
        ("Double", "torch.ones(2, 2)"),
        ("Symmetric", "torch.ones(2, 2).double()"),
        ("NotInverse", "torch.ones(2, 2)"),
    ],
)
def test_what_cannot_be_assigned(name, value):
    def program(torch):
        layer = torch.nn.Linear(2, 2)
        function = getattr(functions(torch), name)()
        torch.nn.utils.parametrize.register_parametrization(layer, "weight", function)
        layer.weight = eval(value, {"torch": torch})

    compare(program)


@pytest.mark.parametrize("name", ["Double", "Symmetric", "Product"])
@pytest.mark.parametrize("leave", [True, False])
def test_remove(name, leave):
    def program(torch):
        torch.manual_seed(0)
        P, layer = torch.nn.utils.parametrize, torch.nn.Linear(3, 3)
        P.register_parametrization(layer, "weight", getattr(functions(torch), name)())
        before = P.is_parametrized(layer), P.is_parametrized(layer, "weight")
        kind = P.type_before_parametrizations(layer) is torch.nn.Linear
        P.remove_parametrizations(layer, "weight", leave_parametrized=leave)
        return before, kind, state(layer), repr(layer), P.is_parametrized(layer), type(layer) is torch.nn.Linear, layer.weight.requires_grad, layer.weight.is_leaf  # fmt: skip

    compare(program)


@like_pytorch
def test_remove_one_of_two(torch):
    torch.manual_seed(0)
    F, P, layer = functions(torch), torch.nn.utils.parametrize, torch.nn.Linear(3, 3)
    P.register_parametrization(layer, "weight", F.Symmetric())
    P.register_parametrization(layer, "bias", F.Double())
    P.remove_parametrizations(layer, "weight")
    return state(layer), repr(layer), P.is_parametrized(layer), P.is_parametrized(layer, "weight")


@like_pytorch
def test_buffers_can_be_parametrized(torch):
    layer = torch.nn.BatchNorm1d(2)
    P = torch.nn.utils.parametrize
    P.register_parametrization(layer, "running_mean", functions(torch).Double())
    return state(layer), layer.running_mean, [n for n, _ in layer.named_buffers()]


@like_pytorch
def test_a_name_that_is_not_there(torch):
    P = torch.nn.utils.parametrize
    P.register_parametrization(torch.nn.Linear(2, 2), "wait", functions(torch).Double())


@like_pytorch
def test_remove_what_is_not_there(torch):
    torch.nn.utils.parametrize.remove_parametrizations(torch.nn.Linear(2, 2), "weight")


@like_pytorch
def test_no_functions(torch):
    torch.nn.utils.parametrize.ParametrizationList([], torch.ones(2))


@like_pytorch
def test_cached_tensors_are_computed_once(torch):
    calls = []

    class Counts(torch.nn.Module):
        def forward(self, x):
            calls.append(1)
            return x * 2

    P, layer = torch.nn.utils.parametrize, torch.nn.Linear(2, 2)
    P.register_parametrization(layer, "weight", Counts())
    calls.clear()
    with P.cached():
        with P.cached():
            same = layer.weight is layer.weight
        again = layer.weight is layer.weight
    after = layer.weight is layer.weight
    return same, again, after, len(calls)


@like_pytorch
def test_deepcopy_and_pickle(torch):
    torch.manual_seed(0)
    P, layer = torch.nn.utils.parametrize, torch.nn.Linear(2, 2)
    P.register_parametrization(layer, "weight", functions(torch).Symmetric())
    twin = copy.deepcopy(layer)
    with torch.no_grad():
        twin.parametrizations.weight.original.mul_(2)
    values = layer.weight, twin.weight, type(twin) is type(layer)
    try:
        pickle.dumps(layer)
    except RuntimeError as error:
        return *values, str(error)


@like_pytorch
def test_state_is_saved_and_loaded(torch):
    torch.manual_seed(0)
    P = torch.nn.utils.parametrize
    layers = [torch.nn.Linear(2, 2) for _ in range(2)]
    for layer in layers:
        P.register_parametrization(layer, "weight", functions(torch).Product())
    result = layers[1].load_state_dict(layers[0].state_dict())
    return str(result), layers[1].weight, list(layers[0].state_dict())


@like_pytorch
def test_transfer(torch):
    torch.manual_seed(0)
    F, P = functions(torch), torch.nn.utils.parametrize
    source, target, third = (torch.nn.Linear(2, 2) for _ in range(3))
    P.register_parametrization(source, "weight", F.Symmetric())
    P.register_parametrization(source, "bias", F.Product())
    P.transfer_parametrizations_and_params(source, target)
    P.transfer_parametrizations_and_params(source, third, "bias")
    shared = target.parametrizations.weight.original is source.parametrizations.weight.original
    return state(target), state(third), shared, repr(target)


@like_pytorch
def test_training_reaches_what_is_stored(torch):
    torch.manual_seed(0)
    layer = torch.nn.Linear(3, 3)
    torch.nn.utils.parametrize.register_parametrization(
        layer, "weight", functions(torch).Symmetric()
    )
    sgd = torch.optim.SGD(layer.parameters(), lr=0.1)
    for _ in range(3):
        loss = layer(torch.ones(2, 3)).square().sum()
        sgd.zero_grad()
        loss.backward()
        sgd.step()
    return loss, layer.weight


def test_a_value_that_cannot_be_left_in_the_parameter():
    def program(torch):
        class Wide(torch.nn.Module):
            def forward(self, x):
                return x.double()

        parametrize = importlib.import_module(f"{torch.__name__}.nn.utils.parametrize")
        layer = torch.nn.Linear(2, 2)
        parametrize.register_parametrization(layer, "weight", Wide(), unsafe=True)
        parametrize.remove_parametrizations(layer, "weight")

    compare(program)
