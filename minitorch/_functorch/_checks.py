"""Checks of the arguments of transforms and of the results of transformed functions."""

from minitorch._tensor import Tensor
from minitorch.utils._pytree import tree_leaves

JVP = "jvp(f, primals, tangents)"


def _argnum(argnum, count):
    if not isinstance(argnum, int):
        raise RuntimeError(f"argnum must be int, got: {type(argnum)}")
    if not -count <= argnum < count:
        raise RuntimeError(f"Got argnum={argnum}, but only {count} positional inputs")
    return argnum % count


def checked_argnums(argnums, count):
    """Return `argnums` counted from the front: an int, or a tuple of distinct ints.

    Parameters
    ----------
    argnums : int or tuple of int
    count : int
        The number of positional arguments.

    Raises
    ------
    RuntimeError
    """
    if isinstance(argnums, int):
        return _argnum(argnums, count)
    if not isinstance(argnums, tuple):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    argnums = tuple(_argnum(argnum, count) for argnum in argnums)
    if not argnums:
        raise RuntimeError("argnums must be non-empty")
    if len(set(argnums)) != len(argnums):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    return argnums


def slice_argnums(args, argnums, as_tuple=True):
    """Return the arguments that `argnums` selects.

    A single argument is returned without a tuple only if `argnums` is an int and `as_tuple` is
    false.
    """
    argnums = checked_argnums(argnums, len(args))
    if isinstance(argnums, int):
        return (args[argnums],) if as_tuple else args[argnums]
    return tuple(args[k] for k in argnums)


def replace_args(args, new, argnums):
    """Return `args` with those that `argnums` selects replaced by the tuple `new`."""
    argnums = checked_argnums(argnums, len(args))
    if isinstance(argnums, int):
        argnums = (argnums,)
    replaced = list(args)
    for k, argument in zip(argnums, new, strict=True):
        replaced[k] = argument
    return tuple(replaced)


def output_and_aux(result, call):
    """Return the two parts of a function's result under ``has_aux=True``."""
    if not (isinstance(result, tuple) and len(result) == 2):
        raise RuntimeError(
            f"{call}: output of function f should be a tuple: (output, aux) if has_aux is True"
        )
    return result


def check_outputs(flat, call):
    """Raise an error if a function returned nothing, or anything that is not a tensor."""
    if len(flat) == 0 or (len(flat) == 1 and flat[0] is None):
        raise RuntimeError(
            f"{call}: Expected f to be a function that has non-empty output (got output = {flat})"
        )
    for output in flat:
        if not isinstance(output, Tensor):
            raise RuntimeError(
                f"{call}: expected f(*primals) to return only tensors, got unsupported type {type(output)}"
            )


def check_tensors(flat, call, name):
    """Raise an error if an argument has no tensors, or leaves that are not tensors."""
    if len(flat) == 0:
        raise RuntimeError(f"{call}: Expected {name} to contain at least one Tensor.")
    for item in flat:
        if not isinstance(item, Tensor):
            raise RuntimeError(f"{call}: Expected {name} to only contain Tensors, got {type(item)}")


def check_real(call, tree, inputs):
    """Raise an error if a Jacobian has complex inputs or outputs."""
    for index, t in enumerate(tree_leaves(tree)):
        if isinstance(t, Tensor) and t.dtype.is_complex:
            raise RuntimeError(
                f"{call}: Expected all {'inputs' if inputs else 'outputs'} to be real but received complex tensor "
                f"at flattened input idx: {index}"
            )
