"""Averages of weights and the statistics of batch normalization, against PyTorch."""

import numpy as np
import pytest

import minitorch

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

AVERAGES = [
    "",
    "use_buffers=True",
    "avg_fn=u.get_swa_avg_fn()",
    "avg_fn=u.get_ema_avg_fn(0.9)",
    "multi_avg_fn=u.get_swa_multi_avg_fn()",
    "multi_avg_fn=u.get_ema_multi_avg_fn(0.9)",
    "multi_avg_fn=u.get_ema_multi_avg_fn(0.9), use_buffers=True",
]
BATCHES = np.random.RandomState(0).standard_normal((3, 4, 5)).astype("float32")


def network(module):
    return module.nn.Sequential(module.nn.Linear(5, 3), module.nn.BatchNorm1d(3))


def fill(module, model, number):
    rng = np.random.RandomState(number)
    with module.no_grad():
        for p in [*model.parameters(), *model.buffers()]:
            if p.dtype == module.int64:
                p.fill_(number * 3)
            else:
                p.copy_(module.from_numpy(rng.standard_normal(p.shape).astype("float32")))


@pytest.mark.parametrize("options", AVERAGES)
def test_averages_are_pytorchs(options):
    found = []
    for module in (torch, minitorch):
        model, utils = network(module), module.optim.swa_utils
        averaged = eval(f"u.AveragedModel(model, {options})", {"u": utils, "model": model})
        for number in range(4):
            fill(module, model, number)
            averaged.update_parameters(model)
        found.append({key: value.numpy() for key, value in averaged.state_dict().items()})
        assert averaged.eval()(module.from_numpy(BATCHES[0])).shape == (4, 3)
    assert list(found[1]) == list(found[0])
    for key, value in found[0].items():
        np.testing.assert_allclose(found[1][key], value, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("momentum", [0.1, None])
def test_statistics_are_measured_again(momentum):
    found = []
    for module in (torch, minitorch):
        model = network(module)
        fill(module, model, 1)
        model[1].momentum = momentum
        model.eval()
        batches = [module.from_numpy(batch) for batch in BATCHES]
        module.optim.swa_utils.update_bn([batches[0], (batches[1], 1), [batches[2]]], model)
        assert model[1].momentum == momentum
        assert not model.training
        found.append([buffer.numpy() for buffer in model.buffers()])
    for ours, theirs in zip(found[1], found[0], strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        "get_ema_avg_fn(2.0)",
        "get_ema_multi_avg_fn(-1.0)",
        "AveragedModel(None, avg_fn=abs, multi_avg_fn=abs)",
    ],
)
def test_errors_are_pytorchs(text):
    found = []
    for module in (torch, minitorch):
        with pytest.raises(Exception) as caught:
            eval(f"u.{text}", {"u": module.optim.swa_utils})
        found.append((caught.type, str(caught.value)))
    assert found[1] == found[0]
