"""Train with the example's Trainer and write the losses: ``interrupted.py FOLDER OUTPUT [STEP]``.

With STEP, rank 1 is killed in the backward pass of that step. Without, the program goes on after the last checkpoint.
"""

import importlib.util
import json
import os
import signal
import sys
import warnings
from pathlib import Path

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

STEPS = 6


def example():
    """Return the module of the example."""
    path = Path(__file__).parents[3] / "examples" / "distributed" / "transformer_trainer.py"
    spec = importlib.util.spec_from_file_location("transformer_trainer", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    """Train, with a checkpoint every second step."""
    folder, output, *death = sys.argv[1:]
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    dist.init_process_group("gloo")
    module, rank = example(), dist.get_rank()
    torch.manual_seed(0)
    model = DistributedDataParallel(module.Model(width=8, heads=2, layers=1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=STEPS)
    trainer = module.Trainer(model, optimizer, scheduler, folder)
    trainer.resume()

    def die(gradient):
        if death and rank == 1 and trainer.step == int(death[0]):
            os.kill(os.getpid(), signal.SIGKILL)

    # a gradient in the middle of the graph
    next(model.module.layers.parameters()).register_hook(die)
    losses = {}
    while trainer.step < STEPS:
        number = trainer.step
        losses[number] = trainer.train_step(rank, batch_size=4, accumulate=2)
        if trainer.step % 2 == 0:
            trainer.save()
        if rank == 0:
            Path(output).write_text(json.dumps(losses))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
