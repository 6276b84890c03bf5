"""`scan`: apply a function to each slice of tensors while carrying a state."""

from minitorch._higher_order_ops.map import _stack_pytree
from minitorch._tensor import Tensor
from minitorch.core.tensor_impl import maybe_wrap_dim
from minitorch.utils._pytree import tree_flatten, tree_map, tree_unflatten

__all__ = ["scan"]

_TOO_FEW = "All xs leaves must at least have 'dim' number of dimensions and scan dimension > 0"


def scan(combine_fn, init, xs, *, dim=0, reverse=False):
    """Call a function with each slice and the carry from the previous slice.

    Parameters
    ----------
    combine_fn : callable
        Called with the carry and a slice; returns the next carry and an output.
    init : tensors in containers
        The initial carry.
    xs : tensors in containers
    dim : int, default 0
        The dimension along which `xs` is sliced.
    reverse : bool, default False
        Whether to start with the last slice.

    Returns
    -------
    carry : tensors in containers
        The final carry.
    out : tensors in containers
        The outputs, stacked along `dim`.

    Raises
    ------
    RuntimeError
        If `combine_fn` is not callable, a leaf is not a tensor, or there is nothing to slice.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._higher_order_ops import scan
    >>> scan(lambda total, x: (total + x, total * x), torch.tensor(0), torch.tensor([1, 2, 3]))
    (tensor(6), tensor([0, 2, 9]))
    """
    starts, carry_spec = tree_flatten(init)
    leaves, spec = tree_flatten(xs)
    if not leaves:
        return init, []
    dim = maybe_wrap_dim(dim, leaves[0].ndim)
    _check(combine_fn, leaves, starts, dim, reverse)
    leaves = [leaf.movedim(dim, 0) for leaf in leaves]
    places = range(leaves[0].shape[0])
    carry, outs = init, []
    for place in reversed(places) if reverse else places:
        carry, out = combine_fn(carry, tree_unflatten([leaf[place] for leaf in leaves], spec))
        _check_carried(carry, starts, carry_spec)
        outs.append(out)
    if reverse:
        outs.reverse()
    return carry, tree_map(
        lambda leaf: leaf.movedim(0, dim) if isinstance(leaf, Tensor) and dim < leaf.ndim else leaf,
        _stack_pytree(outs),
    )


def _check(combine_fn, leaves, starts, dim, reverse):
    if not callable(combine_fn):
        raise RuntimeError(f"Combine_fn must be a callable, but got {combine_fn}")
    if not isinstance(reverse, bool):
        raise RuntimeError(f"Reverse must be a bool, but got {type(reverse)}")
    if not starts:
        raise RuntimeError("scan() operator requires init leaves.")
    for leaf in starts:
        if not isinstance(leaf, Tensor):
            raise RuntimeError(f"All init leaves must be a Tensor but got {leaf}")
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise RuntimeError(f"All xs leaves must be a Tensor but got {leaf}")
    if any(leaf.ndim <= dim for leaf in leaves) or any(leaf.shape[dim] == 0 for leaf in leaves):
        raise RuntimeError(_TOO_FEW)


def _check_carried(carry, starts, spec):
    """Check that the carry has the same structure, shapes and dtypes as `init`."""
    leaves, found = tree_flatten(carry)
    if found != spec:
        raise RuntimeError(
            f"The tree structure of the carries and the init do not match. Got {found} and {spec}."
        )
    for leaf, start in zip(leaves, starts, strict=True):
        if leaf.shape != start.shape or leaf.dtype != start.dtype:
            raise RuntimeError(
                "Expected init and carry to have same metadata but found: "
                f"{tuple(start.shape)} of {start.dtype} and {tuple(leaf.shape)} of {leaf.dtype}."
            )
