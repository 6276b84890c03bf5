"""What wrong arguments of collectives raise, on two ranks; runs on PyTorch and on minitorch."""

import json
import sys
import time
import warnings
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as dist
from torch import ones

R = dist.ReduceOp


def outcome(function):
    """Return what a call returns or raises, as text."""
    try:
        return repr(function())
    except Exception as error:  # noqa: BLE001 (all are compared)
        return f"{type(error).__name__}: {error}"


def before():
    """Return the cases without a process group."""
    return {
        "all_reduce without a group": lambda: dist.all_reduce(ones(1)),
        "get_rank without a group": dist.get_rank,
        "get_world_size without a group": dist.get_world_size,
        "get_backend without a group": dist.get_backend,
        "destroy_process_group without a group": dist.destroy_process_group,
        "new_group without a group": dist.new_group,
        "unknown backend": lambda: dist.init_process_group("foo"),
        "timeout of a wrong type": lambda: dist.init_process_group("gloo", timeout=3),
        "backend of a wrong type": lambda: dist.init_process_group(3),
        "unknown method": lambda: dist.init_process_group("gloo", init_method="foo://x"),
        "names of operations": lambda: [str(R.SUM), repr(R.MAX), R(R.MIN) == R.MIN],
        "local rank": dist.get_node_local_rank,
        "launched": lambda: [dist.is_torchelastic_launched(), dist.group.WORLD],
    }


def with_group(rank, size):
    """Return the cases with a process group."""
    other = 1 - rank
    world = dist.group.WORLD
    return {
        "second init": lambda: dist.init_process_group("gloo"),
        "backend": lambda: [dist.get_backend(), world.name(), world.size(), world.group_desc],
        "all_reduce of a number": lambda: dist.all_reduce(3),
        "all_reduce of a list": lambda: dist.all_reduce([ones(3)]),
        "BAND of floats": lambda: dist.all_reduce(ones(2), R.BAND),
        "MAX of complex": lambda: dist.all_reduce(ones(2, dtype=torch.complex64), R.MAX),
        "broadcast from nowhere": lambda: dist.broadcast(ones(2)),
        "broadcast from two": lambda: dist.broadcast(ones(2), 0, group_src=0),
        "broadcast from 9": lambda: dist.broadcast(ones(2), 9),
        "reduce to 9": lambda: dist.reduce(ones(2), 9),
        "all_gather into a short list": lambda: dist.all_gather([ones(2)], ones(2)),
        "all_gather into other shapes": lambda: dist.all_gather([ones(3)] * size, ones(2)),
        "all_gather into other dtypes": lambda: dist.all_gather(
            [ones(2)] * size, ones(2, dtype=torch.float64)
        ),
        "all_gather into a tensor": lambda: dist.all_gather(ones(2), ones(2)),
        "all_gather into numbers": lambda: dist.all_gather([3], ones(2)),
        "reduce_scatter of a short list": lambda: dist.reduce_scatter(ones(2), [ones(2)]),
        "gather without a list": lambda: dist.gather(ones(2), None, rank),
        "gather with two lists": lambda: dist.gather(ones(2), [ones(2)] * size, other),
        "gather into a short list": lambda: dist.gather(ones(2), [ones(2)], rank),
        "gather into other shapes": lambda: dist.gather(ones(2), [ones(3)] * size, rank),
        "scatter without a list": lambda: dist.scatter(ones(2), None, rank),
        "scatter with two lists": lambda: dist.scatter(ones(2), [ones(2)] * size, other),
        "scatter of a short list": lambda: dist.scatter(ones(2), [ones(2)], rank),
        "scatter of other shapes": lambda: dist.scatter(ones(2), [ones(3)] * size, rank),
        "all_to_all with short lists": lambda: dist.all_to_all([ones(2)], [ones(2)]),
        "all_to_all of a tensor": lambda: dist.all_to_all(ones(2), [ones(2)]),
        "sizes with another sum": lambda: dist.all_to_all_single(ones(4), ones(4), [1, 1], [2, 2]),
        "too few sizes": lambda: dist.all_to_all_single(ones(4), ones(4), [4], [4]),
        "other dtypes": lambda: dist.all_to_all_single(ones(4), ones(4, dtype=torch.float64)),
        "send to itself": lambda: dist.send(ones(2), rank),
        "send a number": lambda: dist.send(3, other),
        "send to nowhere": lambda: dist.isend(ones(2)),
        "send what is not contiguous": lambda: dist.send(ones(2, 3).t(), other),
        "no messages": lambda: dist.batch_isend_irecv([]),
        "messages of numbers": lambda: dist.batch_isend_irecv([3]),
        "a message that is none": lambda: dist.P2POp(dist.broadcast, ones(2), other),
        "group of -1": lambda: dist.new_group([-1]),
        "group of 9": lambda: dist.new_group([9]),
        "group of 0 and 0": lambda: dist.new_group([0, 0]),
        "group of too many": lambda: dist.new_group([0, 1, 2]),
        "subgroups of 3": lambda: dist.new_subgroups(3),
        "subgroups of 0": lambda: dist.new_subgroups(0),
        "subgroups of None": lambda: dist.new_subgroups_by_enumeration(None),
        "subgroups twice": lambda: dist.new_subgroups_by_enumeration([[0], [0]]),
        "rank of 7": lambda: [dist.get_global_rank(world, 7), dist.get_group_rank(world, 7)],
        "all_gather_object into a short list": lambda: dist.all_gather_object([None], 3),
        "scatter_object_list into nothing": lambda: dist.scatter_object_list([], [1, 2], 0),
        "gather_object without a list": lambda: dist.gather_object(1, None, rank),
        "gather_object with two lists": lambda: dist.gather_object(1, [1] * size, other),
        "sender of a reduction": lambda: dist.all_reduce(ones(2), async_op=True).source_rank(),
        "in no group": lambda: not_a_member(dist.new_group([0])),
        "destroy what is no group": lambda: dist.destroy_process_group(3),
        "barrier": dist.barrier,
    }


def not_a_member(group):
    return [
        dist.get_rank(group),
        dist.get_world_size(group),
        dist.all_reduce(ones(2), group=group),
        dist.broadcast(ones(2), 0, group=group),
        dist.barrier(group=group),
    ]


def main(folder):
    warnings.simplefilter("ignore")
    found = {name: outcome(function) for name, function in before().items()}
    dist.init_process_group("gloo", timeout=timedelta(seconds=60))
    rank, size = dist.get_rank(), dist.get_world_size()
    found |= {name: outcome(function) for name, function in with_group(rank, size).items()}
    late = timedelta(seconds=1)
    found["monitored_barrier without rank 1"] = (
        outcome(lambda: dist.monitored_barrier(timeout=late)).split("\n")[0] if rank == 0 else None
    )
    Path(folder, f"{rank}.json").write_text(json.dumps(found))
    while not Path(
        folder, "0.json"
    ).exists():  # Gloo aborts if rank 1 ends while rank 0 waits for it
        time.sleep(0.05)


if __name__ == "__main__":
    main(sys.argv[1])
