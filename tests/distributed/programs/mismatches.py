"""Collectives that differ between ranks, on three ranks; each raises on all of them."""

import json
import sys
from pathlib import Path

import torch
import torch.distributed as dist


def main(folder):
    dist.init_process_group("mpi")
    rank = dist.get_rank()
    one = rank == 1
    double = torch.float64 if one else torch.float32
    cases = {
        "shapes": lambda: dist.all_reduce(torch.zeros(2 + one)),
        "dtypes": lambda: dist.all_reduce(torch.zeros(2, dtype=double)),
        "long": lambda: dist.all_reduce(torch.zeros(3_000_000 + one)),
        "roots": lambda: dist.broadcast(torch.zeros(2), int(one)),
        "operators": lambda: dist.all_reduce(
            torch.zeros(2), dist.ReduceOp.MAX if one else dist.ReduceOp.SUM
        ),
        "operations": lambda: (
            dist.all_reduce(torch.zeros(2)) if one else dist.broadcast(torch.zeros(2), 0)
        ),
        "barrier": lambda: dist.barrier() if one else dist.all_gather_object([0, 0, 0], 1),
        "async": lambda: dist.all_reduce(torch.zeros(2 + one), async_op=True).wait(),
        "sizes": lambda: dist.all_to_all_single(
            torch.zeros(3), torch.zeros(3 + one), [1, 1, 1], [1 + one, 1, 1]
        ),
    }
    found = {}
    for name, function in cases.items():
        try:
            function()
        except RuntimeError as error:
            found[name] = str(error)
        tensor = torch.ones(2)
        dist.all_reduce(tensor)
        assert tensor.tolist() == [3.0, 3.0], f"the group is not usable after {name}"
    dist.destroy_process_group()
    Path(folder, f"{rank}.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
