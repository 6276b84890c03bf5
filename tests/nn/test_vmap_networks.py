"""Networks inside vmap, batches of networks, and their gradients, as PyTorch has them."""

import importlib
import warnings

import pytest

from tests.both import compare


def fixed(torch, *shape):
    count = 1
    for n in shape:
        count *= n
    return (torch.arange(float(count)) * 0.37).sin().reshape(shape)


def module(torch, made, scale=0.5):
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.copy_(fixed(torch, *parameter.shape) * scale)
    return made


def small(torch):
    nn = torch.nn
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.LayerNorm(4), nn.Linear(4, 2))


def convolutional(torch):
    nn = torch.nn
    return nn.Sequential(
        nn.Conv2d(2, 4, 3, groups=2),
        nn.BatchNorm2d(4, track_running_stats=False),
        nn.GroupNorm(2, 4),
        nn.ConvTranspose2d(4, 2, 2, stride=2),
    )


def embedded(torch):
    nn = torch.nn
    return nn.Sequential(nn.Embedding(7, 3), nn.Linear(3, 2))


NETWORKS = {
    "linear": (small, lambda t: fixed(t, 5, 3)),
    "convolutional": (convolutional, lambda t: fixed(t, 2, 2, 4, 4)),
    "embedding": (embedded, lambda t: t.arange(6).reshape(2, 3)),
}


@pytest.mark.parametrize("own_inputs", [False, True], ids=["one input", "an input for each"])
@pytest.mark.parametrize("name", NETWORKS)
def test_a_batch_of_networks_and_its_gradients(name, own_inputs):
    make, inputs = NETWORKS[name]

    def program(torch):
        func = importlib.import_module(f"{torch.__name__}.func")
        networks = [module(torch, make(torch), 0.3 * (k + 1)) for k in range(3)]
        parameters, buffers = func.stack_module_state(networks)
        x = inputs(torch)
        if own_inputs:
            x = torch.stack([x, x, x.flip(0)])

        def call(parameters, buffers, x):
            return func.functional_call(networks[0], (parameters, buffers), (x,))

        out = torch.vmap(call, (0, 0, 0 if own_inputs else None))(parameters, buffers, x)
        grads = torch.autograd.grad((out**2).mean(), list(parameters.values()))
        return out.detach().contiguous(), [g.contiguous() for g in grads]

    compare(program, tolerance=1e-4)


LAYERS = {
    "attention": lambda t, f: t.vmap(
        lambda x: f.scaled_dot_product_attention(x, x, x, is_causal=True)
    )(fixed(t, 2, 3, 5, 4)),
    "cross entropy": lambda t, f: t.vmap(f.cross_entropy)(
        fixed(t, 2, 4, 3), t.arange(8).reshape(2, 4) % 3
    ),
    "cross entropy with weights": lambda t, f: t.vmap(
        lambda x, y: f.cross_entropy(
            x, y, label_smoothing=0.1, weight=t.tensor([1.0, 2.0, 3.0]), ignore_index=1
        )
    )(fixed(t, 2, 4, 3), t.arange(8).reshape(2, 4) % 3),
    "nll of images": lambda t, f: t.vmap(f.nll_loss)(
        fixed(t, 2, 4, 3, 2, 2), t.arange(32).reshape(2, 4, 2, 2) % 3
    ),
    "interpolate": lambda t, f: t.vmap(lambda x: f.interpolate(x, scale_factor=2, mode="bilinear"))(
        fixed(t, 2, 1, 2, 3, 3)
    ),
    "grid_sample": lambda t, f: t.vmap(lambda x, g: f.grid_sample(x, g, align_corners=False))(
        fixed(t, 2, 1, 2, 3, 3), fixed(t, 2, 1, 4, 4, 2)
    ),
    "pad": lambda t, f: t.vmap(lambda x: f.pad(x, (1, 1, 0, 2), mode="reflect"))(
        fixed(t, 2, 1, 2, 4, 4)
    ),
    "max_pool2d": lambda t, f: t.vmap(lambda x: f.max_pool2d(x, 2))(fixed(t, 2, 3, 4, 4)),
    "multi_margin_loss": lambda t, f: t.vmap(f.multi_margin_loss)(
        fixed(t, 2, 4, 3), t.arange(8).reshape(2, 4) % 3
    ),
    "max_unpool2d": lambda t, f: t.vmap(
        lambda x: f.max_unpool2d(*f.max_pool2d(x, 2, return_indices=True), 2)
    )(fixed(t, 2, 1, 3, 4, 4)),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layers(name):
    def program(torch):
        with warnings.catch_warnings():
            # where PyTorch computes for one sample after the other
            warnings.filterwarnings("ignore", message="There is a performance drop")
            return LAYERS[name](torch, torch.nn.functional).contiguous()

    compare(program, tolerance=1e-5)


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN", "LSTMCell", "GRUCell", "RNNCell"])
def test_recurrent_networks_have_no_rule(kind):
    def program(torch):
        network = getattr(torch.nn, kind)(3, 4)
        with torch.no_grad():
            for parameter in network.parameters():
                parameter.fill_(0.25)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result = torch.vmap(network)(fixed(torch, 2, 5, 3)).detach()
            except RuntimeError as error:
                result = str(error)
        return result, [str(w.message).split(" (Triggered")[0] for w in caught]

    compare(program, tolerance=1e-6)


@pytest.mark.parametrize("dtype", ["int64", "bool", "float32"])
@pytest.mark.parametrize("transform", ["vmap", "grad", "older"])
def test_pooling_along_one_dimension_in_a_transform(transform, dtype):
    def program(torch):
        x = torch.arange(12.0).reshape(2, 1, 6).to(getattr(torch, dtype))
        pool = torch.nn.functional.max_pool1d
        if transform == "vmap":
            return torch.vmap(lambda x: pool(x, 2))(x)
        if transform == "grad":
            return torch.func.grad(lambda y: y * pool(x, 2).sum().real)(torch.tensor(1.0))
        older = importlib.import_module(f"{torch.__name__}._vmap_internals")._vmap
        with warnings.catch_warnings(action="ignore"):
            return older(lambda x: pool(x, 2))(x)

    compare(program)
