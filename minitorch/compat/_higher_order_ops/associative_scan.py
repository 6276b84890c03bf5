"""`associative_scan`: what a function of two makes of all beginnings of a sequence."""

from minitorch._functorch.apis import vmap
from minitorch.autograd.functions import tensor_methods as _operators
from minitorch.core.tensor_impl import maybe_wrap_dim
from minitorch.utils._pytree import tree_flatten, tree_unflatten

__all__ = ["associative_scan"]


def associative_scan(combine_fn, xs, dim, reverse=False, combine_mode="pointwise"):
    """Combine all beginnings of a sequence with an associative function.

    Parameters
    ----------
    combine_fn : callable
        Of two trees like `xs` without the dimension `dim`, a third.
    xs : tensors in containers
        All of one size along `dim`.
    dim : int
    reverse : bool, default False
        Whether ends are combined instead of beginnings.
    combine_mode : {"pointwise", "generic"}
        "pointwise" is for GPUs.

    Raises
    ------
    ValueError
        If the function is none, or the mode is another, or is "pointwise" here; if there is nothing to scan.
    IndexError
        If there is no such dimension.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._higher_order_ops.associative_scan import associative_scan
    >>> x = torch.tensor([1, 2, 3, 4])
    >>> associative_scan(lambda a, b: a * b, x, 0, combine_mode="generic")
    tensor([ 1,  2,  6, 24])
    """
    if not callable(combine_fn):
        raise ValueError(f"Combine_fn must be a callable, but got {combine_fn}")
    if combine_mode not in ("pointwise", "generic"):
        raise ValueError(
            f"Combine_mode must either 'pointwise' or 'generic', but got {combine_mode}"
        )
    leaves, spec = tree_flatten(xs)
    dim = maybe_wrap_dim(dim, leaves[0].ndim)
    if not isinstance(reverse, bool):
        raise RuntimeError(f"Reverse must be a bool, but got {type(reverse)}")
    if combine_mode == "pointwise":
        raise ValueError(
            "For combine_mode='pointwise', all input tensors need to be on CUDA or XPU"
        )
    if any(leaf.ndim <= dim for leaf in leaves) or any(leaf.shape[dim] == 0 for leaf in leaves):
        raise ValueError(
            "All xs leaves must at least have 'dim' number of dimensions and scan dimension > 0"
        )
    # the sequence first; each leaf has a dimension of its own for it
    first = [leaf.movedim(dim, 0) for leaf in leaves]
    if reverse:
        first = [leaf.flip(0) for leaf in first]

    def combine(left, right):
        together = combine_fn(tree_unflatten(left, spec), tree_unflatten(right, spec))
        return tuple(tree_flatten(together)[0])

    result = _scan(vmap(combine), first)
    if reverse:
        result = [leaf.flip(0) for leaf in result]
    return tree_unflatten([leaf.movedim(0, dim) for leaf in result], spec)


def _scan(combine, leaves):
    """By halves: the beginnings that end at odd places, and those between them."""
    length = leaves[0].shape[0]
    if length < 2:
        return leaves
    pairs = combine([x[: length - 1 : 2] for x in leaves], [x[1::2] for x in leaves])
    odd = _scan(combine, list(pairs))
    if length > 2:
        count = (length - 1) // 2
        between = combine([x[:count] for x in odd], [x[2::2] for x in leaves])
        even = [_operators.cat([x[:1], y]) for x, y in zip(leaves, between, strict=True)]
    else:
        even = [x[:1] for x in leaves]
    return [_interleaved(x, y) for x, y in zip(even, odd, strict=True)]


def _interleaved(even, odd):
    """The elements at even and at odd places as one sequence."""
    count = odd.shape[0]
    both = _operators.stack([even[:count], odd], 1).flatten(0, 1)
    return both if even.shape[0] == count else _operators.cat([both, even[count:]])
