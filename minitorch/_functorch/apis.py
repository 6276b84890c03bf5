"""The transforms that are decorators, as programs call them."""

import functools

from minitorch._functorch._gradients import grad, grad_and_value
from minitorch._functorch.vmap import check_randomness_arg, chunks_impl, vmap_impl

__all__ = ["grad", "grad_and_value", "vmap"]


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """A function of samples, made one of batches: no loop is run, each operator takes all samples at once.

    Parameters
    ----------
    func : callable
        Of tensors, or structures of them, to a tensor or a structure of tensors. It is called once, with
        tensors that look like one sample.
    in_dims : int, None or structure
        Which dimension of an argument is the batch's; None for one that is the same for all samples. An
        int is for all of them, a tuple has one entry for each, which may be a structure as the argument's.
    out_dims : int, None or structure
        Where the batch goes in the outputs; None for one without a batch.
    randomness : {"error", "different", "same"}
        What a random operator inside does: raise, draw for each sample, or draw once for all.
    chunk_size : int, optional
        The most samples that are taken at once. Default: all.

    Returns
    -------
    callable
        With the arguments of `func`, batched as `in_dims` says. Keyword arguments are handed on as they
        are.

    Raises
    ------
    ValueError
        For a `chunk_size` that is not positive, and by the result for dimensions that do not fit the
        arguments or the outputs.
    RuntimeError
        For another `randomness`; and by the result where `func` asks for what differs between samples:
        ``item()``, a condition, ``nonzero``.

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

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        return vmap_impl(func, in_dims, out_dims, randomness, chunk_size, *args, **kwargs)

    return wrapped


def chunk_vmap(func, in_dims=0, out_dims=0, randomness="error", chunks=2):
    """`vmap`, the batch in so many chunks one after the other.

    Parameters
    ----------
    func, in_dims, out_dims, randomness
        As of `vmap`.
    chunks : int
        How many. 1 is `vmap`.

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

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        return chunks_impl(func, in_dims, out_dims, randomness, chunks, *args, **kwargs)

    return wrapped
