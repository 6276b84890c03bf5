"""Collective operations on tensors.

Each checks its arguments, describes itself in a tuple that has to be the same on all ranks, and gives `worker`
a function that calls MPI on the memory of the tensors. Contiguous tensors are not copied.
"""

import warnings

from minitorch._sparse.constructor import sparse_coo_tensor
from minitorch.autograd import no_grad
from minitorch.autograd.functions.tensor_methods import cat
from minitorch.distributed import mpi
from minitorch.distributed._arguments import (
    _check_given_to_root,
    _check_single_tensor,
    _check_tensor_list,
    _contiguous,
    _copy,
    _describe,
    _ensure_all_tensors_same_dtype,
    _flat,
    _stack,
)
from minitorch.distributed.groups import _group_or_default, _is_outside, _root
from minitorch.distributed.process_group import ReduceOp
from minitorch.distributed.reduction import all_reduce_into, reduce_into, reduce_scatter_into
from minitorch.distributed.work import worker

__all__ = [
    "all_gather",
    "all_gather_into_tensor",
    "all_gather_single",
    "all_reduce",
    "all_to_all",
    "all_to_all_single",
    "barrier",
    "broadcast",
    "gather",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_tensor",
    "reduce_scatter_single",
    "scatter",
]


def _check_complex(name, tensor, op):
    if tensor.is_complex() and op not in (ReduceOp.SUM, ReduceOp.AVG, ReduceOp.PREMUL_SUM):
        raise ValueError(f"{name} does not support {op} on complex tensors")


def _warn_of_new_name(old, new):
    warnings.warn(
        f"`torch.distributed.{old}` is deprecated. Please use `torch.distributed.{new}` instead.",
        FutureWarning,
        stacklevel=3,
    )


def all_reduce(tensor, op=ReduceOp.SUM, group=None, async_op=False):
    """Reduce a tensor over all ranks, in place; every rank gets the result.

    Parameters
    ----------
    tensor : Tensor
        Of the same shape and dtype on all ranks.
    op : ReduceOp
    group : ProcessGroup, optional
        The default group if not given.
    async_op : bool
        Return a `Work` at once, instead of waiting for the result.

    Returns
    -------
    Work or None

    Raises
    ------
    RuntimeError
        On every rank, if the ranks call different operations or tensors differ in shape or dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> x = torch.tensor([1.0, 2.0])
    >>> dist.all_reduce(x)  # with one rank, the sum is x itself
    >>> x
    tensor([1., 2.])
    >>> work = dist.all_reduce(x, op=dist.ReduceOp.MAX, async_op=True)
    >>> work.wait()
    True
    >>> dist.destroy_process_group()
    """
    _check_single_tensor(tensor, "tensor")
    if _is_outside(group, "all_reduce"):
        return None
    _check_complex("all_reduce", tensor, op)
    group = _group_or_default(group)

    if tensor.is_sparse:
        return _all_reduce_sparse(tensor, op, group, async_op)

    def operate(description):
        data = _contiguous(tensor)
        all_reduce_into(group.communicator, data, op, description)
        _copy(tensor, data)

    description = _describe("all_reduce", tensor, ("op", op.name))
    return worker.run_unchecked(group, description, operate, [tensor], async_op)


def _all_reduce_sparse(tensor, op, group, async_op):
    """Sum sparse tensors, whose indices may differ between ranks."""
    if op != ReduceOp.SUM:
        raise RuntimeError("unsupported reduction operation")

    def operate():
        with no_grad():
            mine = tensor.detach().coalesce()
            parts = group.comm.allgather((mine.indices(), mine.values()))
            indices, values = zip(*parts, strict=True)
            total = sparse_coo_tensor(cat(indices, 1), cat(values), tensor.shape).coalesce()
            tensor.copy_(total)

    description = _describe("all_reduce", tensor, ("op", op.name), ("layout", "sparse"))
    return worker.run(group, description, operate, [tensor], async_op)


def reduce(tensor, dst=None, op=ReduceOp.SUM, group=None, async_op=False, group_dst=None):
    """Reduce a tensor over all ranks; one rank gets the result.

    Parameters
    ----------
    tensor : Tensor
        Of the same shape and dtype on all ranks. It is written on the destination only.
    dst : int, optional
        The rank of the destination in the default group.
    op : ReduceOp
    group : ProcessGroup, optional
    async_op : bool
    group_dst : int, optional
        The rank of the destination in `group`, instead of `dst`.

    Returns
    -------
    Work or None

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> x = torch.tensor([1.0, 2.0])
    >>> dist.reduce(x, dst=0)
    >>> x
    tensor([1., 2.])
    >>> dist.destroy_process_group()
    """
    _check_single_tensor(tensor, "tensor")
    if _is_outside(group, "reduce"):
        return None
    group = _group_or_default(group)
    root = _root(group, dst, group_dst, of="reduce")
    _check_complex("reduce", tensor, op)

    def operate():
        data = _contiguous(tensor)
        reduce_into(group.communicator, data, op, root)
        if group.rank() == root:
            _copy(tensor, data)

    description = _describe("reduce", tensor, ("op", op.name), ("dst", group.ranks[root]))
    return worker.run(group, description, operate, [tensor], async_op)


def reduce_scatter_single(output, input, op=ReduceOp.SUM, group=None, async_op=False):
    """Reduce a tensor over all ranks, and give each rank its part of the result.

    Parameters
    ----------
    output : Tensor
        The part of this rank, which is written.
    input : Tensor
        As many elements for each rank as `output` has, one part after the other.
    op : ReduceOp
    group : ProcessGroup, optional
    async_op : bool

    Returns
    -------
    Work or None

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> size = dist.get_world_size()
    >>> part = torch.empty(2)
    >>> dist.reduce_scatter_single(part, torch.ones(2 * size))
    >>> part
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    _check_single_tensor(output, "output")
    _check_single_tensor(input, "input")
    if _is_outside(group, "reduce_scatter_single"):
        return None
    _check_complex("reduce_scatter_single", input, op)
    group = _group_or_default(group)
    _check_part(output, input, group, "input", "output")

    def operate():
        data = _contiguous(output)
        reduce_scatter_into(group.communicator, data, _contiguous(input), op)
        _copy(output, data)

    description = _describe("reduce_scatter_single", output, ("op", op.name))
    return worker.run(group, description, operate, [output], async_op)


def reduce_scatter_tensor(output, input, op=ReduceOp.SUM, group=None, async_op=False):
    """Call `reduce_scatter_single`, the new name of this function.

    Parameters
    ----------
    output, input : Tensor
    op : ReduceOp
    group : ProcessGroup, optional
    async_op : bool

    Returns
    -------
    Work or None

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> part = torch.empty(2)
    >>> dist.reduce_scatter_tensor(part, torch.ones(2 * dist.get_world_size()))
    >>> part
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    _warn_of_new_name("reduce_scatter_tensor", "reduce_scatter_single")
    return reduce_scatter_single(output, input, op, group, async_op)


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None, async_op=False):
    """Reduce a list of tensors over all ranks, and give each rank one of the results.

    Parameters
    ----------
    output : Tensor
        The result of this rank, which is written.
    input_list : list of Tensor
        One for each rank, all of the shape of `output`.
    op : ReduceOp
    group : ProcessGroup, optional
    async_op : bool

    Returns
    -------
    Work or None

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> parts = [torch.ones(2) for _ in range(dist.get_world_size())]
    >>> result = torch.empty(2)
    >>> dist.reduce_scatter(result, parts)
    >>> result
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    _check_single_tensor(output, "output")
    _check_tensor_list(input_list, "input_list")
    _ensure_all_tensors_same_dtype(output, input_list)
    if _is_outside(group, "reduce_scatter"):
        return None
    group = _group_or_default(group)
    _check_count(input_list, group, "invalid input tensor list size, must be world size")
    _check_shapes(input_list, output, "reduce_scatter")

    def operate():
        data = _contiguous(output)
        reduce_scatter_into(group.communicator, data, _stack(input_list), op)
        _copy(output, data)

    description = _describe("reduce_scatter", output, ("op", op.name))
    return worker.run(group, description, operate, [output], async_op)


def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    """Copy a tensor of one rank into the tensors of the others.

    Parameters
    ----------
    tensor : Tensor
        Of the same shape and dtype on all ranks.
    src : int, optional
        The rank of the source in the default group.
    group : ProcessGroup, optional
    async_op : bool
    group_src : int, optional
        The rank of the source in `group`, instead of `src`.

    Returns
    -------
    Work or None

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> x = torch.ones(2) if dist.get_rank() == 0 else torch.empty(2)
    >>> dist.broadcast(x, src=0)
    >>> x
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    _check_single_tensor(tensor, "tensor")
    if _is_outside(group, "broadcast"):
        return None
    group = _group_or_default(group)
    root = _root(group, src, group_src, of="broadcast")

    def operate():
        data = _contiguous(tensor)
        group.comm.Bcast(mpi.memory(data), root)
        _copy(tensor, data)

    description = _describe("broadcast", tensor, ("src", group.ranks[root]))
    return worker.run(group, description, operate, [tensor], async_op)


def all_gather(tensor_list, tensor, group=None, async_op=False):
    """Gather the tensors of all ranks in a list on every rank.

    Parameters
    ----------
    tensor_list : list of Tensor
        One tensor for each rank, which is written.
    tensor : Tensor
        Of the same shape and dtype on all ranks.
    group : ProcessGroup, optional
    async_op : bool

    Returns
    -------
    Work or None

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> found = [torch.empty(2) for _ in range(dist.get_world_size())]
    >>> dist.all_gather(found, torch.ones(2))
    >>> found
    [tensor([1., 1.])]
    >>> dist.destroy_process_group()
    """
    _check_tensor_list(tensor_list, "tensor_list")
    _check_single_tensor(tensor, "tensor")
    _ensure_all_tensors_same_dtype(tensor_list, tensor)
    if _is_outside(group, "all_gather"):
        return None
    group = _group_or_default(group)
    _check_count(
        tensor_list,
        group,
        "ProcessGroupMPI::allgather: invalid output tensor list at index 0 "
        "(expected length {size}, got {got})",
    )
    _check_shapes(tensor_list, tensor, "allgather")

    def operate():
        rows = _flat(group.size(), tensor)
        group.comm.Allgather(mpi.memory(_contiguous(tensor)), mpi.memory(rows))
        for target, row in zip(tensor_list, rows, strict=True):
            _copy(target, row)

    description = _describe("all_gather", tensor)
    return worker.run(group, description, operate, [tensor_list], async_op)


def all_gather_single(output_tensor, input_tensor, group=None, async_op=False):
    """Gather the tensors of all ranks in one tensor on every rank.

    Parameters
    ----------
    output_tensor : Tensor
        Is written: the parts of the ranks, one after the other, in any shape.
    input_tensor : Tensor
        Of the same shape and dtype on all ranks.
    group : ProcessGroup, optional
    async_op : bool

    Returns
    -------
    Work or None

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> found = torch.empty(dist.get_world_size(), 2)
    >>> dist.all_gather_single(found, torch.ones(2))
    >>> found
    tensor([[1., 1.]])
    >>> dist.destroy_process_group()
    """
    _check_single_tensor(input_tensor, "input_tensor")
    _check_single_tensor(output_tensor, "output_tensor")
    if _is_outside(group, "all_gather_single"):
        return None
    group = _group_or_default(group)
    _check_part(input_tensor, output_tensor, group, "output", "input")

    def operate():
        data = _contiguous(output_tensor)
        group.comm.Allgather(mpi.memory(_contiguous(input_tensor)), mpi.memory(data))
        _copy(output_tensor, data)

    description = _describe("all_gather_single", input_tensor)
    return worker.run(group, description, operate, [output_tensor], async_op)


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    """Call `all_gather_single`, the new name of this function.

    Parameters
    ----------
    output_tensor, input_tensor : Tensor
    group : ProcessGroup, optional
    async_op : bool

    Returns
    -------
    Work or None

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> found = torch.empty(dist.get_world_size(), 2)
    >>> dist.all_gather_into_tensor(found, torch.ones(2))
    >>> found
    tensor([[1., 1.]])
    >>> dist.destroy_process_group()
    """
    _warn_of_new_name("all_gather_into_tensor", "all_gather_single")
    return all_gather_single(output_tensor, input_tensor, group, async_op)


def gather(tensor, gather_list=None, dst=None, group=None, async_op=False, group_dst=None):
    """Gather the tensors of all ranks in a list on one rank.

    Parameters
    ----------
    tensor : Tensor
        Of the same shape and dtype on all ranks.
    gather_list : list of Tensor, optional
        One tensor for each rank on the destination, None on the others.
    dst : int, optional
        The rank of the destination in the default group, 0 if not given.
    group : ProcessGroup, optional
    async_op : bool
    group_dst : int, optional
        The rank of the destination in `group`, instead of `dst`.

    Returns
    -------
    Work or None

    Raises
    ------
    ValueError
        If the list is missing on the destination or given on another rank.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> found = None
    >>> if dist.get_rank() == 0:
    ...     found = [torch.empty(2) for _ in range(dist.get_world_size())]
    >>> dist.gather(torch.ones(2), found, dst=0)
    >>> found
    [tensor([1., 1.])]
    >>> dist.destroy_process_group()
    """
    _check_single_tensor(tensor, "tensor")
    gather_list = gather_list or []
    _check_tensor_list(gather_list, "gather_list")
    _ensure_all_tensors_same_dtype(tensor, gather_list)
    if _is_outside(group, "gather"):
        return None
    group = _group_or_default(group)
    root = _root(group, dst, group_dst, default=0, of="gather")
    is_root = group.rank() == root
    _check_list_of_root("gather", gather_list, tensor, group, is_root)

    def operate():
        rows = _flat(group.size(), tensor) if is_root else None
        received = mpi.memory(rows) if is_root else None
        group.comm.Gather(mpi.memory(_contiguous(tensor)), received, root)
        if is_root:
            for target, row in zip(gather_list, rows, strict=True):
                _copy(target, row)

    description = _describe("gather", tensor, ("dst", group.ranks[root]))
    return worker.run(group, description, operate, [gather_list], async_op)


def scatter(tensor, scatter_list=None, src=None, group=None, async_op=False, group_src=None):
    """Give each rank one tensor of a list of one rank.

    Parameters
    ----------
    tensor : Tensor
        Of the same shape and dtype on all ranks; it is written.
    scatter_list : list of Tensor, optional
        One tensor for each rank on the source, None on the others.
    src : int, optional
        The rank of the source in the default group, 0 if not given.
    group : ProcessGroup, optional
    async_op : bool
    group_src : int, optional
        The rank of the source in `group`, instead of `src`.

    Returns
    -------
    Work or None

    Raises
    ------
    ValueError
        If the list is missing on the source or given on another rank.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> parts = None
    >>> if dist.get_rank() == 0:
    ...     parts = [torch.ones(2) for _ in range(dist.get_world_size())]
    >>> x = torch.empty(2)
    >>> dist.scatter(x, parts, src=0)
    >>> x
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    _check_single_tensor(tensor, "tensor")
    scatter_list = scatter_list or []
    _check_tensor_list(scatter_list, "scatter_list")
    _ensure_all_tensors_same_dtype(tensor, scatter_list)
    if _is_outside(group, "scatter"):
        return None
    group = _group_or_default(group)
    root = _root(group, src, group_src, default=0, of="scatter")
    is_root = group.rank() == root
    _check_list_of_root("scatter", scatter_list, tensor, group, is_root)

    def operate():
        data = _contiguous(tensor)
        sent = mpi.memory(_stack(scatter_list)) if is_root else None
        group.comm.Scatter(sent, mpi.memory(data), root)
        _copy(tensor, data)

    description = _describe("scatter", tensor, ("src", group.ranks[root]))
    return worker.run(group, description, operate, [tensor], async_op)


def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    """Send a tensor to each rank, and receive one from each.

    Parameters
    ----------
    output_tensor_list : list of Tensor
        Is written: what the ranks have sent to this one.
    input_tensor_list : list of Tensor
        What is sent to each rank. Its shapes may differ.
    group : ProcessGroup, optional
    async_op : bool

    Returns
    -------
    Work or None

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> size = dist.get_world_size()
    >>> sent = [torch.full((2,), rank) for rank in range(size)]
    >>> received = [torch.empty_like(x) for x in sent]
    >>> dist.all_to_all(received, sent)
    >>> received
    [tensor([0, 0])]
    >>> dist.destroy_process_group()
    """
    if _is_outside(group, "all_to_all"):
        return None
    _check_tensor_list(output_tensor_list, "output_tensor_list")
    _check_tensor_list(input_tensor_list, "input_tensor_list")
    _ensure_all_tensors_same_dtype(output_tensor_list, input_tensor_list)
    group = _group_or_default(group)
    for tensors, way in ((input_tensor_list, "input"), (output_tensor_list, "output")):
        _check_count(
            tensors,
            group,
            f"ProcessGroupMPI::alltoall: {way} tensor list size {{got}} does not match world size {{size}}",
        )

    def operate():
        outputs = [_contiguous(tensor) for tensor in output_tensor_list]
        _exchange(group, outputs, [_contiguous(tensor) for tensor in input_tensor_list])
        for target, data in zip(output_tensor_list, outputs, strict=True):
            _copy(target, data)

    dtype = input_tensor_list[0].dtype
    description = ("all_to_all", ("dtype", str(dtype)))
    return worker.run(group, description, operate, output_tensor_list, async_op)


def _exchange(group, outputs, inputs):
    """Send `inputs` to the ranks, and receive `outputs` from them, after a comparison of sizes."""
    sizes = [tensor.numel() for tensor in inputs]
    announced = group.comm.alltoall(sizes)
    expected = [tensor.numel() for tensor in outputs]
    agree = group.comm.allreduce(int(announced == expected), mpi.start().MIN)
    if not agree:
        raise RuntimeError(
            "The sizes of all_to_all differ between ranks: "
            f"rank {group.ranks[group.rank()]} expects {expected} elements and is sent {announced}"
        )
    me = group.rank()
    requests = [
        group.comm.Irecv(mpi.memory(tensor), rank)
        for rank, tensor in enumerate(outputs)
        if rank != me
    ]
    requests += [
        group.comm.Isend(mpi.memory(tensor), rank)
        for rank, tensor in enumerate(inputs)
        if rank != me
    ]
    _copy(outputs[me].flatten(), inputs[me].flatten())
    mpi.start().Request.Waitall(requests)


def all_to_all_single(
    output,
    input,
    output_split_sizes=None,
    input_split_sizes=None,
    group=None,
    async_op=False,
):
    """Send a part of a tensor to each rank, and receive a part from each.

    Parameters
    ----------
    output : Tensor
        Is written: what the ranks have sent to this one, along the first dimension.
    input : Tensor
        What is sent to the ranks, along the first dimension.
    output_split_sizes, input_split_sizes : list of int, optional
        The sizes of the parts along the first dimension; equal parts if not given.
    group : ProcessGroup, optional
    async_op : bool

    Returns
    -------
    Work or None

    Raises
    ------
    RuntimeError
        If the sizes do not add up, or the ranks' sizes do not fit each other.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> sent = torch.arange(2 * dist.get_world_size())
    >>> received = torch.empty_like(sent)
    >>> dist.all_to_all_single(received, sent)
    >>> received
    tensor([0, 1])
    >>> dist.destroy_process_group()
    """
    if _is_outside(group, "all_to_all_single"):
        return None
    _check_single_tensor(output, "output")
    _check_single_tensor(input, "input")
    _ensure_all_tensors_same_dtype(output, input)
    group = _group_or_default(group)
    output_sizes = _split_sizes(output_split_sizes, output, group)
    input_sizes = _split_sizes(input_split_sizes, input, group)

    def operate():
        data = _contiguous(output)
        with no_grad():
            outputs = list(data.detach().split(output_sizes))
            inputs = list(_contiguous(input).detach().split(input_sizes))
        if output_split_sizes or input_split_sizes:
            _exchange(group, outputs, inputs)
        else:
            group.comm.Alltoall(mpi.memory(_contiguous(input)), mpi.memory(data))
        _copy(output, data)

    if output_split_sizes or input_split_sizes:
        row = tuple(input.shape[1:])
        description = ("all_to_all_single", ("row", row), ("dtype", str(input.dtype)))
    else:
        description = _describe("all_to_all_single", input)
    return worker.run(group, description, operate, [output], async_op)


def _split_sizes(sizes, tensor, group):
    """Return the sizes of the parts of a tensor along its first dimension."""
    length = tensor.shape[0] if tensor.dim() else 1
    if not sizes:
        if length % group.size():
            raise RuntimeError("Tensor's dim 0 does not divide equally across group size")
        return [length // group.size()] * group.size()
    if len(sizes) != group.size():
        raise RuntimeError("Number of tensor splits not equal to group size")
    if sum(sizes) != length:
        raise RuntimeError("Split sizes doesn't match total dim 0 size")
    return list(sizes)


def _check_list_of_root(of, tensors, tensor, group, is_root):
    """Check the list that `gather` and `scatter`, the names in `of`, have on one rank only."""
    _check_given_to_root(of, tensors, is_root)
    if is_root:
        way = "output" if of == "gather" else "input"
        _check_count(
            tensors,
            group,
            f"ProcessGroupMPI::{of}: Incorrect {way} list size {{got}}. {way.capitalize()} list size "
            "should be {size}, same as size of the process group.",
        )
        _check_shapes(tensors, tensor, of)


def _check_count(tensors, group, text):
    """Raise RuntimeError unless there is one tensor for each rank."""
    if len(tensors) != group.size():
        raise RuntimeError(text.format(got=len(tensors), size=group.size()))


def _check_shapes(tensors, tensor, of):
    """Raise RuntimeError unless all tensors have the shape of `tensor`."""
    for index, other in enumerate(tensors):
        if other.shape != tensor.shape:
            raise RuntimeError(
                f"ProcessGroupMPI::{of}: invalid tensor size at index {index} "
                f"(expected {_parenthesized(tensor.shape)}, got {_parenthesized(other.shape)})"
            )


def _parenthesized(shape):
    return f"({', '.join(map(str, shape))})"


def _check_part(part, whole, group, whole_name, part_name):
    """Raise RuntimeError unless `whole` has the elements of `part` for each rank of the group."""
    if part.dtype != whole.dtype:
        raise RuntimeError(f"{whole_name} tensor must have the same type as {part_name} tensor")
    if whole.numel() != part.numel() * group.size():
        raise RuntimeError(
            f"{whole_name} tensor must be the same size as {part_name} tensor size times world size"
        )


def barrier(group=None, async_op=False, device_ids=None, timeout=None):
    """Wait until every rank of the group has called it.

    Parameters
    ----------
    group : ProcessGroup, optional
    async_op : bool
    device_ids : list of int, optional
        Ignored.
    timeout : timedelta, optional
        Ignored: the group's timeout counts.

    Returns
    -------
    Work or None

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> dist.barrier()
    >>> dist.destroy_process_group()
    """
    if _is_outside(group, "barrier"):
        return None
    # the comparison of fingerprints waits for all ranks
    return worker.run(_group_or_default(group), ("barrier",), None, [], async_op)
