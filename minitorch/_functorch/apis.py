"""The transforms that are decorators, in their public form."""

from minitorch._functorch._gradients import grad, grad_and_value
from minitorch._functorch._wrapping import wraps
from minitorch._functorch.vmap import check_randomness_arg, chunks_impl, vmap_impl

__all__ = ["grad", "grad_and_value", "vmap"]


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """Return a function that applies `func` to batches, without a loop over samples.

    Parameters
    ----------
    func : callable
        Takes tensors, or structures of them, and returns a tensor or a structure of tensors. It is
        called once, with tensors that have the shape of one sample.
    in_dims : int, None or structure
        The batch dimension of each argument; None for an argument that is the same for all samples.
        An int holds for all arguments. A tuple has one entry per argument, which may be structured
        like the argument.
    out_dims : int, None or structure
        The position of the batch dimension in the outputs; None for an output without a batch.
    randomness : {"error", "different", "same"}
        Whether a random operator inside raises an error, draws for each sample, or draws once for
        all.
    chunk_size : int, optional
        The largest number of samples to process at once. Default: all.

    Returns
    -------
    callable
        Takes the arguments of `func`, batched according to `in_dims`. Keyword arguments are passed
        through unchanged.

    Raises
    ------
    ValueError
        For a `chunk_size` that is not positive. In the returned function: for dimensions that do
        not fit the arguments or the outputs.
    RuntimeError
        For another `randomness`. In the returned function: where `func` needs values that may
        differ between samples, as in ``item()``, a condition or ``nonzero``.

    Examples
    --------
    >>> import minitorch as torch
    >>> x, y = torch.arange(6.0).view(2, 3), torch.ones(3)
    >>> torch.vmap(torch.dot, in_dims=(0, None))(x, y)
    tensor([ 3., 12.])
    >>> torch.vmap(lambda row: row.cumsum(0), out_dims=1)(x)
    tensor([[ 0.,  3.],
            [ 1.,  7.],
            [ 3., 12.]])
    """
    check_randomness_arg(randomness)
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @wraps(func)
    def wrapped(*args, **kwargs):
        return vmap_impl(func, in_dims, out_dims, randomness, chunk_size, *args, **kwargs)

    return wrapped


def chunk_vmap(func, in_dims=0, out_dims=0, randomness="error", chunks=2):
    """Apply `vmap` to one chunk of the batch after the other.

    Parameters
    ----------
    func, in_dims, out_dims, randomness
        See `vmap`.
    chunks : int
        The number of chunks. 1 is the same as `vmap`.

    Returns
    -------
    callable

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._functorch.apis import chunk_vmap
    >>> chunk_vmap(torch.sin)(torch.zeros(5)).shape
    torch.Size([5])
    """
    check_randomness_arg(randomness)
    if chunks == 1:
        return vmap(func, in_dims=in_dims, out_dims=out_dims, randomness=randomness)

    @wraps(func)
    def wrapped(*args, **kwargs):
        return chunks_impl(func, in_dims, out_dims, randomness, chunks, *args, **kwargs)

    return wrapped
