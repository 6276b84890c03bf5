"""Trace one backward pass of a DistributedDataParallel module: ``overlap.py FOLDER`` writes FOLDER/RANK.json."""

import json
import sys
import warnings
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

LAYERS = 6


def main():
    """Take one step to warm up, and trace the second."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    model = nn.Sequential(*(nn.Linear(400, 400) for _ in range(LAYERS)))
    parallel = DistributedDataParallel(model, bucket_cap_mb=0.1)  # a bucket for each layer
    x = torch.ones(512, 400)
    parallel(x).sum().backward()
    loss = parallel(x).sum()
    with torch.autograd.trace(dict(model.named_parameters())) as steps:
        loss.backward()
    events = [
        [event.kind, str(event.node or event.detail), event.task is not None]
        for event in steps
        if event.kind in ("apply", "note")
    ]
    rank = dist.get_rank()
    Path(sys.argv[1], f"{rank}.json").write_text(json.dumps(events))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
