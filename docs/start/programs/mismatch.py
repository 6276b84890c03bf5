"""Add tensors of different shapes on two processes, which is an error on both."""

import textwrap

import minitorch as torch
import minitorch.distributed as dist

dist.init_process_group("mpi")
rank = dist.get_rank()

# docs: sum
try:
    dist.all_reduce(torch.ones(2 + rank))
except RuntimeError as error:
    print(textwrap.fill(f"rank {rank}: {error}", 90))
# docs: end

dist.destroy_process_group()
