"""`associative_scan`: scan of a sequence with an associative function."""

from minitorch._functorch.apis import vmap
from minitorch.autograd.functions import tensor_methods as _operators
from minitorch.core.tensor_impl import maybe_wrap_dim
from minitorch.utils._pytree import tree_flatten, tree_unflatten

__all__ = ["associative_scan"]


def associative_scan(combine_fn, xs, dim, reverse=False, combine_mode="pointwise"):
    """Combine all prefixes of a sequence with an associative function.

    Parameters
    ----------
    combine_fn : callable
        Combines two pytrees, with the structure of `xs` but without dimension `dim`, into a third.
    xs : tensors in containers
        All must have the same size along `dim`.
    dim : int
    reverse : bool, default False
        Whether to combine suffixes instead of prefixes.
    combine_mode : {"pointwise", "generic"}
        "pointwise" requires a GPU.

    Raises
    ------
    ValueError
        If `combine_fn` is not callable, if the mode is unknown or "pointwise", or if the sequence
        is empty.
    IndexError
        If `dim` is out of range.

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
    # move the scan dimension of each leaf to the front
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
    """Return all prefixes, computed recursively.

    The prefixes that end at odd positions are a scan of half the length over combined pairs; the
    others follow from them.
    """
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
    """Interleave the elements at even and odd positions."""
    count = odd.shape[0]
    both = _operators.stack([even[:count], odd], 1).flatten(0, 1)
    return both if even.shape[0] == count else _operators.cat([both, even[count:]])
