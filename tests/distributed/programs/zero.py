"""Train with ZeroRedundancyOptimizer on two ranks, and write what each rank sees to FOLDER/RANK.json."""

import json
import sys
import warnings
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel
from torch.optim.lr_scheduler import StepLR

KINDS = [
    (torch.optim.Adam, {}),
    (torch.optim.SGD, {"momentum": 0.9}),
    (torch.optim.AdamW, {"parameters_as_bucket_view": True}),
]


def lists(value):
    """Return tensors inside of dicts and lists as lists."""
    if isinstance(value, torch.Tensor):
        return value.tolist()
    if isinstance(value, dict):
        return {str(key): lists(item) for key, item in value.items()}
    return [lists(item) for item in value] if isinstance(value, (list, tuple)) else value


def train(kind, options, rank):
    """Train, save the state on rank 1, load it everywhere, and go on; return what this rank sees."""
    seen = []
    model = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 2))
    for k, parameter in enumerate(model.parameters()):
        values = torch.arange(parameter.numel()).view(parameter.size()) + k
        parameter.data = (values * 0.7).sin().to(parameter)
    model = DistributedDataParallel(model)
    x = torch.ones(4, 3) * (rank + 1)

    def loss():
        optimizer.zero_grad()
        value = model(x).pow(2).sum()
        value.backward()
        seen.append(value.item())
        return value

    optimizer = ZeroRedundancyOptimizer(model.parameters(), kind, lr=0.02, **options)
    scheduler = StepLR(optimizer, 1, 0.5)
    for _ in range(3):
        loss()
        optimizer.step()
        scheduler.step()
    seen.append(lists(list(model.parameters())))
    seen.append([len(group["params"]) for group in optimizer.optim.param_groups])
    optimizer.consolidate_state_dict(to=1)
    try:
        state = optimizer.state_dict()
        seen.append(lists(state))
    except RuntimeError as error:
        state = None
        seen.append(str(error))
    states = [state]
    dist.broadcast_object_list(states, src=1)
    optimizer = ZeroRedundancyOptimizer(model.parameters(), kind, lr=0.3, **options)
    optimizer.load_state_dict(states[0])
    loss()
    optimizer.step()
    optimizer.step(loss)
    optimizer.add_param_group({"params": nn.Linear(3, 3).parameters(), "lr": 0.1})
    seen.append([len(group["params"]) for group in optimizer.optim.param_groups])
    seen.append([group["lr"] for group in optimizer.param_groups])
    seen.append(lists(list(model.parameters())))
    return seen


def main():
    """Train with each kind of optimizer."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    seen = [train(kind, options, rank) for kind, options in KINDS]
    Path(sys.argv[1], f"{rank}.json").write_text(json.dumps(seen))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
