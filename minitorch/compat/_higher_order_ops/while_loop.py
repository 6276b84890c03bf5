"""`while_loop`: call a function repeatedly while a condition holds."""

from minitorch._tensor import Tensor
from minitorch.core.dtype import _dtypes
from minitorch.utils._pytree import tree_flatten, tree_map, tree_unflatten

__all__ = ["while_loop", "while_loop_op"]


def while_loop(cond_fn, body_fn, carried_inputs):
    """Call a function with its previous results while a condition holds.

    Parameters
    ----------
    cond_fn : callable
        Called with the carried values; returns whether to continue, as a bool or a
        zero-dimensional bool tensor.
    body_fn : callable
        Called with the carried values; returns a tuple of the next values, of the same structure.
    carried_inputs : tuple or list of tensors or int in containers

    Returns
    -------
    tuple
        The carried values when the loop ends; copies of the inputs if the body is never called.

    Raises
    ------
    RuntimeError
        If a function is not callable, or `cond_fn` returns an object of another type.
    AssertionError
        If a carried value has another type, or `body_fn` returns another number of values.

    Examples
    --------
    >>> import minitorch as torch
    >>> def below(n, x):
    ...     return n < 3
    >>> def double(n, x):
    ...     return n + 1, 2 * x
    >>> torch.while_loop(below, double, (torch.tensor(0), torch.ones(2)))
    (tensor(3), tensor([8., 8.]))
    """
    if not callable(cond_fn) or not callable(body_fn):
        raise RuntimeError("Expect cond_fn and body_fn to be callable.")
    leaves, spec = tree_flatten(carried_inputs)
    if not all(isinstance(leaf, (Tensor, int)) for leaf in leaves):
        raise AssertionError(
            f"{leaves} can only be of {(Tensor, int)} but got {tuple(map(type, leaves))}"
        )
    go_on = cond_fn(*carried_inputs)
    _check_predicate(go_on)
    if not go_on:
        return tree_map(lambda x: x.clone() if isinstance(x, Tensor) else x, carried_inputs)
    carried = carried_inputs
    while go_on:
        result = body_fn(*carried)
        leaves = tree_flatten(result)[0]
        if len(leaves) != spec.num_leaves:
            raise AssertionError(
                "body_fn should return the same number of elements as carried_inputs, got "
                f"{len(leaves)} vs {spec.num_leaves}"
            )
        # a body with one carried value may return it without a tuple
        carried = tree_unflatten(leaves, spec)
        go_on = cond_fn(*carried)
    return result


def while_loop_op(cond_fn, body_fn, carried_inputs, additional_inputs=()):
    """Call `while_loop` with functions that also receive the constant `additional_inputs`."""
    if not isinstance(carried_inputs, (tuple, list)):
        raise RuntimeError(f"carried_inputs must be a tuple or list but got {type(carried_inputs)}")
    return while_loop(
        lambda *carried: cond_fn(*carried, *additional_inputs),
        lambda *carried: body_fn(*carried, *additional_inputs),
        carried_inputs,
    )


def _check_predicate(value):
    is_scalar = isinstance(value, Tensor) and value.dim() == 0 and value.dtype == _dtypes()["bool"]
    if not is_scalar and not isinstance(value, bool):
        raise RuntimeError(
            f"cond_fn must return a boolean scalar tensor or a boolean but got {value}"
        )
