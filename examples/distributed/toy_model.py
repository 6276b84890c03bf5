"""A toy model on several processes: each has its own inputs, and all end with the same parameters.

    torchrun --nproc-per-node 2 toy_model.py
    python -m minitorch run --nproc-per-node 2 toy_model.py

The program prints the loss of each step over all processes, and checks at the end that the copies agree.
"""

import argparse

import torch
import torch.distributed as dist
from torch import nn, optim
from torch.nn.parallel import DistributedDataParallel as DDP


class ToyModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.net1 = nn.Linear(10, 10)
        self.relu = nn.ReLU()
        self.net2 = nn.Linear(10, 5)

    def forward(self, x):
        return self.net2(self.relu(self.net1(x)))


def mean_over_ranks(value):
    """The mean of a number over all processes."""
    total = value.detach().clone()
    dist.all_reduce(total, op=dist.ReduceOp.SUM)
    return total.item() / dist.get_world_size()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=20)
    options = parser.parse_args()

    dist.init_process_group("gloo")
    rank = dist.get_rank()
    # the copies start different: DDP sends the parameters of rank 0 to all others
    torch.manual_seed(rank)
    model = DDP(ToyModel())
    loss_fn = nn.MSELoss()
    optimizer = optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

    generator = torch.Generator().manual_seed(100 + rank)
    inputs = torch.randn(20, 10, generator=generator)
    targets = torch.randn(20, 5, generator=generator)
    for step in range(options.steps):
        optimizer.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        optimizer.step()
        mean = mean_over_ranks(loss)
        if rank == 0:
            print(f"step {step:3d}  loss {mean:.5f}", flush=True)

    mine = torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
    copies = [torch.zeros_like(mine) for _ in range(dist.get_world_size())]
    dist.all_gather(copies, mine)
    if rank == 0:
        same = all(torch.equal(copy, mine) for copy in copies)
        print(
            f"the copies agree: {same}, sum of the parameters {mine.sum().item():.5f}", flush=True
        )
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
