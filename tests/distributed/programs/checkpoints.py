"""Save and load checkpoints on several ranks: ``checkpoints.py FOLDER OUTPUT [part | metadata]``.

With a third argument, the last save is killed: rank 1 while it writes its part, or rank 0 just before the new metadata counts.
"""

import json
import os
import signal
import sys
import warnings
from pathlib import Path

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as checkpoint
from torch.distributed.checkpoint import filesystem


class Deadly:
    """An object whose pickling kills the process."""

    def __reduce__(self):
        os.kill(os.getpid(), signal.SIGKILL)


class Counter:
    """An object with a state."""

    def __init__(self, count):
        self.count = count

    def state_dict(self):
        """Return the state."""
        return {"count": self.count}

    def load_state_dict(self, state_dict):
        """Take over a state."""
        self.count = state_dict["count"]


def state(value, rank):
    """Return a state dict whose tensors all have the same value; one name is on this rank only."""
    return {
        "model": {f"layer{k}": torch.full((k + 1, 3), float(value)) for k in range(4)},
        "view": torch.full((1000,), float(value))[:2],
        "groups": [{"lr": value / 10, "names": ["a", "b"]}],
        "counter": Counter(value),
        f"of rank {rank}": torch.full((rank + 1,), float(value)),
    }


def values_of(state):
    """Return a state dict as JSON can have it."""
    if isinstance(state, torch.Tensor):
        return state.tolist()
    if isinstance(state, Counter):
        return state.count
    if isinstance(state, dict):
        return {key: values_of(value) for key, value in state.items()}
    return [values_of(value) for value in state] if isinstance(state, list) else state


def failure(call):
    """Return what an exception of a call says of each rank that failed."""
    try:
        call()
    except checkpoint.CheckpointException as error:
        return {rank: f"{type(e).__name__}: {e}" for rank, (e, _) in error.failures.items()}
    return None


def main():
    """Save twice, load, provoke errors, and perhaps save a third time."""
    folder, output, *death = sys.argv[1:]
    warnings.simplefilter("ignore")
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    for value in (1, 2):
        metadata = checkpoint.save(state(value, rank), checkpoint_id=folder)
    loaded = state(0, rank)
    checkpoint.load(loaded, checkpoint_id=folder)
    mine = {"model": {"layer0": torch.zeros(1, 3)}}
    if rank:
        mine["nothing"] = torch.zeros(1)
    shapes = {"model": {"layer0": torch.zeros(2 + rank)}}
    results = {
        "metadata": metadata,
        "files": sorted(os.listdir(folder)),
        "loaded": values_of(loaded),
        "missing": failure(lambda: checkpoint.load(mine, checkpoint_id=folder)),
        "unchanged": mine["model"]["layer0"].tolist(),
        "shapes": failure(lambda: checkpoint.load(shapes, checkpoint_id=folder)),
        "no folder": failure(lambda: checkpoint.load(mine, checkpoint_id=folder + "nothing")),
    }
    Path(output, f"{rank}.json").write_text(json.dumps(results))
    if not death:
        return dist.destroy_process_group()
    last = state(3, rank)
    if death == ["part"]:
        if rank == 1:
            last["deadly"] = Deadly()
    elif rank == 0:

        def replace(path, target, original=Path.replace):
            if Path(target).name == filesystem.METADATA:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(path, target)

        Path.replace = replace
    checkpoint.save(last, checkpoint_id=folder)


if __name__ == "__main__":
    main()
