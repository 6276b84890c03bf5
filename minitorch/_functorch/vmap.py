"""`vmap`: applies a function of samples to batches."""

from minitorch._functorch import batching  # noqa: F401  (it registers the batching rules)
from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.levels import Level, unwrap_dead, wrap_tensor
from minitorch.autograd.vmap_steps import (
    create_batched_inputs,
    get_name,
    process_batched_inputs,
    remove_batch_dim,
    unwrapped,
)
from minitorch.core.lazy import lazy_attributes
from minitorch.random import get_rng_state, set_rng_state
from minitorch.utils._pytree import (
    _broadcast_to_and_flatten,
    tree_flatten,
    tree_map_,
    tree_unflatten,
)

# Note [Names of vmap]
# Containers of tensors that are vmapped as a whole (tensordict) import these functions by their
# private names, and replace three of them: `_process_batched_inputs`, `_create_batched_inputs` and
# `_unwrap_batched`. Their `level` argument is passed through unchanged.
_get_name = get_name
_process_batched_inputs = process_batched_inputs
_create_batched_inputs = create_batched_inputs


def _add_batch_dim(self, batch_dim, level):
    """Wrap a batch in a tensor with the shape of a sample."""
    return wrap_tensor(unwrap_dead(self), level, batch_dim)


def _remove_batch_dim(self, level, batch_size, out_dim):
    """Return the batch that a tensor of the level wraps."""
    return remove_batch_dim(self, level, out_dim)


def _maybe_remove_batch_dim(name, batched_output, vmap_level, batch_size, out_dim):
    """Return an output as the caller of `vmap` sees it."""
    if out_dim is None:
        if (
            isinstance(batched_output, Tensor)
            and unwrapped(batched_output, vmap_level)[1] is not None
        ):
            raise ValueError(
                f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None"
            )
        return batched_output
    if not isinstance(batched_output, Tensor):
        raise ValueError(
            f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(batched_output)}. Did you "
            "mean to set out_dims= to None for output?"
        )
    return remove_batch_dim(batched_output, vmap_level, out_dim)


def _unwrap_batched(outputs, out_dims, level, batch_size, func):
    """Return the outputs with the batch in the dimensions that `out_dims` names."""
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
        _maybe_remove_batch_dim(name, output, level, batch_size, out_dim)
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


def vmap_impl(func, in_dims, out_dims, randomness, chunk_size, *args, **kwargs):
    """Call `func` on the batches `args`; see `minitorch.func.vmap`."""
    _check_out_dims_is_int_or_int_pytree(out_dims, func)
    batch_size, flat_in_dims, flat_args, spec = _process_batched_inputs(in_dims, args, func)
    if chunk_size is None:
        return _flat_vmap(
            func, batch_size, flat_in_dims, flat_args, spec, out_dims, randomness, kwargs
        )
    sizes = [min(chunk_size, batch_size - start) for start in range(0, batch_size, chunk_size)]
    pieces = _pieces(flat_in_dims, flat_args, sizes)
    return chunked(func, flat_in_dims, pieces, spec, out_dims, randomness, kwargs)


def chunks_impl(func, in_dims, out_dims, randomness, chunks, *args, **kwargs):
    """Call `func` on the batch in `chunks` pieces, split as `Tensor.chunk` does."""
    _, flat_in_dims, flat_args, spec = _process_batched_inputs(in_dims, args, func)
    pieces = zip(
        *(
            [arg] * chunks if dim is None else arg.chunk(chunks, dim)
            for arg, dim in zip(flat_args, flat_in_dims, strict=True)
        ),
        strict=False,
    )
    return chunked(func, flat_in_dims, pieces, spec, out_dims, randomness, kwargs)


# docs: transform, vmap
def _flat_vmap(func, batch_size, flat_in_dims, flat_args, spec, out_dims, randomness, kwargs):
    with Level("vmap", batch_size, randomness) as level:
        outputs = func(*_create_batched_inputs(flat_in_dims, flat_args, level, spec), **kwargs)
        return _unwrap_batched(outputs, out_dims, level, batch_size, func)


# docs: end


def _pieces(flat_in_dims, flat_args, sizes):
    """Yield the arguments of one chunk after the other."""
    start = 0
    for size in sizes:
        yield [
            arg if dim is None else arg.narrow(dim, start, size)
            for arg, dim in zip(flat_args, flat_in_dims, strict=True)
        ]
        start += size


def chunked(func, flat_in_dims, pieces, spec, out_dims, randomness, kwargs):
    """Call `func` on one piece of the batch after the other, and concatenate the results."""
    results = []
    state = get_rng_state() if randomness == "same" else None
    for flat_args in pieces:
        size = next(
            a.size(d) for a, d in zip(flat_args, flat_in_dims, strict=True) if d is not None
        )
        if state is not None:
            set_rng_state(state)
        results.append(
            _flat_vmap(func, size, flat_in_dims, flat_args, spec, out_dims, randomness, kwargs)
        )
    return _joined(results, out_dims)


def _joined(results, out_dims):
    """Concatenate the results of chunks along the batch dimensions."""
    if not results:
        raise AssertionError("arg_spec must not be None")
    flat = [tree_flatten(result) for result in results]
    spec = flat[0][1]
    dims = _broadcast_to_and_flatten(out_dims, spec)
    joined = [
        _ops.cat(list(parts), dim=dim)
        for parts, dim in zip(zip(*(leaves for leaves, _ in flat), strict=True), dims, strict=True)
    ]
    return tree_unflatten(joined, spec)


def check_randomness_arg(randomness):
    """Raise an error for an unknown `randomness`."""
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}"
        )


# they are defined in a module that imports `vmap_impl` from here
__getattr__ = lazy_attributes(
    __name__,
    names=dict.fromkeys(
        ("restore_vmap", "unwrap_batched", "wrap_batched"),
        "minitorch._functorch._vmapped_function",
    ),
)
