"""Padding and attention."""

import math

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import ones, scalar_tensor
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.core.dtype import _dtypes
from minitorch.nn._dropout import dropout


def pad(input, pad, mode="constant", value=None):
    """Extend a tensor at its borders.

    All modes but "constant" pad the last 1, 2 or 3 dimensions of a tensor that has one or two more.

    Parameters
    ----------
    input : Tensor
    pad : tuple of int
        For the last dimension how many elements to add before and after, then for the one before it, and so
        on. Negative
        numbers cut elements off.
    mode : {"constant", "reflect", "replicate", "circular"}, default "constant"
        Add `value`, or continue the tensor by its mirror image, its last element or from its other end.
    value : float, optional
        0 by default.

    Returns
    -------
    Tensor
        The dtype of `input`.

    Raises
    ------
    RuntimeError
        If the padding is larger than the mode allows.
    NotImplementedError
        If the mode does not support so many dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> F = torch.nn.functional
    >>> F.pad(torch.tensor([[1.0, 2.0, 3.0]]), (1, 1))
    tensor([[0., 1., 2., 3., 0.]])
    >>> F.pad(torch.tensor([[1.0, 2.0, 3.0]]), (1, 1), mode="reflect")
    tensor([[2., 1., 2., 3., 2.]])
    """
    return _pad(input, pad, mode, value)


@parsed_as("pad")
def _pad(input, pad, mode="constant", value=None):
    if mode == "constant" or not isinstance(pad, (tuple, list)):
        if isinstance(pad, (tuple, list)) and hasattr(input, "dim"):
            _check_padding(pad, input.dim())
        return _ops.constant_pad_nd(input, pad, 0.0 if value is None else float(value))
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    _check_padding(pad, input.dim())
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    if len(pad) not in (2, 4, 6) or input.dim() - len(pad) // 2 not in (1, 2):
        raise NotImplementedError(
            f"Padding size {len(pad)} is not supported for {input.dim()}D input tensor.\n"
            "Supported combinations for non-constant padding:\n"
            "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
            "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
            "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
        )
    return _pad_from_input(input, pad, mode)


def _check_padding(pad, dims):
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * dims:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got "
            f"padding length {len(pad)} and input of dimension {dims}"
        )


def _pad_from_input(input, pad, mode):
    pairs = len(pad) // 2
    if mode == "circular":
        for n in range(pairs):
            before, after, size = pad[2 * n], pad[2 * n + 1], input.size(-1 - n)
            if max(before, after) > size:
                raise RuntimeError("Padding value causes wrapping around more than once.")
            if before + after + size < 0:
                raise RuntimeError("Negative padding value is resulting in an empty dimension")
        return _ops.circular_pad(input, pad)
    kind = "reflection" if mode == "reflect" else "replication"
    return getattr(_ops, f"{kind}_pad{pairs}d")(input, pad)


def _check_attention(query, key, value, attn_mask):
    if not query.dtype == key.dtype == value.dtype:
        raise RuntimeError(
            "Expected query, key, and value to have the same dtype, but got query.dtype: "
            f"{query.dtype._c_name} key.dtype: {key.dtype._c_name} and value.dtype: "
            f"{value.dtype._c_name} instead."
        )
    if query.is_meta is not key.is_meta or key.is_meta is not value.is_meta:
        raise RuntimeError(
            "Expected query, key, and value to have the same device type, but got query.device: "
            f"{query.device} key.device: {key.device} and value.device: {value.device} instead."
        )
    if min(query.dim(), key.dim(), value.dim()) < 2:
        raise RuntimeError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
            f"{query.dim()} key.dim: {key.dim()} and value.dim: {value.dim()} instead."
        )
    if attn_mask is None:
        return
    dtypes = _dtypes()
    if attn_mask.dtype not in (dtypes["bool"], dtypes["float32"], query.dtype):
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got "
            f"attn_mask.dtype: {attn_mask.dtype._c_name} and  query.dtype: {query.dtype._c_name} "
            "instead."
        )


@parsed_as("scaled_dot_product_attention")
def scaled_dot_product_attention(
    query,
    key,
    value,
    attn_mask=None,
    dropout_p=0.0,
    is_causal=False,
    *,
    scale=None,
    enable_gqa=False,
):
    """Return softmax(query @ key.T * scale + mask) @ value.

    Parameters
    ----------
    query, key, value : Tensor
        Of shape (..., L, E), (..., S, E), (..., S, Ev).
    attn_mask : Tensor, optional
        Added to the scores; a boolean mask is True for the positions that take part.
    dropout_p : float, default 0.0
        The probability of dropout of the attention weights; it is always applied.
    is_causal : bool
        Mask out the positions after i for the query at position i.
    scale : float, optional
        Default: 1 / sqrt(E).
    enable_gqa : bool, default False
        Let each head of key and value serve several heads of the query; dimension -3 is the head.

    Returns
    -------
    Tensor
        (..., L, Ev).

    Raises
    ------
    RuntimeError
        If the shapes do not match, `dropout_p` is not a probability, or both `attn_mask` and
        `is_causal` are given.

    References
    ----------
    Vaswani et al. 2017, Attention Is All You Need.

    Examples
    --------
    >>> import minitorch as torch
    >>> q = k = torch.ones(1, 2, 2)
    >>> v = torch.tensor([[[1.0, 2.0], [3.0, 4.0]]])
    >>> torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    tensor([[[1., 2.],
             [2., 3.]]])
    """
    _check_attention(query, key, value, attn_mask)
    if not 0 <= dropout_p <= 1:
        raise RuntimeError(
            f"dropout probability has to be between 0 and 1, but got {dropout_p:.6g}"
        )
    if attn_mask is not None and attn_mask.element_size() == 1:
        attn_mask = _added(attn_mask, query.dtype)
    elif attn_mask is not None and query.element_size() > 2:
        attn_mask = attn_mask.to(query.dtype)
    if 0 in (query.size(-2), value.numel()):
        nothing = query.new_zeros((*query.shape[:-1], value.size(-1)))
        return nothing + _ops._mul_scalar(query.sum() + key.sum() + value.sum(), 0)
    if _fused_choice(query, key, value, attn_mask, dropout_p, enable_gqa) != _FLASH:
        return _attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)
    if enable_gqa:
        _heads_together(query, key, value)
    return _ops._scaled_dot_product_flash_attention_for_cpu(
        query, key, value, dropout_p, is_causal, attn_mask=attn_mask, scale=scale
    )[0]


def _added(attn_mask, dtype):
    """Return the additive mask for a boolean mask: 0 where it is True, else -inf."""
    unseen = scalar_tensor(-math.inf, dtype=dtype)
    seen = scalar_tensor(0.0, dtype=dtype, layout=attn_mask.layout)
    return _ops.where(attn_mask, seen, unseen)


def _reject_two_masks(is_causal, attn_mask):
    if is_causal and attn_mask is not None:
        raise RuntimeError(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
        )


def _attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa):
    dtype = query.dtype
    weights, value = _weights(query, key, value, attn_mask, is_causal, scale, enable_gqa)
    if dropout_p > 0:
        weights = dropout(weights, dropout_p)
    return weights.matmul(value).to(dtype)


def _weights(query, key, value, attn_mask, is_causal, scale, enable_gqa):
    """Return the attention weights, and the values for all heads in the dtype of the weights."""
    _reject_two_masks(is_causal, attn_mask)
    if query.is_floating_point() and query.element_size() == 2:
        query, key, value = query.float(), key.float(), value.float()
    if scale is None:
        size = query.size(-1)
        scale = 1 / math.sqrt(size) if size else math.inf  # for vectors of size 0
    root = math.sqrt(abs(scale))
    scaled = _ops._mul_scalar(query, math.copysign(root, scale))
    if is_causal:
        sizes = query.size(-2), key.size(-2)
        causal = ones(sizes, dtype=_dtypes()["bool"], device=query.device).tril()
        attn_mask = _added(causal, query.dtype)
    if enable_gqa:
        key, value = _for_all_heads(query, key, value)
    scores = scaled.matmul(_ops._mul_scalar(key.transpose(-2, -1), root))
    if attn_mask is not None:
        scores = _masked(scores, attn_mask)
    return _ops._safe_softmax(scores, -1), value


def _for_all_heads(query, key, value):
    """Repeat keys and values, which several query heads share, once for each query head."""
    times = _heads_together(query, key, value)
    return _repeat_heads(key, times), _repeat_heads(value, times)


def _masked(scores, attn_mask):
    masked = scores + attn_mask
    if masked.shape != scores.shape:
        raise RuntimeError(
            f"output with shape {list(scores.shape)} doesn't match the broadcast shape {list(masked.shape)}"
        )
    return masked


@parsed_as("_safe_softmax")
def _safe_softmax(input, dim, dtype=None):
    """Return the softmax, with zeros for slices in which every element is -inf."""
    return _ops._safe_softmax(input, dim, dtype)


@parsed_as("_scaled_dot_product_attention_math")
def _scaled_dot_product_attention_math(
    query,
    key,
    value,
    attn_mask=None,
    dropout_p=0.0,
    is_causal=False,
    dropout_mask=None,
    *,
    scale=None,
    enable_gqa=False,
):
    """Return `scaled_dot_product_attention` computed by its definition, and the weights.

    Parameters
    ----------
    dropout_mask : Tensor, optional
        True for the weights to keep; replaces the random mask of `dropout_p`.
    """
    dtype = query.dtype
    if attn_mask is not None and attn_mask.element_size() == 1:
        attn_mask = _added(attn_mask, dtype)
    weights, value = _weights(query, key, value, attn_mask, is_causal, scale, enable_gqa)
    kept = weights
    if dropout_mask is not None:
        kept = weights.masked_fill(dropout_mask == 0, 0.0) / (1 - dropout_p)
    elif dropout_p > 0:
        kept = weights = dropout(weights, dropout_p)
    return kept.matmul(value).to(dtype), weights.to(dtype)


_MATH, _FLASH = 0, 1


@parsed_as("_fused_sdp_choice")
def _fused_sdp_choice(
    query,
    key,
    value,
    attn_mask=None,
    dropout_p=0.0,
    is_causal=False,
    *,
    scale=None,
    enable_gqa=False,
):
    """Return PyTorch's choice of backend on the CPU: 0 for the definition, 1 for the kernel."""
    return _fused_choice(query, key, value, attn_mask, dropout_p, enable_gqa)


def _fused_choice(query, key, value, attn_mask, dropout_p, enable_gqa):
    from minitorch.backends.cuda import flash_sdp_enabled, math_sdp_enabled

    of_heads = query.dim() == key.dim() == value.dim() == 4
    if of_heads and flash_sdp_enabled() and dropout_p == 0:
        sizes = {t.size(-1) for t in (query, key, value)}
        together = {t.size(0) for t in (query, key, value)}
        heads = {t.size(1) for t in (query, key, value)}
        empty = 0 in (query.size(2), key.size(2), value.size(2))
        alike = len(sizes) == len(together) == 1 and (enable_gqa or len(heads) == 1)
        in_rows = all(t.stride(-1) == 1 for t in (query, key, value))
        if alike and in_rows and not empty and query.is_floating_point():
            if attn_mask is None or _fits_heads(attn_mask, query, key):
                return _FLASH
    if not math_sdp_enabled():
        raise RuntimeError(
            "No viable backend for scaled_dot_product_attention was found. This is likely due to turning "
            "off both the math kernel and the fused kernels."
        )
    return _MATH


def _fits_heads(attn_mask, query, key):
    """Check whether the fused kernel supports a mask."""
    if attn_mask.requires_grad or attn_mask.dim() not in (2, 4):
        return False
    whole = (*query.shape[:3], key.size(2))[-attn_mask.dim() :]
    return all(n in (1, size) for n, size in zip(attn_mask.shape, whole, strict=True))


def _heads_together(query, key, value):
    """Return the number of query heads that share a key head."""
    heads = [t.size(-3) for t in (query, key, value)]
    if heads[0] % heads[1] or heads[0] % heads[2]:
        raise RuntimeError("Number of heads in key and value must divide the number of heads in ")
    return heads[0] // heads[1]


def _repeat_heads(t, times):
    shape = t.size()
    t = t.unsqueeze(t.dim() - 2).expand(*shape[:-2], times, *shape[-2:])
    return t.contiguous().view(*shape[:-3], shape[-3] * times, *shape[-2:])
