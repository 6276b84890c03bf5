"""Multi-head attention and the preparation of its masks."""

import math
import warnings

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import zeros
from minitorch.core.dtype import _dtypes
from minitorch.nn._attention import scaled_dot_product_attention
from minitorch.nn._dropout import dropout


def _canonical_mask(mask, mask_name, other_type, other_name, target_type, check_other=True):
    """Convert a mask to a float mask, which is added to the scores; True becomes -inf."""
    if mask is None:
        return None
    if mask.dtype != _dtypes()["bool"] and not mask.is_floating_point():
        raise AssertionError(f"only bool and floating types of {mask_name} are supported")
    if check_other and other_type is not None and mask.dtype != other_type:
        warnings.warn(
            f"Support for mismatched {mask_name} and {other_name} is deprecated. "
            "Use same type for both instead.",
            stacklevel=2,
        )
    if mask.is_floating_point():
        return mask
    return zeros(mask.size(), dtype=target_type, device=mask.device).masked_fill_(mask, -math.inf)


def _none_or_dtype(input):
    if input is None:
        return None
    if not hasattr(input, "dtype"):
        raise RuntimeError("input to _none_or_dtype() must be None or torch.Tensor")
    return input.dtype


def _mha_shape_check(query, key, value, key_padding_mask, attn_mask, num_heads):
    if query.dim() not in (2, 3):
        raise AssertionError(
            "query should be unbatched 2D or batched 3D tensor but received "
            f"{query.dim()}-D query tensor"
        )
    n = query.dim()
    start = f"For {'batched' if n == 3 else 'unbatched'} ({n}-D) `query`, expected"
    if key.dim() != n or value.dim() != n:
        raise AssertionError(
            f"{start} `key` and `value` to be {n}-D but found {key.dim()}-D and {value.dim()}-D "
            "tensors respectively"
        )
    if key_padding_mask is not None and key_padding_mask.dim() != n - 1:
        raise AssertionError(
            f"{start} `key_padding_mask` to be `None` or {n - 1}-D but found "
            f"{key_padding_mask.dim()}-D tensor instead"
        )
    if attn_mask is not None:
        if attn_mask.dim() not in (2, 3):
            raise AssertionError(
                f"{start} `attn_mask` to be `None`, 2-D or 3-D but found {attn_mask.dim()}-D tensor "
                "instead"
            )
        expected = (num_heads, query.shape[0], key.shape[0])
        if n == 2 and attn_mask.dim() == 3 and tuple(attn_mask.shape) != expected:
            raise AssertionError(
                f"Expected `attn_mask` shape to be {expected} but got {attn_mask.shape}"
            )
    return n == 3


def _checked_mask(attn_mask, batch_heads, length, source):
    """Check the shape of a mask and return it with three dimensions."""
    if attn_mask is None:
        return None
    if attn_mask.dim() == 2:
        wanted = (length, source)
    elif attn_mask.dim() == 3:
        wanted = (batch_heads, length, source)
    else:
        raise RuntimeError(f"attn_mask's dimension {attn_mask.dim()} is not supported")
    if tuple(attn_mask.shape) != wanted:
        raise RuntimeError(
            f"The shape of the {attn_mask.dim()}D attn_mask is {attn_mask.shape}, but should be "
            f"{wanted}."
        )
    return attn_mask.unsqueeze(0) if attn_mask.dim() == 2 else attn_mask


def _in_projection_packed(q, k, v, w, b=None):
    """Project q, k and v by the maps packed in `w`, with one product for equal inputs."""
    embed = q.size(-1)
    if q is k and k is v:
        return _apart(_ops.linear(q, w, b), 3, embed)
    if k is v:
        first, both = w.split([embed, 2 * embed], 0)
        bias, biases = (None, None) if b is None else b.split([embed, 2 * embed], 0)
        return _ops.linear(q, first, bias), *_apart(_ops.linear(k, both, biases), 2, embed)
    biases = (None, None, None) if b is None else b.split(embed, 0)
    return _in_projection(q, k, v, *w.split(embed, 0), *biases)


def _apart(together, count, embed):
    """Split the last dimension into `count` contiguous tensors."""
    parts = together.unflatten(-1, (count, embed)).unsqueeze(0).transpose(0, -2)
    parts = parts.squeeze(-2).contiguous()
    return [parts[k] for k in range(count)]


def _in_projection(q, k, v, w_q, w_k, w_v, b_q=None, b_k=None, b_v=None):
    embed = q.size(-1)
    names = "query key value".split()
    for name, weight, x in zip(names, (w_q, w_k, w_v), (q, k, v), strict=True):
        if tuple(weight.shape) != (embed, x.size(-1)):
            raise AssertionError(
                f"expecting {name} weights shape of {(embed, x.size(-1))}, but got {weight.shape}"
            )
    for name, bias in zip(names, (b_q, b_k, b_v), strict=True):
        if bias is not None and tuple(bias.shape) != (embed,):
            raise AssertionError(f"expecting {name} bias shape of {(embed,)}, but got {bias.shape}")
    return _ops.linear(q, w_q, b_q), _ops.linear(k, w_k, b_k), _ops.linear(v, w_v, b_v)


def _one_more(mask):
    return None if mask is None else _ops.constant_pad_nd(mask, [0, 1], 0)


def _given(name, given, batch_heads, head_dim):
    if given.size(0) != batch_heads:
        raise AssertionError(f"expecting {name}.size(0) of {batch_heads}, but got {given.size(0)}")
    if given.size(2) != head_dim:
        raise AssertionError(f"expecting {name}.size(2) of {head_dim}, but got {given.size(2)}")
    return given


def multi_head_attention_forward(
    query,
    key,
    value,
    embed_dim_to_check,
    num_heads,
    in_proj_weight,
    in_proj_bias,
    bias_k,
    bias_v,
    add_zero_attn,
    dropout_p,
    out_proj_weight,
    out_proj_bias,
    training=True,
    key_padding_mask=None,
    need_weights=True,
    attn_mask=None,
    use_separate_proj_weight=False,
    q_proj_weight=None,
    k_proj_weight=None,
    v_proj_weight=None,
    static_k=None,
    static_v=None,
    average_attn_weights=True,
    is_causal=False,
):
    """Compute `MultiheadAttention` with all its weights passed as arguments.

    Parameters
    ----------
    query, key, value : Tensor
        (L, N, E), (S, N, kdim), (S, N, vdim), or without the batch N.
    embed_dim_to_check, num_heads : int
        E and the number of heads it is split into.
    in_proj_weight, in_proj_bias : Tensor or None
        (3 * E, E) and (3 * E,): the linear maps of query, key and value.
    bias_k, bias_v : Tensor or None
        (1, 1, E): an extra key and an extra value for every sequence.
    add_zero_attn : bool
        Append a key and a value of zeros.
    dropout_p : float
        Dropout probability of the attention weights in training.
    out_proj_weight, out_proj_bias : Tensor
        The final linear map.
    training : bool, default True
        Whether dropout is applied.
    key_padding_mask : Tensor, optional
        (N, S): True or -inf for padding keys.
    need_weights : bool, default True
        Also return the attention weights.
    attn_mask : Tensor, optional
        (L, S) or (N * num_heads, L, S): True or -inf where a query may not attend to a key.
    use_separate_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight
        Use three weights instead of `in_proj_weight`.
    static_k, static_v : Tensor, optional
        (N * num_heads, S, E / num_heads), used instead of the projected keys and values.
    average_attn_weights : bool, default True
        Average the returned attention weights over the heads.
    is_causal : bool, default False
        A hint that `attn_mask` is the causal mask.

    Returns
    -------
    tuple of Tensor
        The output (L, N, E), and the weights (N, L, S) or (N, num_heads, L, S), or None without
        `need_weights`.

    Raises
    ------
    AssertionError, RuntimeError
        For shapes that do not match.

    References
    ----------
    Vaswani et al. 2017, Attention Is All You Need.

    Examples
    --------
    >>> import minitorch as torch
    >>> x, zeros = torch.zeros(2, 1, 4), torch.zeros
    >>> out, weights = torch.nn.functional.multi_head_attention_forward(
    ...     x, x, x, 4, 2, zeros(12, 4), None, None, None, False, 0.0, zeros(4, 4), None
    ... )
    >>> weights
    tensor([[[0.5000, 0.5000],
             [0.5000, 0.5000]]])
    """
    batched = _mha_shape_check(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    length, batch, embed = query.shape
    source = key.size(0)
    other = _none_or_dtype(attn_mask)
    key_padding_mask = _canonical_mask(
        key_padding_mask, "key_padding_mask", other, "attn_mask", query.dtype
    )
    if is_causal and attn_mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module "
            "method `generate_square_subsequent_mask` to create this mask."
        )
    if is_causal and key_padding_mask is None and not need_weights:
        attn_mask = None
    else:
        attn_mask = _canonical_mask(attn_mask, "attn_mask", None, "", query.dtype, False)
        if key_padding_mask is not None:
            is_causal = False
    if embed != embed_dim_to_check:
        raise AssertionError(
            f"was expecting embedding dimension of {embed_dim_to_check}, but got {embed}"
        )
    head_dim = embed // num_heads
    if head_dim * num_heads != embed:
        raise AssertionError(f"embed_dim {embed} not divisible by num_heads {num_heads}")
    if use_separate_proj_weight:
        if tuple(key.shape[:2]) != tuple(value.shape[:2]):
            raise AssertionError(
                f"key's sequence and batch dims {key.shape[:2]} do not match value's "
                f"{value.shape[:2]}"
            )
        weights = q_proj_weight, k_proj_weight, v_proj_weight
        biases = (None, None, None) if in_proj_bias is None else in_proj_bias.split(embed, 0)
        for name, weight in zip("qkv", weights, strict=True):
            if weight is None:
                raise AssertionError(
                    f"use_separate_proj_weight is True but {name}_proj_weight is None"
                )
        q, k, v = _in_projection(query, key, value, *weights, *biases)
    else:
        if tuple(key.shape) != tuple(value.shape):
            raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
        if in_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
        q, k, v = _in_projection_packed(query, key, value, in_proj_weight, in_proj_bias)
    attn_mask = _checked_mask(attn_mask, batch * num_heads, length, source)

    if bias_k is not None and bias_v is not None:
        if static_k is not None or static_v is not None:
            kind = "key" if static_k is not None else "value"
            raise AssertionError(f"bias cannot be added to static {kind}.")
        k = _ops.cat([k, bias_k.repeat(1, batch, 1)])
        v = _ops.cat([v, bias_v.repeat(1, batch, 1)])
        attn_mask, key_padding_mask = _one_more(attn_mask), _one_more(key_padding_mask)
    elif bias_k is not None or bias_v is not None:
        raise AssertionError("bias_k and bias_v must both be None or both be non-None")

    heads = batch * num_heads
    q = q.view(length, heads, head_dim).transpose(0, 1)
    if static_k is None:
        k = k.view(k.size(0), heads, head_dim).transpose(0, 1)
    else:
        k = _given("static_k", static_k, heads, head_dim)
    if static_v is None:
        v = v.view(v.size(0), heads, head_dim).transpose(0, 1)
    else:
        v = _given("static_v", static_v, heads, head_dim)
    if add_zero_attn:
        blank = zeros((heads, 1, head_dim), dtype=k.dtype, device=k.device)
        k, v = _ops.cat([k, blank], 1), _ops.cat([v, blank], 1)
        attn_mask, key_padding_mask = _one_more(attn_mask), _one_more(key_padding_mask)
    source = k.size(1)
    if key_padding_mask is not None:
        for at, wanted in enumerate((batch, source)):
            if key_padding_mask.size(at) != wanted:
                raise AssertionError(
                    f"Expected key_padded_mask.shape[{at}] to be {wanted}, but got "
                    f"{key_padding_mask.size(at)}"
                )
        spread = key_padding_mask.view(batch, 1, 1, source).expand(-1, num_heads, -1, -1)
        spread = spread.reshape(heads, 1, source)
        attn_mask = spread if attn_mask is None else attn_mask + spread
    if not training:
        dropout_p = 0.0

    if need_weights:
        if is_causal and attn_mask is None:
            raise AssertionError("FIXME: is_causal not implemented for need_weights")
        scaled, keys = q * math.sqrt(1.0 / head_dim), k.transpose(-2, -1)
        if attn_mask is None:
            scores = scaled.bmm(keys)
        else:
            scores = _ops.baddbmm(attn_mask, scaled, keys)
        attention = scores.softmax(-1)
        if dropout_p > 0.0:
            attention = dropout(attention, dropout_p)
        output = attention.bmm(v).transpose(0, 1).reshape(length * batch, embed)
        output = _ops.linear(output, out_proj_weight, out_proj_bias)
        output = output.view(length, batch, output.size(1))
        attention = attention.view(batch, num_heads, length, source)
        if average_attn_weights:
            attention = attention.mean(1)
        return (output, attention) if batched else (output.squeeze(1), attention.squeeze(0))

    if attn_mask is not None:
        if attn_mask.size(0) == 1:
            attn_mask = attn_mask.unsqueeze(0)
        else:
            attn_mask = attn_mask.view(batch, num_heads, -1, source)
    by_head = [x.view(batch, num_heads, x.size(1), head_dim) for x in (q, k, v)]
    output = scaled_dot_product_attention(*by_head, attn_mask, dropout_p, is_causal)
    output = output.permute(2, 0, 1, 3).contiguous().view(batch * length, embed)
    output = _ops.linear(output, out_proj_weight, out_proj_bias)
    output = output.view(length, batch, output.size(1))
    return output if batched else output.squeeze(1), None
