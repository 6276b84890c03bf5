"""Names that packages reach when they are imported: tracers, stores, hubs, assertions."""

import importlib

import pytest

import minitorch
from tests.both import compare, like_pytorch, real


def module(torch, name):
    return importlib.import_module(f"{torch.__name__}.{name}")


@like_pytorch
def test_nothing_is_traced_or_fake(torch):
    fake = module(torch, "_subclasses.fake_tensor")
    proxies = module(torch, "fx.experimental.proxy_tensor")
    return (
        *(fake.is_fake(torch.ones(1)), fake.is_fake(3), proxies.get_proxy_mode()),
        isinstance(torch.nn.Linear(1, 1), module(torch, "fx").GraphModule),
        isinstance(torch.nn.Linear(1, 1), module(torch, "_dynamo.eval_frame").OptimizedModule),
        module(torch, "onnx").is_in_onnx_export(),
        torch._C._are_functorch_transforms_active(),
        torch.torch is torch,
        module(torch, "hub").HASH_REGEX.search("net-1a2b3c.pth").group(1),
    )


def test_whether_a_transform_is_computed():
    from minitorch.autograd.interpose import enter_level, exit_level

    level = enter_level("grad")
    inside = minitorch._C._are_functorch_transforms_active()
    exit_level(level)
    assert (inside, minitorch._C._are_functorch_transforms_active()) == (True, False)


@pytest.mark.parametrize("argument", ["len", len, 3])
def test_what_is_wrapped_for_a_tracer(argument):
    compare(lambda torch: module(torch, "fx").wrap(argument))

    def at_the_top(torch):
        names = {"wrap": module(torch, "fx").wrap, "argument": argument}
        exec("result = wrap(argument) is argument", names)
        return names["result"]

    compare(at_the_top)


ASSERTED = {
    "true": lambda torch: (torch.tensor(True),),
    "one": lambda torch: (torch.tensor([2.0]), "not reached"),
    "zero": lambda torch: (torch.tensor(0),),
    "zero with a text": lambda torch: (torch.tensor(False), "the text"),
    "two": lambda torch: (torch.ones(2),),
    "none": lambda torch: (torch.ones(0), "the text"),
    "no tensor": lambda torch: (3,),
    "no text": lambda torch: (torch.tensor(0), 3),
}


@pytest.mark.parametrize("case", ASSERTED)
def test_assert_async(case):
    compare(lambda torch: torch._assert_async(*ASSERTED[case](torch)))


@pytest.mark.parametrize("condition", [True, False, 0, "yes"])
def test_assert(condition):
    compare(lambda torch: torch._assert(condition, "the text"))
    compare(lambda torch: torch._assert(torch.tensor(bool(condition)), "the text"))


PARSED = {
    "dtype": lambda torch: ((torch.float64,), {}),
    "device": lambda torch: (("cpu",), {}),
    "all": lambda torch: ((torch.device("cpu"), torch.float16, True), {}),
    "tensor": lambda torch: ((torch.ones(1, dtype=torch.float64),), {}),
    "format": lambda torch: ((), {"memory_format": torch.channels_last}),
    "nothing": lambda torch: ((), {}),
    "copy": lambda torch: ((), {"dtype": torch.int8, "copy": True}),
    "non_blocking": lambda torch: ((torch.int8,), {"non_blocking": True}),
}


@pytest.mark.parametrize("case", PARSED)
def test_the_arguments_of_to(case):
    def program(torch):
        args, kwargs = PARSED[case](torch)
        device, dtype, non_blocking, memory_format = torch._C._nn._parse_to(*args, **kwargs)
        return str(device), str(dtype), non_blocking, str(memory_format)

    compare(program)


NOT_HERE = {
    "torch.fx.GraphModule": lambda torch: module(torch, "fx").GraphModule({}, None),
    "torch.fx.Proxy": lambda torch: module(torch, "fx").Proxy(None),
    "torch.fx.symbolic_trace": lambda torch: module(torch, "fx").symbolic_trace(abs),
    "FakeTensorMode": lambda torch: module(torch, "_subclasses.fake_tensor").FakeTensorMode(),
    "torch.onnx.export": lambda torch: module(torch, "onnx").export(abs, (), "x"),
    "torch.distributed.FileStore": lambda torch: module(torch, "distributed").FileStore("x", 1),
}


@pytest.mark.parametrize("name", NOT_HERE)
def test_what_is_only_a_name_says_so(name):
    with pytest.raises(NotImplementedError, match=f"^{name} is not part of minitorch$"):
        NOT_HERE[name](minitorch)


def test_the_names_are_pytorchs():
    for name in ("fx", "onnx", "utils.flop_counter", "hub"):
        ours = module(minitorch, name)
        assert [n for n in ours.__all__ if not hasattr(module(real, name), n)] == []
