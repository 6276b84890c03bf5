"""Multi-head attention."""

from minitorch.nn import functional as F
from minitorch.nn import init
from minitorch.nn._making import empty
from minitorch.nn.modules.linear import Linear
from minitorch.nn.modules.module import Module
from minitorch.nn.parameter import Parameter


class NonDynamicallyQuantizableLinear(Linear):
    """The final linear map of `MultiheadAttention`, under the name that PyTorch prints."""


class MultiheadAttention(Module):
    """Attention in several heads: weighted means of the values, with weights from queries and keys.

    Parameters
    ----------
    embed_dim, num_heads : int
        The number of features, and the number of heads they are divided into.
    dropout : float, default 0.0
        Dropout probability of the attention weights.
    bias : bool, default True
        Give the linear maps biases.
    add_bias_kv, add_zero_attn : bool, default False
        Append a learnable key and value, or a key and value of zeros.
    kdim, vdim : int, optional
        The numbers of features of the keys and values; `embed_dim` by default.
    batch_first : bool, default False
        The arguments are (batch, time, features) instead of (time, batch, features).
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    ValueError, AssertionError
        When `embed_dim` or `num_heads` is not positive, or `num_heads` does not divide `embed_dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> attention = torch.nn.MultiheadAttention(4, 2)
    >>> x = torch.zeros(3, 1, 4)
    >>> output, weights = attention(x, x, x)
    >>> output.shape, weights.shape
    (torch.Size([3, 1, 4]), torch.Size([1, 3, 3]))

    References
    ----------
    Vaswani et al. 2017, Attention Is All You Need.
    """

    def __init__(
        self,
        embed_dim,
        num_heads,
        dropout=0.0,
        bias=True,
        add_bias_kv=False,
        add_zero_attn=False,
        kdim=None,
        vdim=None,
        batch_first=False,
        device=None,
        dtype=None,
    ):
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                "embed_dim and num_heads must be greater than 0, got "
                f"embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        same = self._qkv_same_embed_dim
        widths = {"q": embed_dim, "k": self.kdim, "v": self.vdim}
        if same:
            self.in_proj_weight = Parameter(
                empty((3 * embed_dim, embed_dim), device=device, dtype=dtype)
            )
            for name in widths:
                self.register_parameter(name + "_proj_weight", None)
        else:
            for name, width in widths.items():
                weight = Parameter(empty((embed_dim, width), device=device, dtype=dtype))
                setattr(self, name + "_proj_weight", weight)
            self.register_parameter("in_proj_weight", None)
        in_bias = Parameter(empty((3 * embed_dim,), device=device, dtype=dtype)) if bias else None
        self.register_parameter("in_proj_bias", in_bias)
        self.out_proj = NonDynamicallyQuantizableLinear(
            embed_dim, embed_dim, bias=bias, device=device, dtype=dtype
        )
        if add_bias_kv:
            self.bias_k = Parameter(empty((1, 1, embed_dim), device=device, dtype=dtype))
            self.bias_v = Parameter(empty((1, 1, embed_dim), device=device, dtype=dtype))
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self):
        if self._qkv_same_embed_dim:
            init.xavier_uniform_(self.in_proj_weight)
        else:
            for weight in (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)
        for more in (self.bias_k, self.bias_v):
            if more is not None:
                init.xavier_normal_(more)

    def forward(
        self,
        query,
        key,
        value,
        key_padding_mask=None,
        need_weights=True,
        attn_mask=None,
        average_attn_weights=True,
        is_causal=False,
    ):
        """Return the attention output and, with `need_weights`, the attention weights.

        See `multi_head_attention_forward`.
        """
        turned = self.batch_first and query.dim() == 3
        if turned:
            same = key is query, value is key
            query = query.transpose(1, 0)
            key = query if same[0] else key.transpose(1, 0)
            value = key if same[1] else value.transpose(1, 0)
        output, weights = F.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return (output.transpose(1, 0) if turned else output), weights
