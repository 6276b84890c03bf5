"""minitorch.nn's modules against PyTorch's: text, initial weights, state, registration."""

import numpy as np
import pytest

import minitorch

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

LAYERS = [
    "Linear(3, 2)",
    "Linear(3, 2, bias=False)",
    "Conv1d(2, 4, 3)",
    "Conv2d(2, 4, 3, padding=1, stride=2)",
    "Conv2d(2, 2, 1, groups=2, dilation=2, bias=False, padding='same')",
    "ConvTranspose2d(1, 2, 3, output_padding=1, stride=2)",
    "BatchNorm1d(2, affine=False)",
    "BatchNorm2d(3)",
    "LayerNorm(3)",
    "GroupNorm(1, 2)",
    "InstanceNorm2d(3)",
    "Embedding(5, 2, padding_idx=1)",
    "Dropout(0.2)",
    "Flatten()",
    "MaxPool2d(2)",
    "AvgPool2d(2)",
    "AdaptiveAvgPool2d(1)",
    "AdaptiveMaxPool2d((1, 2))",
    "ReLU()",
    "ReLU(inplace=True)",
    "LeakyReLU()",
    "ELU()",
    "GELU()",
    "Hardtanh()",
    "Softplus()",
    "Softmax(1)",
    "Threshold(0.1, 2)",
    "PReLU()",
    "Identity()",
    "Unflatten(1, (2, 1))",
    "ZeroPad2d(1)",
    "MSELoss()",
    "CrossEntropyLoss()",
]
NETWORK = (
    "Sequential(nn.Conv2d(1, 2, 3), nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1), nn.ReLU()]), "
    "nn.ModuleDict({'a': nn.Tanh()}))"
)


def both(text):
    """The module as PyTorch and as we make it, after the same seed."""
    for module in (torch, minitorch):
        module.manual_seed(5)
        yield eval(f"nn.{text}", {"nn": module.nn, "torch": module})


@pytest.mark.parametrize("text", [*LAYERS, NETWORK])
def test_repr_is_pytorchs(text):
    theirs, ours = both(text)
    assert repr(ours) == repr(theirs)


@pytest.mark.parametrize("text", [*LAYERS, NETWORK])
def test_initial_state_is_pytorchs(text):
    theirs, ours = both(text)
    a, b = theirs.state_dict(), ours.state_dict()
    assert list(b) == list(a)
    for key in a:
        np.testing.assert_array_equal(b[key].numpy(), a[key].numpy())


def test_repr_of_a_parameter_is_pytorchs():
    theirs, ours = (repr(m.nn.Parameter(m.ones(2))) for m in (torch, minitorch))
    assert ours == theirs


def test_a_batch_norm_layer_counts_batches_and_changes_with_eval():
    x = np.random.RandomState(0).standard_normal((4, 3, 2, 2)).astype("float32")
    results = []
    for module in (torch, minitorch):
        layer = module.nn.BatchNorm2d(3)
        layer(module.tensor(x))
        results.append([layer(module.tensor(x)), layer.eval()(module.tensor(x)), layer.running_var])
        assert layer.num_batches_tracked.item() == 2
    for a, b in zip(*results, strict=True):
        np.testing.assert_allclose(b.detach().numpy(), a.detach().numpy(), rtol=1e-5, atol=1e-6)


ACTIONS = [
    "m.load_state_dict({'x': 1})",
    "m.load_state_dict({'weight': torch.zeros(2, 2), 'bias': torch.zeros(2)})",
    "m.load_state_dict({'weight': torch.zeros(2, 3), 'bias': torch.zeros(2), 'u': torch.zeros(1)})",
    "m.nope",
    "setattr(m, 'weight', torch.ones(2, 3))",
    "m.register_buffer('weight', torch.ones(1))",
    "m.register_parameter('a.b', None)",
    "m.add_module('q', 3)",
    "nn.Module()(1)",
    "nn.Sequential(3)",
    "nn.Parameter(torch.ones(1, dtype=torch.long))",
    "nn.BatchNorm2d(3)(torch.ones(2, 3))",
    "nn.Conv2d(1, 2, 3, padding='same', stride=2)",
    "nn.Conv2d(1, 3, 3, groups=2)",
    "nn.Embedding(3, 2, padding_idx=5)",
    "nn.Linear(2, 3, foo=1)",
    "nn.Dropout(2)",
    "nn.init.kaiming_uniform_(torch.ones(2))",
    "nn.init.calculate_gain('foo')",
    "m.train(3)",
    "m.to(torch.long)",
    "nn.ModuleList([m])[5]",
]


@pytest.mark.parametrize("text", ACTIONS)
def test_errors_are_pytorchs(text):
    found = []
    for module in (torch, minitorch):
        scope = {"torch": module, "nn": module.nn, "m": module.nn.Linear(3, 2)}
        with pytest.raises(Exception) as caught:
            eval(text, scope)
        found.append((caught.type, str(caught.value)))
    assert found[1] == found[0]


def test_state_dict_round_trip():
    source, target = minitorch.nn.Linear(3, 2), minitorch.nn.Linear(3, 2)
    assert repr(target.load_state_dict(source.state_dict())) == "<All keys matched successfully>"
    assert minitorch.equal(target.weight, source.weight)
    assert target.weight is not source.weight


def test_parameters_shared_by_two_modules_are_listed_once():
    layer = minitorch.nn.Linear(2, 2)
    assert len(list(minitorch.nn.Sequential(layer, layer).parameters())) == 2


def test_hooks_see_and_change_what_passes():
    layer = minitorch.nn.Identity()
    layer.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
    handle = layer.register_forward_hook(lambda module, args, output: output * 10)
    assert layer(minitorch.tensor(1.0)).item() == 20
    handle.remove()
    assert layer(minitorch.tensor(1.0)).item() == 2


@pytest.mark.parametrize(
    "name", ["xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_",
             "uniform_", "normal_", "trunc_normal_"]
)  # fmt: skip
def test_initializers_draw_pytorchs_numbers(name):
    results = []
    for module in (torch, minitorch):
        module.manual_seed(2)
        results.append(getattr(module.nn.init, name)(module.empty(5, 7)).numpy())
    np.testing.assert_allclose(results[1], results[0], rtol=1e-5, atol=1e-6)
