"""What collectives write, for every rank; runs on PyTorch and on minitorch."""

import json
import sys
from pathlib import Path

import torch
import torch.distributed as dist
import torch.distributed.nn as dist_nn

R = dist.ReduceOp
FLOATS = ["float32", "float64", "float16", "bfloat16"]
INTEGERS = ["int64", "int32", "uint8", "int8"]


def plain(value):
    """Return a value as JSON can hold it."""
    if isinstance(value, torch.Tensor):
        if value.is_sparse:
            value = value.coalesce()
            return ["sparse", plain(value.indices()), plain(value.values()), list(value.shape)]
        if value.is_complex():
            value = torch.view_as_real(value)
        return [str(value.dtype), list(value.shape), value.reshape(-1).tolist()]
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


def derivatives(rank, size, numbers):
    """Return results and gradients of the collectives that have derivatives."""
    functions = {
        "all_reduce": dist_nn.all_reduce,
        "broadcast": lambda x: dist_nn.broadcast(x, 1),
        "reduce": lambda x: dist_nn.reduce(x, 1) if rank == 1 else 0 * dist_nn.reduce(x, 1),
        "all_gather": lambda x: torch.stack(dist_nn.all_gather(x)),
        "gather": lambda x: torch.stack(dist_nn.gather(x, 2)),
        "scatter": lambda x: dist_nn.scatter([x, 2 * x, 3 * x], 1),
        "reduce_scatter": lambda x: dist_nn.reduce_scatter(torch.empty(3), [x, 2 * x, 3 * x]),
        "all_to_all": lambda x: torch.stack(
            dist_nn.all_to_all([torch.empty(3) for _ in range(size)], [x, 2 * x, 3 * x])
        ),
        "all_to_all_single": lambda x: dist_nn.all_to_all_single(torch.empty(3), x),
    }
    found = []
    for name, function in functions.items():
        x = numbers(3).requires_grad_()
        y = function(x)
        (y * (rank + 1) * torch.arange(1.0, 1 + y.numel()).reshape(y.shape)).sum().backward()
        found.append([name, y.detach(), x.grad])
    return found


def main(folder):
    dist.init_process_group("gloo")
    rank, size = dist.get_rank(), dist.get_world_size()
    found = {}

    def numbers(*shape, dtype="float32", shift=0):
        count = torch.Size(shape).numel()
        return (
            ((torch.arange(count) * (rank + 2) + shift + rank) % 7)
            .reshape(shape)
            .to(getattr(torch, dtype))
        )

    for dtype in FLOATS + INTEGERS:
        for op in ("SUM", "PRODUCT", "MIN", "MAX"):
            tensor = numbers(5, dtype=dtype)
            dist.all_reduce(tensor, getattr(R, op))
            found[f"all_reduce {dtype} {op}"] = tensor
        tensor = numbers(4, dtype=dtype)
        dist.reduce(tensor, 1)
        found[f"reduce {dtype}"] = tensor if rank == 1 else None
        tensor = numbers(3, 2, dtype=dtype)
        dist.broadcast(tensor, 2)
        found[f"broadcast {dtype}"] = tensor
        output = numbers(2, dtype=dtype)
        dist.reduce_scatter(output, [numbers(2, dtype=dtype, shift=i) for i in range(size)])
        found[f"reduce_scatter {dtype}"] = output
    for op in ("BAND", "BOR", "BXOR"):
        tensor = numbers(6, dtype="int64")
        dist.all_reduce(tensor, getattr(R, op))
        found[f"all_reduce {op}"] = tensor
    tensor = numbers(6, dtype="bool")
    dist.all_reduce(tensor)
    found["all_reduce bool"] = tensor
    for dtype in ("complex64", "complex128"):
        tensor = numbers(3, dtype=dtype) * (1 + 2j)
        dist.all_reduce(tensor)
        found[f"all_reduce {dtype}"] = tensor
    for shape in ((), (0,), (2, 0, 3)):
        tensor = torch.full(shape, float(rank))
        dist.all_reduce(tensor)
        found[f"all_reduce of shape {shape}"] = tensor
    tensor = numbers(4, 3).t()
    dist.all_reduce(tensor)
    found["all_reduce not contiguous"] = tensor
    tensor = numbers(4, 3).t()
    dist.broadcast(tensor, 1)
    found["broadcast not contiguous"] = tensor
    leaf = numbers(3).requires_grad_()
    dist.all_reduce(leaf)
    found["all_reduce of a leaf"] = [leaf.detach(), leaf.requires_grad, leaf.grad_fn is None]
    sparse = torch.sparse_coo_tensor([[rank, 3]], [1.0, 2.0], (5,))
    dist.all_reduce(sparse)
    found["all_reduce sparse"] = sparse
    # longer than one part, and not divisible by the ranks
    for count in (5_001, 700_003):
        tensor = (torch.arange(count, dtype=torch.float64) % 1000) * (rank + 1)
        dist.all_reduce(tensor)
        wanted = (torch.arange(count, dtype=torch.float64) % 1000) * (size * (size + 1) // 2)
        found[f"all_reduce of {count}"] = bool(torch.equal(tensor, wanted))

    tensors = [torch.zeros(2, 2) for _ in range(size)]
    dist.all_gather(tensors, numbers(2, 2))
    found["all_gather"] = tensors
    output = torch.zeros(2 * size, 3)
    dist.all_gather_single(output, numbers(2, 3))
    found["all_gather_single"] = output
    output = torch.zeros(2)
    dist.reduce_scatter_single(output, numbers(2 * size))
    found["reduce_scatter_single"] = output
    tensors = [torch.zeros(3) for _ in range(size)] if rank == 2 else None
    dist.gather(numbers(3), tensors, dst=2)
    found["gather"] = tensors
    output = torch.zeros(3)
    dist.scatter(output, [numbers(3, shift=i) for i in range(size)] if rank == 1 else None, src=1)
    found["scatter"] = output
    output = torch.zeros(2 * size)
    dist.all_to_all_single(output, numbers(2 * size))
    found["all_to_all_single"] = output
    # rank i sends j + 1 rows to rank j
    output = torch.zeros((rank + 1) * size, 2)
    splits = list(range(1, size + 1))
    dist.all_to_all_single(output, numbers(sum(splits), 2), [rank + 1] * size, splits)
    found["all_to_all_single with sizes"] = output
    outputs = [torch.zeros(2) for _ in range(size)]
    dist.all_to_all(outputs, [numbers(2, shift=i) for i in range(size)])
    found["all_to_all"] = outputs

    works = [dist.all_reduce(numbers(3, shift=i), async_op=True) for i in range(4)]
    doubled = works[2].get_future().then(lambda future: 2 * future.value()[0])
    found["waits"] = [work.wait() for work in works]
    found["completed"] = [[w.is_completed(), w.is_success(), w.result()] for w in works]
    found["then"] = doubled.wait()
    tensors = [torch.zeros(2) for _ in range(size)]
    work = dist.all_gather(tensors, numbers(2), async_op=True)
    work.wait()
    found["async all_gather"] = tensors

    after, before = (rank + 1) % size, (rank - 1) % size
    received = torch.zeros(4)
    request = dist.isend(numbers(4), after)
    sender = dist.recv(received, before)
    request.wait()
    found["isend, recv"] = [received, sender]
    works = dist.batch_isend_irecv(
        [dist.P2POp(dist.isend, numbers(2), after), dist.P2POp(dist.irecv, received[:2], before)]
    )
    for work in works:
        work.wait()
    found["batch_isend_irecv"] = received
    if rank == 0:
        received = torch.zeros(2)
        first = dist.recv(received, tag=7)
        found["recv from any"] = [first in (1, 2), received[0].item() == first]
        found["recv from the other"] = dist.recv(received, tag=7) == 3 - first
    else:
        dist.send(torch.full((2,), float(rank)), 0, tag=7)

    found["derivatives"] = derivatives(rank, size, numbers)

    objects = [None] * size
    dist.all_gather_object(objects, {"rank": rank})
    found["all_gather_object"] = objects
    objects = [rank, "a", None] if rank == 0 else [None] * 3
    dist.broadcast_object_list(objects, src=0)
    found["broadcast_object_list"] = objects
    objects = [None] * size if rank == 1 else None
    dist.gather_object((rank, "x"), objects, dst=1)
    found["gather_object"] = objects
    objects = [None]
    dist.scatter_object_list(objects, [f"for {i}" for i in range(size)] if rank == 0 else None)
    found["scatter_object_list"] = objects
    objects = [None, None]
    if rank == 0:
        dist.send_object_list([1, "two"], dst=1)
    elif rank == 1:
        found["recv_object_list"] = [dist.recv_object_list(objects, src=0), objects]

    pair = dist.new_group([2, 0])
    found["ranks of a group"] = [dist.get_rank(pair), dist.get_world_size(pair)]
    if rank != 1:
        tensor = numbers(3)
        dist.all_reduce(tensor, group=pair)
        root = numbers(3)
        dist.broadcast(root, 2, group=pair)
        output = torch.zeros(3)
        dist.scatter(output, [numbers(3), numbers(3, shift=1)] if rank == 0 else None, 0, pair)
        found["operations of a group"] = [tensor, root, output]
        found["members"] = [
            dist.get_process_group_ranks(pair),
            dist.get_global_rank(pair, 1),
            dist.get_group_rank(pair, 2),
        ]
    mine, groups = dist.new_subgroups_by_enumeration([[0, 1], [2]])
    found["subgroups"] = [dist.get_world_size(mine), len(groups)]
    dist.barrier()
    dist.monitored_barrier()
    dist.destroy_process_group()
    found["initialized at the end"] = dist.is_initialized()
    text = json.dumps({name: plain(value) for name, value in found.items()})
    Path(folder, f"{rank}.json").write_text(text)


if __name__ == "__main__":
    main(sys.argv[1])
