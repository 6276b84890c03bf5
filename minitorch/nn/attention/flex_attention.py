"""`flex_attention`, whose scores are modified by a function, and its masks.

All scores are computed. The blocks of a mask are counted as in PyTorch but serve only for
inspection: the mask function decides which keys a query attends to.
"""

import math
from typing import NamedTuple

from minitorch._functorch.apis import vmap
from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _operators
from minitorch.autograd.functions.creation import arange, zeros
from minitorch.core.dtype import _dtypes
from minitorch.nn import functional as F

__all__ = [
    "AuxOutput",
    "AuxRequest",
    "BlockMask",
    "and_masks",
    "create_block_mask",
    "create_mask",
    "flex_attention",
    "noop_mask",
    "or_masks",
]

_DEFAULT_SPARSE_BLOCK_SIZE = 128


class AuxRequest(NamedTuple):
    """The additional results to return from `flex_attention`."""

    lse: bool = False
    max_scores: bool = False


class AuxOutput(NamedTuple):
    """The additional results of `flex_attention`: the logsumexp and the maximum of the scores."""

    lse: Tensor | None = None
    max_scores: Tensor | None = None


def noop_mask(batch, head, token_q, token_kv):
    """Return a mask that lets every query attend to every key."""
    return batch.new_ones((), dtype=_dtypes()["bool"])


def and_masks(*mask_mods):
    """Return a mask function that is the conjunction of all given ones.

    Raises
    ------
    RuntimeError
        If an argument is not callable.
    """
    _need_functions(mask_mods)

    def and_mask(b, h, q_idx, kv_idx):
        result = b.new_ones((), dtype=_dtypes()["bool"])
        for mask in mask_mods:
            result = result & mask(b, h, q_idx, kv_idx)
        return result

    return and_mask


def or_masks(*mask_mods):
    """Return a mask function that is the disjunction of all given ones.

    Raises
    ------
    RuntimeError
        If an argument is not callable.
    """
    _need_functions(mask_mods)

    def or_mask(b, h, q_idx, kv_idx):
        result = b.new_zeros((), dtype=_dtypes()["bool"])
        for mask in mask_mods:
            result = result | mask(b, h, q_idx, kv_idx)
        return result

    return or_mask


def _need_functions(mask_mods):
    if not all(callable(mask) for mask in mask_mods):
        raise RuntimeError(f"All inputs should be callable mask_mods: {mask_mods}")


def _at_every_place(function, sizes, scores=None):
    """Evaluate a function of four indices, preceded by `scores` if given, at all positions."""
    first = () if scores is None else (scores,)
    for place in (3, 2, 1, 0):
        dims = (None,) * place + (0,) + (None,) * (3 - place)
        function = vmap(function, in_dims=(*(0 for _ in first), *dims))
    return function(*first, *map(arange, sizes))


def create_mask(mod_fn, B, H, Q_LEN, KV_LEN, device=None):
    """Evaluate a mask function at all positions.

    Parameters
    ----------
    mod_fn : callable
        A function of batch, head, query and key indices that returns whether the query attends to
        the key.
    B, H : int or None
        None means 1.
    Q_LEN, KV_LEN : int
    device : device, optional

    Returns
    -------
    Tensor
        Of shape ``(B, H, Q_LEN, KV_LEN)``.

    Examples
    --------
    >>> from minitorch.nn.attention.flex_attention import create_mask
    >>> create_mask(lambda b, h, q, k: q >= k, 1, 1, 2, 3)
    tensor([[[[ True, False, False],
              [ True,  True, False]]]])
    """
    sizes = (1 if B is None else B, 1 if H is None else H, Q_LEN, KV_LEN)
    return _at_every_place(mod_fn, sizes).expand(sizes).contiguous()


class BlockMask:
    """A mask function and the blocks of queries and keys that it lets through.

    Parameters
    ----------
    seq_lengths : tuple of int
        The numbers of queries and keys.
    kv_num_blocks, kv_indices : Tensor
        The number of blocks of keys that each block of queries attends to partially, and the
        indices of blocks, these first.
    full_kv_num_blocks, full_kv_indices : Tensor or None
        The same for blocks that are attended to completely.
    BLOCK_SIZE : tuple of int
    mask_mod : callable
    """

    def __init__(
        self, seq_lengths, kv_num_blocks, kv_indices, full_kv_num_blocks, full_kv_indices,
        BLOCK_SIZE=(_DEFAULT_SPARSE_BLOCK_SIZE,) * 2, mask_mod=noop_mask,
    ):  # fmt: skip
        self.seq_lengths = tuple(seq_lengths)
        self.kv_num_blocks, self.kv_indices = kv_num_blocks, kv_indices
        self.full_kv_num_blocks, self.full_kv_indices = full_kv_num_blocks, full_kv_indices
        self.BLOCK_SIZE = tuple(BLOCK_SIZE)
        self.mask_mod = mask_mod

    @property
    def shape(self):
        """The numbers of batches, heads, queries and keys."""
        return (*self.kv_indices.shape[:-2], *self.seq_lengths)

    def numel(self):
        """Return the number of positions."""
        return math.prod(self.shape)

    def to_dense(self):
        """Return the blocks that are attended to, as a matrix of 0 and 1."""
        dense = _blocks_of(self.kv_num_blocks, self.kv_indices)
        if self.full_kv_num_blocks is not None:
            dense = dense | _blocks_of(self.full_kv_num_blocks, self.full_kv_indices)
        return dense.to(_dtypes()["int32"])

    def sparsity(self):
        """Return the percentage of positions in blocks that are not attended to."""
        counted = self.kv_num_blocks.sum().item()
        if self.full_kv_num_blocks is not None:
            counted += self.full_kv_num_blocks.sum().item()
        rows, columns = self.BLOCK_SIZE
        return 100 * (1 - counted * rows * columns / self.numel())

    def to(self, device):
        """Return the mask itself, since there is only one device."""
        return self

    def __repr__(self):
        return f"BlockMask(shape={self.shape}, sparsity={self.sparsity():.2f}%)"


def _blocks_of(counts, indices):
    """Return a boolean matrix of the blocks given by the first `counts` indices of each row."""
    places = arange(indices.shape[-1])
    chosen = places < counts.unsqueeze(-1)
    return zeros(indices.shape, dtype=_dtypes()["bool"]).scatter(-1, indices.long(), chosen)


def _ordered(blocks):
    """Return the number of blocks in each row, and the block indices with these blocks first."""
    order = blocks.to(_dtypes()["int32"]).argsort(dim=-1, descending=True, stable=True)
    return blocks.sum(-1, dtype=_dtypes()["int32"]), order.to(_dtypes()["int32"])


def create_block_mask(
    mask_mod, B, H, Q_LEN, KV_LEN, device=None, BLOCK_SIZE=_DEFAULT_SPARSE_BLOCK_SIZE,
    _compile=False, separate_full_blocks=True,
):  # fmt: skip
    """Create a `BlockMask` from a mask function.

    Parameters
    ----------
    mask_mod, B, H, Q_LEN, KV_LEN, device
        See `create_mask`.
    BLOCK_SIZE : int or tuple of int, default 128
    _compile : bool
        Ignored.
    separate_full_blocks : bool, default True
        List blocks that are attended to completely apart.

    Examples
    --------
    >>> from minitorch.nn.attention.flex_attention import create_block_mask
    >>> create_block_mask(lambda b, h, q, k: q >= k, 1, 1, 4, 4, BLOCK_SIZE=2).to_dense()
    tensor([[[[1, 0],
              [1, 1]]]], dtype=torch.int32)
    """
    rows, columns = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
    mask = create_mask(mask_mod, B, H, Q_LEN, KV_LEN)
    padded = F.pad(mask, (0, -KV_LEN % columns, 0, -Q_LEN % rows))
    shape = (*padded.shape[:2], padded.shape[2] // rows, rows, padded.shape[3] // columns, columns)
    counted = padded.view(shape).sum((3, 5))
    full = counted == rows * columns
    if not separate_full_blocks:
        whole = (None, None)
        partial = counted > 0
    else:
        whole = _ordered(full)
        partial = (counted > 0) & ~full
    return BlockMask((Q_LEN, KV_LEN), *_ordered(partial), *whole, (rows, columns), mask_mod)


def _check(query, key, value, block_mask, enable_gqa):
    if query.dim() != 4 or key.dim() != 4 or value.dim() != 4:
        raise NotImplementedError("NYI: query, key, and value must be 4D tensors")
    heads, others = query.shape[1], key.shape[1]
    if not enable_gqa and heads != others:
        raise ValueError(
            f"Expect query and key/value to have the same number of heads but got Hq={heads} and "
            f"Hkv={others}. Try setting enable_gqa=True for GQA."
        )
    if enable_gqa and heads % others:
        raise ValueError(
            f"Expect number of query heads to be a multiple of kv heads for GQA but got Hq={heads} "
            f"and Hkv={others}."
        )
    if block_mask is not None and block_mask.seq_lengths != (query.shape[-2], key.shape[-2]):
        raise ValueError(
            f"block_mask was created for block_mask.shape={block_mask.shape} but got "
            f"q_len={query.shape[-2]} and kv_len={key.shape[-2]}."
        )


def flex_attention(
    query, key, value, score_mod=None, block_mask=None, scale=None, enable_gqa=False,
    return_lse=False, kernel_options=None, *, return_aux=None,
):  # fmt: skip
    """Compute attention with modified scores.

    Parameters
    ----------
    query : Tensor
        Of shape ``(B, Hq, L, E)``.
    key, value : Tensor
        Of shapes ``(B, Hkv, S, E)`` and ``(B, Hkv, S, Ev)``.
    score_mod : callable, optional
        A function of score, batch, head, query and key; all but the first are integer scalars.
    block_mask : BlockMask, optional
    scale : float, optional
        By default ``1 / sqrt(E)``.
    enable_gqa : bool, default False
        Let several query heads share one key head.
    return_lse : bool, default False
        Also return the logsumexp of the scores.
    kernel_options : dict, optional
        Ignored.
    return_aux : AuxRequest, optional
        The additional results to return in an `AuxOutput`.

    Returns
    -------
    Tensor or tuple
        Of shape ``(B, Hq, L, Ev)``. A query that attends to nothing gets zeros.

    Raises
    ------
    NotImplementedError
        If a tensor does not have four dimensions.
    ValueError
        If the numbers of heads or the lengths do not match.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.attention.flex_attention import flex_attention
    >>> x = torch.ones(1, 1, 2, 4)
    >>> flex_attention(x, x, x, lambda score, b, h, q, k: score + q * k).shape
    torch.Size([1, 1, 2, 4])
    """
    _check(query, key, value, block_mask, enable_gqa)
    if enable_gqa:
        repeats = query.shape[1] // key.shape[1]
        key, value = key.repeat_interleave(repeats, 1), value.repeat_interleave(repeats, 1)
    scores = _scores(query, key, score_mod, block_mask, scale)
    largest = scores.amax(-1, keepdim=True)
    lse = _operators.logsumexp(scores, -1)
    empty = largest == -math.inf
    weights = scores.softmax(-1).masked_fill(empty, 0.0)
    result = (weights @ value.to(weights.dtype)).to(query.dtype)
    if return_aux is not None:
        return result, AuxOutput(
            lse if return_aux.lse else None,
            largest.squeeze(-1) if return_aux.max_scores else None,
        )
    return (result, lse) if return_lse else result


def _scores(query, key, score_mod, block_mask, scale):
    """Return the scores, -inf where a query does not attend to a key."""
    float32, float64 = _dtypes()["float32"], _dtypes()["float64"]
    working = float64 if query.dtype == float64 else float32
    scores = (query @ key.transpose(-2, -1)).to(working)
    scores = scores * (query.shape[-1] ** -0.5 if scale is None else scale)
    if score_mod is not None:
        scores = _at_every_place(score_mod, scores.shape, scores)
    if block_mask is not None:
        mask = _at_every_place(block_mask.mask_mod, scores.shape)
        scores = scores.masked_fill(~mask, -math.inf)
    return scores
