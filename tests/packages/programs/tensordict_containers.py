"""tensordict: containers with nested and lazily stacked entries, modules, transforms over them."""

import copy
import pickle
import tempfile

import torch
from tensordict import (
    LazyStackedTensorDict,
    TensorDict,
    TensorDictParams,
    from_module,
    pad,
    tensorclass,
)
from tensordict.nn import (
    CompositeDistribution,
    NormalParamExtractor,
    ProbabilisticTensorDictModule,
    ProbabilisticTensorDictSequential,
    TensorDictModule,
    TensorDictSequential,
)
from torch import nn


def show(name, *containers):
    for container in containers:
        values = sorted(container.flatten_keys(".").items(), key=lambda item: item[0])
        print(name, tuple(container.batch_size), *(key for key, _ in values))
        print(*(round(float(value.detach().double().sum()), 4) for _, value in values))


def container():
    entries = {"a": torch.randn(3, 4), "b": {"c": torch.arange(12.0).view(3, 4)}}
    return TensorDict(entries, batch_size=[3])


torch.manual_seed(0)
td = container()
print(td)
show("index", td[0], td[:2], td[..., None], td[torch.tensor([True, False, True])])
show("shape", td.expand(2, 3), td.unsqueeze(0).view(-1), torch.stack([td, td], 1), *td.split(2))
show("torch", torch.cat([td, td]), torch.zeros_like(td), torch.gather(td, 0, torch.tensor([2, 0])))
show("arithmetic", td + 1, td * td, -td, abs(td), td.lerp(td.exp(), 0.5), td.clamp(td * 0, td))
show("reductions", td.mean(0), td.std(), td.sum(dim="feature"), td.softmax(0), td == td)
show("keys", td.flatten_keys(".").unflatten_keys("."), td.select(("b", "c")), td.exclude("b"))
show("mapped", td.apply(torch.sin), td.named_apply(lambda name, x: x + len(name)), td.double())
show("padded", pad(td, [0, 2], value=1.0), td.masked_fill(torch.tensor([True, False, True]), 0))
show("copies", pickle.loads(pickle.dumps(td)), copy.deepcopy(td), td.consolidate())
with td.flatten_keys(".") as flat:
    flat["d"] = torch.ones(3)
show("context", td)

lazy = LazyStackedTensorDict.lazy_stack([container(), container() * 2], 1)
print(lazy)
show("lazy", lazy, lazy[0], lazy[:, 1], lazy.contiguous(), lazy.unsqueeze(0), lazy["b"])
with tempfile.TemporaryDirectory() as folder:
    td.memmap(folder)
    show("memory map", TensorDict.load_memmap(folder))

for call in (
    lambda: td["missing"],
    lambda: td.set("a", torch.zeros(2)),
    lambda: copy.copy(td).lock_().set("z", torch.zeros(3)),
    lambda: td.view(2, 2),
    lambda: torch.stack([td, TensorDict(a=torch.zeros(3), batch_size=[3])]),
):
    try:
        call()
    except (KeyError, RuntimeError) as error:
        print(type(error).__name__, str(error).split("\n")[0][:80])

show("vmap", torch.vmap(lambda t: t.set("n", t["a"] * 2))(td))
network = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
empty = copy.deepcopy(network).to("meta")
x = torch.randn(5, 3)


def call(parameters, x):
    with parameters.to_module(empty):
        return empty(x)


parameters = from_module(network).data
func = torch.func
show("gradient", func.grad(lambda p: call(p, x).square().sum())(parameters))
show("jacrev", func.jacrev(lambda p: call(p, x).sum(0))(parameters))
show("samples", func.vmap(func.grad(lambda p, x: call(p, x).sum()), (None, 0))(parameters, x))
show("vjp", *func.vjp(lambda p: call(p, x), parameters)[1](torch.ones(5, 2)))
outputs, _ = func.jvp(lambda p: call(p, x), (parameters,), (parameters,))
print(round(float(outputs.sum()), 4))

sequence = TensorDictSequential(
    TensorDictModule(network, ["x"], ["y"]),
    TensorDictModule(nn.Linear(2, 2), ["y"], ["z"]),
)
found = sequence(TensorDict(x=x, batch_size=[5]))
found["z"].sum().backward()
show("sequence", found, from_module(sequence).grad)
policy = ProbabilisticTensorDictSequential(
    TensorDictModule(
        nn.Sequential(nn.Linear(3, 4), NormalParamExtractor()), ["x"], ["loc", "scale"]
    ),
    ProbabilisticTensorDictModule(
        in_keys=["loc", "scale"],
        out_keys=["action"],
        distribution_class=torch.distributions.Normal,
        return_log_prob=True,
    ),
)
torch.manual_seed(1)
show("policy", policy(TensorDict(x=x, batch_size=[5])))
composite = CompositeDistribution(
    TensorDict(a={"loc": torch.zeros(3), "scale": torch.ones(3)}, b={"logits": torch.zeros(3, 2)}),
    distribution_map={"a": torch.distributions.Normal, "b": torch.distributions.Categorical},
)
show("composite", composite.sample())

held = TensorDictParams(TensorDict(a=torch.randn(3), b={"c": torch.randn(2)}))
(held["a"].sum() + held["b", "c"].square().sum()).backward()
torch.optim.SGD(held.parameters(), lr=0.1).step()
show("parameters", held.data, held.grad)


@tensorclass
class Pair:
    first: torch.Tensor
    second: torch.Tensor

    def total(self):
        return self.first.sum() + self.second.sum()


pair = Pair(first=torch.ones(3, 2), second=torch.zeros(3), batch_size=[3])
print(torch.stack([pair, pair + 1]), pair[0].total())
