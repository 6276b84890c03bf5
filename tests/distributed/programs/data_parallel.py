"""Use DistributedDataParallel in many ways on two ranks, and write what each rank sees.

``data_parallel.py FOLDER`` writes FOLDER/RANK.json: pairs of a label and a value.
"""

import json
import pickle
import sys
import warnings
from pathlib import Path

import torch
import torch.distributed as dist
import torch.distributed.algorithms.ddp_comm_hooks.default_hooks as default_hooks
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint


class Chain(nn.Module):
    """Up to three layers, as many as the call says."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = (nn.Linear(2, 2) for _ in range(3))
        for k, parameter in enumerate(self.parameters()):
            values = torch.arange(parameter.numel()).view(parameter.size()) + k
            parameter.data = (values * 0.7).sin().to(parameter)

    def forward(self, x, layers=3):
        """Call some of the layers; the first one twice if `layers` is "twice"."""
        if layers == "twice":
            return self.a(self.a(x))
        for layer in (self.a, self.b, self.c)[:layers]:
            x = layer(x)
        return x


class Nested(nn.Module):
    """Reuse a layer in two checkpoints, which run their own backward passes."""

    def __init__(self):
        super().__init__()
        self.chain = Chain()

    def forward(self, x):
        """Call the layers."""
        x = checkpoint(self.chain.b, self.chain.a(x), use_reentrant=True)
        return self.chain.c(checkpoint(self.chain.b, x, use_reentrant=True))


SEEN = []


def see(label, value):
    """Note a value."""
    SEEN.append([label, value])


def see_error(label, call):
    """Note the exception of a call."""
    try:
        call()
    except Exception as error:  # noqa: BLE001 (it is compared)
        see(label, [type(error).__name__, str(error)])
    else:
        see(label, None)


def gradients(module):
    """Return the gradients as lists."""
    return [None if p.grad is None else p.grad.flatten().tolist() for p in module.parameters()]


def parallel(module=None, **options):
    """Return a module in DistributedDataParallel."""
    return DistributedDataParallel(Chain() if module is None else module, **options)


def accumulation(x):
    """Several backward passes, with and without reduction."""
    model = parallel()
    for _ in range(2):
        model(x).sum().backward()
    see("accumulated", gradients(model))
    model = parallel()
    with model.no_sync():
        model(x).sum().backward()
    see("no_sync", gradients(model))
    model(x).sum().backward()
    see("after no_sync", gradients(model))
    model = parallel()
    y = model(x)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    see("the same graph twice", gradients(model))
    model = parallel(gradient_as_bucket_view=True)
    for keep in (False, True):
        model(x).sum().backward()
        see("views", [gradients(model), [p.grad._is_view() for p in model.parameters()]])
        model.zero_grad(set_to_none=not keep)


def unused(x, rank):
    """Parameters without gradients, on one rank or on all."""
    model = parallel(find_unused_parameters=True)
    model(x, 3 if rank else 1).sum().backward()
    see("used on one rank", gradients(model))
    model.zero_grad()
    model(x, 1).sum().backward()
    see("used on no rank", gradients(model))
    model = parallel()
    model(x, 1).sum().backward()
    see_error("unused parameters", lambda: model(x))
    model = parallel(static_graph=True)
    for _ in range(2):
        model(x, "twice").sum().backward()
        see("static graph", gradients(model))
    see_error("static graph that changes", lambda: model(x).sum().backward())
    see_error("reused in checkpoints", lambda: parallel(Nested())(x).sum().backward())
    model = parallel(Nested(), static_graph=True)
    for _ in range(2):
        model(x).sum().backward()
        see("static graph of checkpoints", gradients(model))


def buffers(rank):
    """Running means that differ between the ranks."""
    for options in ({}, {"broadcast_buffers": False}):
        model = parallel(nn.BatchNorm1d(2), **options)
        model.module.running_mean.fill_(rank + 1.0)
        model(torch.zeros(3, 2) + rank)
        see("buffers", model.module.running_mean.tolist())
        model.eval()
        model.module.running_mean.fill_(rank + 1.0)
        model(torch.zeros(3, 2) + rank)
        see("buffers in evaluation", model.module.running_mean.tolist())


def hooks(x):
    """Communication hooks, and what is wrong with some of them."""
    for hook in (
        default_hooks.allreduce_hook,
        default_hooks.fp16_compress_hook,
        default_hooks.fp16_compress_wrapper(default_hooks.allreduce_hook),
    ):
        for view in (False, True):
            model = parallel(gradient_as_bucket_view=view)
            model.register_comm_hook(None, hook)
            model(x).sum().backward()
            see("hook", gradients(model))
    see_error("a second hook", lambda: model.register_comm_hook(None, hook))

    def wrong_argument(state, bucket: int):
        return bucket

    def wrong_result(state, bucket) -> int:
        return bucket

    model = parallel()
    see_error("no hook", lambda: model.register_comm_hook(None, 3))
    see_error("hook of an int", lambda: model.register_comm_hook(None, wrong_argument))
    see_error("hook that returns an int", lambda: model.register_comm_hook(None, wrong_result))


def uneven_inputs(x, rank):
    """Rank 1 has two more inputs than rank 0."""
    for options in (
        {},
        {"divide_by_initial_world_size": False},
        {"throw_on_early_termination": True},
    ):
        model = parallel()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

        def train(model=model, optimizer=optimizer, options=options):
            with model.join(**options):
                for _ in range(2 + 2 * rank):
                    optimizer.zero_grad()
                    model(x).sum().backward()
                    optimizer.step()

        see_error("uneven inputs", train)
        see("parameters", [p.flatten().tolist() for p in model.parameters()])


def other(x):
    """Names, pickling, and a group of its own."""
    model = parallel()
    see("state_dict", list(model.state_dict()))
    see_error("an attribute of the module", lambda: model.a)
    copy = pickle.loads(pickle.dumps(model))
    copy(x).sum().backward()
    see("pickled", gradients(copy))
    model = parallel(process_group=dist.new_group([0, 1]))
    see_error("pickled with a group", lambda: pickle.dumps(model))
    see_error("without parameters", lambda: parallel(nn.ReLU()))
    see_error("uninitialized", lambda: parallel(nn.LazyLinear(2)))
    see_error("device_ids", lambda: parallel(device_ids=[0]))
    model = parallel(nn.Embedding(4, 2, sparse=True))
    with torch.no_grad():
        model.module.weight.fill_(1.0)
    model(torch.tensor([1, dist.get_rank() + 1])).sum().backward()
    see("sparse", model.module.weight.grad.to_dense().tolist())


def main():
    """Run all of it."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    x = torch.ones(1, 2) * (rank + 1)
    accumulation(x)
    unused(x, rank)
    buffers(rank)
    hooks(x)
    uneven_inputs(x, rank)
    other(x)
    Path(sys.argv[1], f"{rank}.json").write_text(json.dumps(SEEN))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
