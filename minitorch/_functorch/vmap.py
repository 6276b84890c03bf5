"""`vmap`: a function of samples, applied to batches of them."""

import functools

from minitorch._functorch import batching  # noqa: F401  (it registers the batching rules)
from minitorch._functorch.batching._common import unwrapped
from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.interpose import enter_level, exit_level, unwrap_dead, wrap_tensor
from minitorch.utils._pytree import (
    TreeSpec,
    _broadcast_to_and_flatten,
    tree_flatten,
    tree_map_,
    tree_unflatten,
)


def get_name(func):
    """The name of a function in messages."""
    if hasattr(func, "__name__"):
        return func.__name__
    if isinstance(func, functools.partial):
        return f"functools.partial({get_name(func.func)}, ...)"
    return repr(func)


def _batch_size(flat_in_dims, flat_args):
    sizes = [arg.size(dim) for dim, arg in zip(flat_in_dims, flat_args, strict=True) if dim is not None]
    if len(sizes) == 0:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if any(size != sizes[0] for size in sizes):
        raise ValueError(
            f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for "
            "the mapped dimension"
        )
    return sizes[0]


def _process_batched_inputs(in_dims, args, func):
    """(size of the batch, flat in_dims, flat arguments, their structure), or the error of bad ones."""
    call = f"vmap({get_name(func)}, in_dims={in_dims}, ...)(<inputs>)"
    if not isinstance(in_dims, int) and not isinstance(in_dims, tuple):
        raise ValueError(
            f"{call}: expected `in_dims` to be int or a (potentially nested) tuple matching the structure of "
            f"inputs, got: {type(in_dims)}."
        )
    if len(args) == 0:
        raise ValueError(
            f"vmap({get_name(func)})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying "
            "to vmap over a function with no inputs. The latter is unsupported."
        )
    flat_args, spec = tree_flatten(args)
    flat_in_dims = _broadcast_to_and_flatten(in_dims, spec)
    if flat_in_dims is None:
        raise ValueError(
            f"{call}: in_dims is not compatible with the structure of `inputs`. in_dims has structure "
            f"{tree_flatten(in_dims)[1]} but inputs has structure {spec}."
        )
    for index, (arg, dim) in enumerate(zip(flat_args, flat_in_dims, strict=True)):
        if not isinstance(dim, int) and dim is not None:
            raise ValueError(
                f"{call}: Got in_dim={dim} for an input but in_dim must be either an integer dimension or None."
            )
        if isinstance(dim, int) and not isinstance(arg, Tensor):
            raise ValueError(
                f"{call}: Got in_dim={dim} for an input but the input is of type {type(arg)}. We cannot vmap "
                "over non-Tensor arguments, please use None as the respective in_dim"
            )
        if dim is not None and (dim < -arg.dim() or dim >= arg.dim()):
            raise ValueError(
                f"{call}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality "
                f"{arg.dim()} so expected in_dim to satisfy -{arg.dim()} <= in_dim < {arg.dim()}."
            )
        if dim is not None and dim < 0:
            flat_in_dims[index] = dim % arg.dim()
    return _batch_size(flat_in_dims, flat_args), flat_in_dims, flat_args, spec


def _create_batched_inputs(flat_in_dims, flat_args, level, spec):
    batched = [
        arg if dim is None else wrap_tensor(unwrap_dead(arg), level, dim)
        for dim, arg in zip(flat_in_dims, flat_args, strict=True)
    ]
    return tree_unflatten(batched, spec)


def _remove_batch_dim(output, level, out_dim, name, allow_none=False):
    if out_dim is None:
        if isinstance(output, Tensor) and unwrapped(output, level)[1] is not None:
            raise ValueError(
                f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None"
            )
        return output
    if not isinstance(output, Tensor):
        if output is None and allow_none:
            return None
        raise ValueError(
            f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(output)}. Did you mean to set "
            "out_dims= to None for output?"
        )
    value, dim = unwrapped(output, level)
    limit = output.dim() + 1
    if not -limit <= out_dim < limit:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [-{limit}, {limit - 1}], but got {out_dim})"
        )
    if dim is None:
        return value.expand(level.batch_size, *value.shape).movedim(0, out_dim)
    return value if dim == out_dim % limit else value.movedim(dim, out_dim)


def _unwrap_batched(outputs, out_dims, level, func, allow_none=False):
    """The outputs with their batch where `out_dims` says."""
    name = get_name(func)
    flat_outputs, spec = tree_flatten(outputs)

    def incompatible():
        raise ValueError(
            f"vmap({name}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of "
            f"`outputs`. out_dims has structure {tree_flatten(out_dims)[1]} but outputs has structure {spec}."
        )

    if isinstance(outputs, Tensor):
        if isinstance(out_dims, int):
            flat_out_dims = [out_dims]
        elif isinstance(out_dims, tuple) and len(out_dims) == 1:
            flat_out_dims = list(out_dims)
        elif out_dims is None:
            flat_out_dims = [None]
        else:
            incompatible()
    else:
        flat_out_dims = _broadcast_to_and_flatten(out_dims, spec)
        if flat_out_dims is None:
            incompatible()
    flat = [
        _remove_batch_dim(output, level, out_dim, name, allow_none)
        for output, out_dim in zip(flat_outputs, flat_out_dims, strict=True)
    ]
    return tree_unflatten(flat, spec)


def _check_out_dims_is_int_or_int_pytree(out_dims, func):
    if isinstance(out_dims, int):
        return

    def check(dim):
        if not isinstance(dim, (int, type(None))):
            raise ValueError(
                f"vmap({get_name(func)}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a python "
                "collection of ints representing where in the outputs the vmapped dimension should appear."
            )

    tree_map_(check, out_dims)


def _check_randomness_arg(randomness):
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            "Only allowed values for randomness are 'error', 'different', or 'same'. Got " f"{randomness}"
        )


def vmap_impl(func, in_dims, out_dims, randomness, chunk_size, *args, allow_none=False, **kwargs):
    """Call `func` on the batches `args`; see `minitorch.func.vmap`."""
    _check_out_dims_is_int_or_int_pytree(out_dims, func)
    batch_size, flat_in_dims, flat_args, spec = _process_batched_inputs(in_dims, args, func)
    if chunk_size is not None:
        return _chunked(func, flat_in_dims, flat_args, spec, batch_size, out_dims, randomness, chunk_size, kwargs)
    return _flat_vmap(func, batch_size, flat_in_dims, flat_args, spec, out_dims, randomness, kwargs, allow_none)


def _flat_vmap(func, batch_size, flat_in_dims, flat_args, spec, out_dims, randomness, kwargs, allow_none=False):
    level = enter_level("vmap", batch_size, randomness)
    try:
        outputs = func(*_create_batched_inputs(flat_in_dims, flat_args, level, spec), **kwargs)
        return _unwrap_batched(outputs, out_dims, level, func, allow_none)
    finally:
        exit_level(level)


def _chunked(func, flat_in_dims, flat_args, spec, batch_size, out_dims, randomness, chunk_size, kwargs):
    results = []
    for start in range(0, batch_size, chunk_size):
        size = min(chunk_size, batch_size - start)
        pieces = [
            arg if dim is None else arg.narrow(dim, start, size)
            for arg, dim in zip(flat_args, flat_in_dims, strict=True)
        ]
        results.append(_flat_vmap(func, size, flat_in_dims, pieces, spec, out_dims, randomness, kwargs))
    return _joined(results, out_dims)


def _joined(results, out_dims):
    """The results of chunks, one behind the other in the batch's dimension."""
    flat = [tree_flatten(result) for result in results]
    spec: TreeSpec = flat[0][1]
    dims = _broadcast_to_and_flatten(out_dims, spec)
    joined = [
        parts[0] if dim is None else _ops.cat(list(parts), dim)
        for parts, dim in zip(zip(*(leaves for leaves, _ in flat), strict=True), dims, strict=True)
    ]
    return tree_unflatten(joined, spec)
