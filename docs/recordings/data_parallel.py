import minitorch as torch
import minitorch.distributed as dist
from minitorch.nn.parallel import DistributedDataParallel

dist.init_process_group("mpi")
rank = dist.get_rank()

model = torch.nn.Sequential(
    torch.nn.Linear(2, 2, bias=False),
    torch.nn.Linear(2, 1, bias=False),
)
torch.nn.init.ones_(model[0].weight)
torch.nn.init.ones_(model[1].weight)
parallel = DistributedDataParallel(model, bucket_cap_mb=1e-6)

x = torch.tensor([[1.0, 2.0]]) * (rank + 1)
loss = parallel(x).sum()
loss.backward()

dist.destroy_process_group()
