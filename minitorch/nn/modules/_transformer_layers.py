"""One layer of a transformer encoder, and one of a decoder."""

from minitorch.nn import functional as F
from minitorch.nn._multihead import _canonical_mask
from minitorch.nn.modules.linear import Linear
from minitorch.nn.modules.misc import Dropout
from minitorch.nn.modules.module import Module
from minitorch.nn.modules.multihead import MultiheadAttention
from minitorch.nn.modules.normalization import LayerNorm


def _get_activation_fn(activation):
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return getattr(F, activation)


class _Layer(Module):
    """Base class; subclasses may override `_sa_block`, `_mha_block` and `_ff_block`."""

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        result = self.self_attn(x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask,
                                is_causal=is_causal, need_weights=False)[0]  # fmt: skip
        return self.dropout1(result)

    def _feed(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

    def _around(self, norm, x, block, *rest, **kwargs):
        """Apply a block with its residual connection, and the norm before or after it."""
        if self.norm_first:
            return x + block(norm(x), *rest, **kwargs)
        return norm(x + block(x, *rest, **kwargs))


class TransformerEncoderLayer(_Layer):
    """Self-attention followed by two linear maps, each with a residual connection and a norm.

    Parameters
    ----------
    d_model, nhead : int
        The number of features, and the number of heads.
    dim_feedforward : int, default 2048
        The number of features between the two linear maps.
    dropout : float, default 0.1
    activation : str or callable, default relu
        The function between the two linear maps: "relu", "gelu" or a callable.
    layer_norm_eps : float, default 1e-5
    batch_first : bool, default False
        Sequences are (batch, time, features) instead of (time, batch, features).
    norm_first : bool, default False
        Normalize before each block instead of after its residual connection.
    bias : bool, default True
        Give the linear maps and norms a bias.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    RuntimeError
        For an unknown activation name.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.TransformerEncoderLayer(4, 2, 8)(torch.zeros(3, 1, 4)).shape
    torch.Size([3, 1, 4])

    References
    ----------
    Vaswani et al. 2017, Attention Is All You Need.
    """

    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation=F.relu,
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        made = {"bias": bias, "device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(
            d_model, nhead, dropout=dropout, batch_first=batch_first, **made
        )
        self.linear1 = Linear(d_model, dim_feedforward, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **made)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **made)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **made)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        if isinstance(activation, str):
            activation = _get_activation_fn(activation)
        self.activation = activation
        # `TransformerEncoder` reads this to decide whether PyTorch would take its fused path
        self.activation_relu_or_gelu = {F.relu: 1, F.gelu: 2}.get(self.activation, 0)

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        """Apply the layer; the result has the shape of `src`.

        Parameters
        ----------
        src : Tensor
        src_mask, src_key_padding_mask : Tensor, optional
            See `MultiheadAttention`.
        is_causal : bool, default False
            A hint that `src_mask` is the causal mask.
        """
        other = None if src_mask is None else src_mask.dtype
        padding = _canonical_mask(
            src_key_padding_mask, "src_key_padding_mask", other, "src_mask", src.dtype
        )
        mask = _canonical_mask(src_mask, "src_mask", None, "", src.dtype, False)

        x = self._around(self.norm1, src, self._sa_block, mask, padding, is_causal=is_causal)
        return self._around(self.norm2, x, self._ff_block)

    def _ff_block(self, x):
        return self.dropout2(self._feed(x))


class TransformerDecoderLayer(_Layer):
    """A `TransformerEncoderLayer` with attention to another sequence in the middle.

    Parameters
    ----------
    d_model, nhead : int
        The number of features, and the number of heads.
    dim_feedforward : int, default 2048
        The number of features between the two linear maps.
    dropout : float, default 0.1
    activation : str or callable, default relu
        The function between the two linear maps: "relu", "gelu" or a callable.
    layer_norm_eps : float, default 1e-5
    batch_first : bool, default False
        Sequences are (batch, time, features) instead of (time, batch, features).
    norm_first : bool, default False
        Normalize before each block instead of after its residual connection.
    bias : bool, default True
        Give the linear maps and norms a bias.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    RuntimeError
        For an unknown activation name.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.TransformerDecoderLayer(4, 2, 8)
    >>> layer(torch.zeros(3, 1, 4), torch.zeros(5, 1, 4)).shape
    torch.Size([3, 1, 4])

    References
    ----------
    Vaswani et al. 2017, Attention Is All You Need.
    """

    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation=F.relu,
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        made = {"bias": bias, "device": device, "dtype": dtype}
        for name in ("self_attn", "multihead_attn"):
            attention = MultiheadAttention(
                d_model, nhead, dropout=dropout, batch_first=batch_first, **made
            )
            setattr(self, name, attention)
        self.linear1 = Linear(d_model, dim_feedforward, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **made)
        self.norm_first = norm_first
        for k in (1, 2, 3):
            setattr(self, f"norm{k}", LayerNorm(d_model, eps=layer_norm_eps, **made))
        for k in (1, 2, 3):
            setattr(self, f"dropout{k}", Dropout(dropout))
        if isinstance(activation, str):
            activation = _get_activation_fn(activation)
        self.activation = activation

    def forward(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        tgt_is_causal=False,
        memory_is_causal=False,
    ):
        """Apply the layer; the result has the shape of `tgt`.

        Parameters
        ----------
        tgt, memory : Tensor
            The sequence, and the one it attends to.
        tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask : Tensor, optional
            The masks of the two attentions; see `MultiheadAttention`.
        tgt_is_causal, memory_is_causal : bool, default False
            Hints that a mask is the causal mask.
        """
        x = self._around(self.norm1, tgt, self._sa_block, tgt_mask, tgt_key_padding_mask,
                         tgt_is_causal)  # fmt: skip
        x = self._around(self.norm2, x, self._mha_block, memory, memory_mask,
                         memory_key_padding_mask, memory_is_causal)  # fmt: skip
        return self._around(self.norm3, x, self._ff_block)

    def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
        result = self.multihead_attn(x, mem, mem, attn_mask=attn_mask,
                                     key_padding_mask=key_padding_mask, is_causal=is_causal,
                                     need_weights=False)[0]  # fmt: skip
        return self.dropout2(result)

    def _ff_block(self, x):
        return self.dropout3(self._feed(x))
