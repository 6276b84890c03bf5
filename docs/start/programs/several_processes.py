"""Train one network on several processes.

``python -m minitorch run --nproc-per-node 2 docs/start/programs/several_processes.py``
"""

import minitorch as torch
import minitorch.distributed as dist
from minitorch.nn.parallel import DistributedDataParallel
from minitorch.utils.data import DataLoader, TensorDataset
from minitorch.utils.data.distributed import DistributedSampler

# docs: group
dist.init_process_group("mpi")
rank, ranks = dist.get_rank(), dist.get_world_size()
# docs: end

# docs: data
generator = torch.Generator().manual_seed(0)
x = torch.randn(1024, 8, generator=generator)
y = x.sin().sum(1, keepdim=True)
dataset = TensorDataset(x, y)
sampler = DistributedSampler(dataset)
loader = DataLoader(dataset, batch_size=64 // ranks, sampler=sampler)
# docs: end

# docs: model
torch.manual_seed(rank)  # the ranks begin with different weights
model = torch.nn.Sequential(
    torch.nn.Linear(8, 64),
    torch.nn.Tanh(),
    torch.nn.Linear(64, 1),
)
parallel = DistributedDataParallel(model)  # and now have the weights of rank 0
optimizer = torch.optim.Adam(parallel.parameters(), lr=0.01)
# docs: end

# docs: train
for epoch in range(10):
    sampler.set_epoch(epoch)
    total = torch.zeros(())
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = (parallel(inputs) - targets).square().mean()
        loss.backward()
        optimizer.step()
        total += loss.detach()
    dist.all_reduce(total, op=dist.ReduceOp.AVG)
    if rank == 0:
        print(f"epoch {epoch}: loss {total.item() / len(loader):.4f}")
# docs: end

# docs: save
if rank == 0:
    torch.save(model.state_dict(), "model.pt")
dist.barrier()
dist.destroy_process_group()
# docs: end
