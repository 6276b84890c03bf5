"""Train on several processes with a student's reducer of assignment 16, over MPI.

`python -m exercises ranks` starts this module once for each process. The gradients of the processes travel
as they do in `DistributedDataParallel`: the reducer decides what is sent and when, and `minitorch.distributed`
adds. At the end the weights are compared with those of one process that had the whole batch.
"""

import runpy
import sys

import minitorch as torch
import minitorch.distributed as dist

STEPS, SAMPLES = 30, 24  # the samples can be divided by 1, 2, 3 and 4


class Group:
    """What a `Reducer` sends through: the k-th messages of all ranks are added."""

    def __init__(self):
        self.size = dist.get_world_size()
        self.sent = []

    def send(self, numbers):
        total = numbers.clone()
        self.sent.append((total, dist.all_reduce(total, async_op=True)))

    def receive_sum(self):
        total, work = self.sent.pop(0)
        work.wait()
        return total


def train(samples, targets, reducer=None):
    """Return the weights and the losses of a training on these samples."""
    generator = torch.Generator().manual_seed(16)
    sizes = [(8, 3), (8, 8), (1, 8)]
    weights = [torch.randn(*size, generator=generator, dtype=torch.float64) / 2 for size in sizes]
    for w in weights:
        w.requires_grad_()
    if reducer is not None:
        reducer(weights, Group(), 40)
    losses = []
    for _ in range(STEPS):
        for w in weights:
            w.grad = None
        x = samples
        for w in weights[:-1]:
            x = (x @ w.T).tanh()
        loss = (x @ weights[-1].T - targets).square().mean()
        loss.backward()
        with torch.no_grad():
            for w in weights:
                w -= 0.1 * w.grad
        losses.append(loss.item())
    return weights, losses


def main(path):
    """Train with the reducer in the file, and return 0 if the weights are those of one process."""
    reducer = runpy.run_path(path)["Reducer"]
    dist.init_process_group("mpi")
    rank, ranks = dist.get_rank(), dist.get_world_size()
    generator = torch.Generator().manual_seed(61)
    samples = torch.randn(SAMPLES, 3, generator=generator, dtype=torch.float64)
    targets = samples.prod(1, keepdim=True)
    weights, _ = train(samples[rank::ranks], targets[rank::ranks], reducer)
    alone, losses = train(samples, targets)
    far = max((a - b).abs().max().item() for a, b in zip(weights, alone, strict=True))
    worst = torch.tensor(far, dtype=torch.float64)
    dist.all_reduce(worst, op=dist.ReduceOp.MAX)
    if rank == 0:
        print(f"one process: loss {losses[0]:.4f} before and {losses[-1]:.4f} after {STEPS} steps")
        print(f"{ranks} processes: the weights differ from these by at most {worst.item():.1e}")
    dist.destroy_process_group()
    return 0 if worst.item() < 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
