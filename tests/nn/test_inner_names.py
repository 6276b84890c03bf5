"""Names beside the layers that programs use: constants, the parts of calls and of initialisation."""

import pytest

from tests.both import compare


def test_layers_say_what_is_constant_in_them():
    def program(torch):
        layers = {
            n: getattr(torch.nn, n) for n in dir(torch.nn) if n not in ("CrossMapLRN2d", "Module")
        }
        return {
            n: layer.__constants__
            for n, layer in layers.items()
            if isinstance(layer, type) and hasattr(layer, "__constants__")
        }

    compare(program)


def test_a_replica_shares_what_it_does_not_compute():
    def program(torch):
        model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))
        replica = model._replicate_for_data_parallel()
        norm = model[1]._replicate_for_data_parallel()
        norm._buffers.pop("running_mean")
        return (
            type(replica) is type(model), replica[0] is model[0], replica._modules is model._modules,
            list(norm._parameters), list(model[1]._buffers), norm._is_replica, norm.eps,
        )  # fmt: skip

    compare(program)


def test_a_slow_forward_calls_no_hooks():
    def program(torch):
        layer = torch.nn.Flatten()
        layer.register_forward_hook(lambda *args: pytest.fail("called"))
        return layer._slow_forward(torch.ones(2, 1, 3)).shape

    compare(program)


def test_the_parts_of_initialisation():
    def program(torch):
        init = torch.nn.init
        torch.manual_seed(0)
        weight = torch.nn.Parameter(torch.empty(3))
        return [
            written(weight, *args).detach().clone()
            for written, args in (
                (init._no_grad_uniform_, (1.0, 2.0)),
                (init._no_grad_normal_, (0.0, 2.0)),
                (init._no_grad_trunc_normal_, (0.0, 1.0, -2.0, 2.0)),
                (init._no_grad_fill_, (3.0,)),
                (init._no_grad_zero_, ()),
            )
        ]

    compare(program)


def test_functional_says_what_is_overridden():
    def program(torch):
        F = torch.nn.functional

        class Own:
            @classmethod
            def __torch_function__(cls, function, types, args=(), kwargs=None):
                return function.__name__

        def half(x):
            if F.has_torch_function_unary(x):
                return F.handle_torch_function(half, (x,), x)
            return x / 2

        x = torch.ones(1)
        return (
            half(Own()), half(x), F.Tensor is torch.Tensor,
            F.has_torch_function((x, Own())), F.has_torch_function_variadic(x, x),
        )  # fmt: skip

    compare(program)


def test_the_cache_of_parametrized_tensors():
    def program(torch):
        parametrize = torch.nn.utils.parametrize
        layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 3))
        with parametrize.cached():
            layer.weight.sum()
            inside = parametrize._cache_enabled, list(parametrize._cache) == [(id(layer), "weight")]
        return inside, parametrize._cache_enabled, parametrize._cache

    compare(program)


def test_ways_between_devices_refuse_the_cpu():
    def program(torch):
        import importlib

        def refusal(name, *args, **kwargs):
            where, _, function = name.rpartition(".")
            called = importlib.import_module(f"{torch.nn.parallel.__name__}.{where}")
            for part in function.split("/"):
                called = getattr(called, part)
            with pytest.raises((AssertionError, RuntimeError, ValueError)) as caught:
                called(*args, **kwargs)
            return type(caught.value).__name__, str(caught.value)

        x, layer = torch.ones(2), torch.nn.Linear(1, 1)
        return [
            refusal("_functions.Broadcast/apply", [0], x),
            refusal("_functions.Gather/apply", 0, 0, x),
            refusal("comm.broadcast", x),
            refusal("comm.broadcast", x, ["cpu"]),
            refusal("comm.reduce_add", [x, x], 0),
            refusal("comm.reduce_add_coalesced", [[x], [x]], 0),
            refusal("comm.gather", [x], out=x, destination=0),
            refusal("parallel_apply.parallel_apply", [layer], [x, x]),
            refusal("parallel_apply.parallel_apply", [layer], [x], devices=[0, 1]),
            refusal("parallel_apply.parallel_apply", [layer], [x]),
            refusal("replicate.replicate", layer, [0]),
        ]

    compare(program)


def test_rrelu_writes_its_slopes():
    def program(torch):
        x = torch.tensor([-1.0, 2.0, -3.0], requires_grad=True)
        noise = torch.zeros(3)
        torch.manual_seed(0)
        made = torch._C._nn.rrelu_with_noise(x, noise, 0.1, 0.3, True)
        written = x.detach().clone()
        torch._C._nn.rrelu_with_noise_(written, noise, 0.1, 0.3, False)
        outside = torch.rrelu(x)
        return (
            made,
            noise,
            written,
            outside,
            outside.grad_fn.name(),
            outside.grad_fn._saved_training,
        )

    compare(program)


def test_noise_of_rrelu_has_the_shape_of_its_input():
    compare(lambda torch: torch._C._nn.rrelu_with_noise(torch.ones(2), torch.ones(3)))


def test_add_relu():
    def program(torch):
        x, written = torch.tensor([-3.0, 2.0]), torch.tensor([1, -4])
        return (
            torch._VF._add_relu(x, 1),
            torch._add_relu(x, x, alpha=-2, out=torch.empty(2)),
            torch._add_relu_(written, 3),
            written,
        )

    compare(program)


def test_what_is_applied_in_place_is_seen_by_the_graph():
    def program(torch):
        layer = torch.nn.Linear(2, 2)
        square, kinds = layer.weight * layer.weight, []

        def add_one(t):
            kinds.append(type(t) is torch.nn.Parameter)
            return t.add_(1.0)

        layer._apply(add_one)
        versions = layer.weight._version, kinds
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            square.sum().backward()
        return versions

    compare(program)
