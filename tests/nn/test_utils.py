"""nn.utils: other tensors for a call, fusion, pruning, memory formats."""

import pytest

from tests.both import compare, like_pytorch, real

CALLS = [
    "dict()",
    "{'0.weight': ones(2, 2)}",
    "{'0.weight': ones(2, 2)}, tie_weights=False",
    "{'2.weight': ones(2, 2), '0.weight': ones(2, 2)}",
    "{'2.weight': ones(2, 2), '0.weight': ones(2, 2)}, tie_weights=False",
    "{'0.wait': ones(2, 2)}",
    "{'4.weight': ones(2, 2)}",
    "{'0.weight.a': ones(2, 2)}",
    "{'0.weight': 3}",
    "{'0.in_features': ones(2)}",
    "{'0.weight': ones(2, 2)}, strict=True",
    "{'0.wait': ones(2, 2), '1.weight': ones(2)}, strict=True",
    "({'0.weight': ones(2, 2)}, {'1.bias': ones(2)})",
    "({'0.weight': ones(2, 2)}, {'0.weight': ones(2)})",
    "[{'0.weight': ones(2, 2)}, 3]",
    "3",
    "{'1.running_mean': ones(2)}",
    "{'1.num_batches_tracked': tensor(5)}",
    "{'': ones(2)}",
    "{'0.bias': None}",
]


@pytest.mark.parametrize("text", CALLS)
@pytest.mark.parametrize("place", ["func", "nn.utils.stateless"])
def test_functional_call(text, place):
    def program(torch):
        module = torch.func if place == "func" else torch.nn.utils.stateless
        torch.manual_seed(0)
        net = torch.nn.Sequential(
            torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2), torch.nn.Linear(2, 2)
        )
        net[2].weight = net[0].weight
        before = {name: tensor for name, tensor in net.state_dict(keep_vars=True).items()}
        x = torch.tensor([[1.0, 2.0], [3.0, -1.0]])
        names = {"ones": torch.ones, "tensor": torch.tensor}
        given, options = eval(f"(lambda x, **k: (x, k))({text})", names)
        try:
            y = module.functional_call(net, given, x, **options)
        except Exception as error:
            y = type(error).__name__, str(error)
        after = net.state_dict(keep_vars=True)
        kept = [after[name] is tensor for name, tensor in before.items()]
        return y, list(after), kept, given, before

    compare(program)


@like_pytorch
def test_gradients_of_functional_call(torch):
    layer = torch.nn.Linear(2, 1)
    w = torch.tensor([[1.0, 2.0]], requires_grad=True)
    y = torch.func.functional_call(layer, {"weight": w}, kwargs={"input": torch.ones(3, 2)})
    y.sum().backward()
    return w.grad, layer.weight.grad


@pytest.mark.parametrize("kind", ["good", "none", "modes", "classes", "grads"])
def test_stack_module_state(kind):
    def program(torch):
        torch.manual_seed(0)
        models = [torch.nn.BatchNorm1d(2), torch.nn.BatchNorm1d(2)]
        if kind == "none":
            models = []
        elif kind == "modes":
            models[0].eval()
        elif kind == "classes":
            models[0] = torch.nn.Linear(2, 2)
        elif kind == "grads":
            models[0].weight.requires_grad_(False)
        params, buffers = torch.func.stack_module_state(models)
        return params, buffers, [p.is_leaf for p in params.values()]

    compare(program)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("kind", ["conv", "transposed", "linear", "training", "untracked", "sizes"])
def test_fusion(bias, affine, kind):
    def program(torch):
        torch.manual_seed(0)
        nn, U = torch.nn, torch.nn.utils
        if kind in ("linear", "sizes"):
            layer, x = nn.Linear(3, 4, bias=bias), torch.randn(5, 3)
            bn = nn.BatchNorm1d(4 if kind == "linear" else 3, affine=affine)
        elif kind == "transposed":
            layer, x = nn.ConvTranspose2d(2, 4, 2, bias=bias), torch.randn(3, 2, 4, 4)
            bn = nn.BatchNorm2d(4, affine=affine)
        else:
            layer, x = nn.Conv2d(2, 4, 2, bias=bias), torch.randn(3, 2, 4, 4)
            bn = nn.BatchNorm2d(4, affine=affine, track_running_stats=kind != "untracked")
        if kind not in ("sizes", "untracked"):
            bn(layer(x))
        if kind != "training":
            layer.eval(), bn.eval()
        if kind in ("linear", "sizes"):
            fused = U.fuse_linear_bn_eval(layer, bn)
        else:
            fused = U.fuse_conv_bn_eval(layer, bn, transpose=kind == "transposed")
        close = torch.allclose(fused(x), bn(layer(x)), atol=1e-5)
        return close, dict(fused.state_dict(keep_vars=True)), repr(fused)

    compare(program)


@like_pytorch
def test_memory_formats(torch):
    net = torch.nn.Sequential(
        torch.nn.Conv2d(2, 3, 2), torch.nn.ConvTranspose3d(1, 2, 2), torch.nn.Conv2d(1, 1, 1)
    )
    torch.nn.utils.convert_conv2d_weight_memory_format(net, torch.channels_last)
    torch.nn.utils.convert_conv3d_weight_memory_format(net, torch.channels_last_3d)
    return [p.stride() for p in net.parameters()]


@like_pytorch
def test_skip_init_draws_no_numbers(torch):
    torch.manual_seed(0)
    layer = torch.nn.utils.skip_init(torch.nn.Linear, 3, 2, bias=False)
    return repr(layer), torch.rand(2)


@pytest.mark.parametrize("kind", ["torch.nn.ReLU", "int"])
def test_skip_init_of_others(kind):
    def program(torch):
        try:
            torch.nn.utils.skip_init(eval(kind, {"torch": torch}))
        except RuntimeError as error:
            return str(error)

    compare(program)


def test_every_name_is_there():
    import minitorch

    for path in ("nn.utils", "nn.utils.parametrize", "nn.utils.parametrizations", "nn.utils.rnn"):
        theirs, ours = real, minitorch
        for part in path.split("."):
            theirs, ours = getattr(theirs, part), getattr(ours, part)
        assert set(theirs.__all__) <= set(dir(ours)), path


@like_pytorch
def test_data_parallel_modules_are_not_called_with_other_parameters(torch):
    parallel = torch.nn.DataParallel(torch.nn.Linear(1, 1))
    torch.func.functional_call(parallel, {}, torch.ones(1))
