"""Code shared by both implementations of `vmap`, and the legacy `_vmap` for `autograd.grad`.

Interface
---------
`minitorch.vmap` is in `_functorch/`. `_vmap` in this module requires flat outputs and can pass None
through. The batching rules and the functions that flatten nested structures are in higher layers,
and are called through `transforms`: see Note [Upward calls] in autograd/upward_calls.pyx.
"""

import functools
import warnings

from minitorch.autograd.by_sample import tell_of_operator
from minitorch.autograd.levels import Level, unwrap_dead, wrap_tensor, wrapped_of
from minitorch.autograd.upward_calls import transforms
from minitorch.autograd.variable import TensorBase
from minitorch.core.tensor_impl import maybe_wrap_dim


def get_name(func):
    """Return the name of a function for error messages."""
    if hasattr(func, "__name__"):
        return func.__name__
    if isinstance(func, functools.partial):
        return f"functools.partial({get_name(func.func)}, ...)"
    return repr(func)


def _batch_size(flat_in_dims, flat_args, may_be_none=False):
    sizes = [
        arg.size(dim) for dim, arg in zip(flat_in_dims, flat_args, strict=True) if dim is not None
    ]
    if not sizes and not may_be_none:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if any(size != sizes[0] for size in sizes):
        raise ValueError(
            f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for "
            "the mapped dimension"
        )
    return sizes[0]


def process_batched_inputs(in_dims, args, func, older=False):
    """Check the inputs; return the batch size, flat in_dims, flat arguments and their structure.

    With `older`, negative dimensions are errors.
    """
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
    flat_args, spec = transforms().flatten(args)
    flat_in_dims = transforms().broadcast_and_flatten(in_dims, spec)
    if flat_in_dims is None:
        raise ValueError(
            f"{call}: in_dims is not compatible with the structure of `inputs`. in_dims has structure "
            f"{transforms().flatten(in_dims)[1]} but inputs has structure {spec}."
        )
    for index, (arg, dim) in enumerate(zip(flat_args, flat_in_dims, strict=True)):
        if not isinstance(dim, int) and dim is not None:
            raise ValueError(
                f"{call}: Got in_dim={dim} for an input but in_dim must be either an integer dimension or None."
            )
        if isinstance(dim, int) and not isinstance(arg, TensorBase):
            raise ValueError(
                f"{call}: Got in_dim={dim} for an input but the input is of type {type(arg)}. We cannot vmap "
                "over non-Tensor arguments, please use None as the respective in_dim"
            )
        lowest = 0 if older or dim is None else -arg.dim()
        if dim is not None and (dim < lowest or dim >= arg.dim()):
            raise ValueError(
                f"{call}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality "
                f"{arg.dim()} so expected in_dim to satisfy {lowest if older else f'-{arg.dim()}'} <= in_dim < "
                f"{arg.dim()}."
            )
        if dim is not None and dim < 0:
            flat_in_dims[index] = dim % arg.dim()
    return _batch_size(flat_in_dims, flat_args, older), flat_in_dims, flat_args, spec


def create_batched_inputs(flat_in_dims, flat_args, level, spec):
    """Return the arguments; those with a batch dimension are wrapped for `level`."""
    batched = [
        arg if dim is None else wrap_tensor(unwrap_dead(arg), level, dim)
        for dim, arg in zip(flat_in_dims, flat_args, strict=True)
    ]
    return transforms().unflatten(batched, spec)


def unwrapped(t, level):
    """Return (value, batch dimension) of a tensor at `level`; else the tensor itself and None."""
    special = wrapped_of(t)
    if special is not None and special.level is level:
        return special.value, special.dim
    return t, None


def are_batched(*values):
    """Return whether a tensor among the values is batched by a `vmap` level."""
    return any(s is not None and s.level.kind == "vmap" for s in map(wrapped_of, values))


def remove_batch_dim(output, level, out_dim):
    """Return an output with its batch dimension at `out_dim`; expand it if it is not batched."""
    value, dim = unwrapped(output, level)
    out_dim = maybe_wrap_dim(out_dim, output.dim() + 1)
    if dim is None:
        # as in PyTorch, for `out_dim` > 0 this raises unless the shapes happen to be expandable
        return value.expand(*value.shape[:out_dim], level.batch_size, *value.shape[out_dim:])
    return value if dim == out_dim else value.movedim(dim, out_dim)


# ---- the legacy vmap


def _check_out_dims(out_dims, func):
    if isinstance(out_dims, int):
        return
    if not isinstance(out_dims, tuple) or not all(isinstance(dim, int) for dim in out_dims):
        raise ValueError(
            f"vmap({get_name(func)}, ..., out_dims={out_dims}): `out_dims` must be an int or a tuple of int "
            "representing where in the outputs the vmapped dimension should appear."
        )


def _check_outputs(outputs, func):
    name = get_name(func)
    call = f"vmap({name}, ...): `{name}` must only return Tensors, got type "
    if isinstance(outputs, TensorBase):
        return
    if not isinstance(outputs, tuple):
        raise ValueError(f"{call}{type(outputs)} as the return.")
    for index, output in enumerate(outputs):
        if not isinstance(output, TensorBase):
            raise ValueError(f"{call}{type(output)} for return {index}.")


def _unwrap_batched(outputs, out_dims, level, func):
    count = len(outputs) if isinstance(outputs, tuple) else 1
    if not isinstance(out_dims, tuple):
        out_dims = (out_dims,) * count
    if len(out_dims) != count:
        raise ValueError(
            f"vmap({get_name(func)}, ..., out_dims={out_dims}): `out_dims` must have one dim per output (got "
            f"{count} outputs) of {get_name(func)}."
        )
    if isinstance(outputs, TensorBase):
        return remove_batch_dim(outputs, level, out_dims[0])
    return tuple(
        None if output is None else remove_batch_dim(output, level, dim)
        for output, dim in zip(outputs, out_dims, strict=True)
    )


def _vmap(func, in_dims=0, out_dims=0, allow_none_pass_through=False):
    """Return `func` vectorized over batches; `func` must return a tensor or a tuple of tensors.

    Parameters
    ----------
    func : callable
    in_dims : int or tuple
        The batch dimension of each argument, not negative; None for an argument without a
        batch.
    out_dims : int or tuple of int
    allow_none_pass_through : bool
        Whether `func` may return None for some outputs.

    Returns
    -------
    callable

    Raises
    ------
    ValueError
        When called, for invalid dimensions and outputs that are not tensors.
    RuntimeError
        When called, if `func` calls a random operator.
    """

    @functools.wraps(func)
    def wrapped(*args):
        transforms().load()
        _check_out_dims(out_dims, func)
        size, flat_in_dims, flat_args, spec = process_batched_inputs(
            in_dims, args, func, older=True
        )
        _tell_of_outer_vmap(flat_args, "aten::_add_batch_dim")
        with Level("vmap", size, "refuse") as level:
            outputs = func(*create_batched_inputs(flat_in_dims, flat_args, level, spec))
            if not allow_none_pass_through:
                _check_outputs(outputs, func)
            results = _unwrap_batched(outputs, out_dims, level, func)
        _tell_of_outer_vmap(
            results if isinstance(results, tuple) else (results,), "aten::_remove_batch_dim"
        )
        return results

    return wrapped


def _tell_of_outer_vmap(values, name):
    """Warn for batches of the newer `vmap`, which has no rule for entering or leaving this one."""
    for value in values:
        if isinstance(value, TensorBase):
            tell_of_operator(value, name)


def vmap(func, in_dims=0, out_dims=0):
    """Call `_vmap` with a deprecation warning; use `minitorch.vmap` instead."""
    warnings.warn(
        "Please use `torch.vmap` instead of `torch._vmap_internals.vmap`.",
        FutureWarning,
        stacklevel=2,
    )
    return _vmap(func, in_dims, out_dims)


vmap.__module__ = _vmap.__module__ = _unwrap_batched.__module__ = "minitorch._vmap_internals"
