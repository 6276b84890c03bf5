"""The transformer, its encoder and its decoder."""

import copy
import math
import warnings

from minitorch.autograd.functions.creation import full
from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.nn import functional as F
from minitorch.nn import init
from minitorch.nn._multihead import _canonical_mask
from minitorch.nn.modules._transformer_layers import (
    TransformerDecoderLayer,
    TransformerEncoderLayer,
    _get_activation_fn,  # noqa: F401
)
from minitorch.nn.modules.container import ModuleList
from minitorch.nn.modules.module import Module
from minitorch.nn.modules.normalization import LayerNorm

__all__ = [
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
]


# private names of PyTorch that models with their own transformers import


def _generate_square_subsequent_mask(sz, device=None, dtype=None):
    return full((sz, sz), -math.inf, device=device, dtype=dtype).triu(1)


def _get_seq_len(src, batch_first):
    return src.size(0 if src.dim() == 2 or not batch_first else 1)


def _get_clones(module, N):
    return ModuleList([copy.deepcopy(module) for _ in range(N)])


def _detect_is_causal_mask(mask, is_causal=None, size=None):
    """Check whether a mask is the causal mask; `is_causal` is the answer if it is given."""
    if is_causal is not None or mask is None:
        return bool(is_causal)
    size = mask.size(-2) if size is None else size
    if tuple(mask.size()[-2:]) != (size, size):
        return False
    if mask.is_meta:
        return False
    return bool((mask == _generate_square_subsequent_mask(size, dtype=mask.dtype)).all())


def _why_not_nested(layer):
    """Return the reason why PyTorch would not use nested tensors for the layer, or ""."""
    name = "encoder_layer"
    if not isinstance(layer, TransformerEncoderLayer):
        return f"{name} was not TransformerEncoderLayer"
    if layer.norm_first:
        return f"{name}.norm_first was True"
    if not layer.self_attn.batch_first:
        return (
            f"{name}.self_attn.batch_first was not True(use batch_first for better inference "
            "performance)"
        )
    if not layer.self_attn._qkv_same_embed_dim:
        return f"{name}.self_attn._qkv_same_embed_dim was not True"
    if layer.self_attn.in_proj_bias is None:
        return f"{name}.self_attn was passed bias=False"
    if not layer.activation_relu_or_gelu:
        return f"{name}.activation_relu_or_gelu was not True"
    if layer.norm1.eps != layer.norm2.eps:
        return f"{name}.norm1.eps was not equal to {name}.norm2.eps"
    if layer.self_attn.num_heads % 2 == 1:
        return f"{name}.self_attn.num_heads is odd"
    return ""


def _left_aligned(padding):
    """Check whether the padding is at the end of each sequence."""
    real = (padding == 0).long()
    return bool((real[:, 1:] <= real[:, :-1]).all())


class TransformerEncoder(Module):
    """A stack of encoder layers.

    Parameters
    ----------
    encoder_layer : Module
        A layer, which is copied `num_layers` times.
    num_layers : int
    norm : Module, optional
        Applied to the result of the last layer.
    enable_nested_tensor : bool, default True
        Without gradients, set the output at padding positions to zero, as PyTorch's nested tensors
        do.
    mask_check : bool, default True
        Do that only if the padding is at the end of each sequence.

    Warns
    -----
    UserWarning
        When `enable_nested_tensor` has no effect.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
    >>> torch.nn.TransformerEncoder(layer, 2)(torch.zeros(1, 3, 4)).shape
    torch.Size([1, 3, 4])
    """

    def __init__(
        self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True
    ):
        super().__init__()
        self.layers = _get_clones(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        self.use_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check
        reason = _why_not_nested(encoder_layer)
        if enable_nested_tensor and reason:
            warnings.warn(
                "enable_nested_tensor is True, but self.use_nested_tensor is False because "
                f"{reason}",
                stacklevel=2,
            )
            self.use_nested_tensor = False

    def _drops_padding(self, src, mask, padding):
        first = self.layers[0]
        if not self.use_nested_tensor or first.training or src.dim() != 3:
            return False
        if padding is None or mask is not None or self.mask_check and not _left_aligned(padding):
            return False
        weights = [src, *first.parameters()]
        return not (is_grad_enabled() and any(w.requires_grad for w in weights))

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        """Apply all layers; the result has the shape of `src`.

        Parameters
        ----------
        src : Tensor
        mask, src_key_padding_mask : Tensor, optional
            See `MultiheadAttention`.
        is_causal : bool, optional
            Treat `mask` as the causal mask; by default it is compared with it.
        """
        other = None if mask is None else mask.dtype
        padding = _canonical_mask(
            src_key_padding_mask, "src_key_padding_mask", other, "mask", src.dtype
        )
        mask = _canonical_mask(mask, "mask", None, "", src.dtype, False)
        drops = self._drops_padding(src, mask, padding)
        length = _get_seq_len(src, self.layers[0].self_attn.batch_first)
        is_causal = _detect_is_causal_mask(mask, is_causal, length)
        output = src
        for layer in self.layers:
            output = layer(output, src_mask=mask, is_causal=is_causal, src_key_padding_mask=padding)
        if drops:
            output = output.masked_fill((padding != 0).unsqueeze(-1), 0.0)
        return output if self.norm is None else self.norm(output)


class TransformerDecoder(Module):
    """A stack of decoder layers.

    Parameters
    ----------
    decoder_layer : Module
        A layer, which is copied `num_layers` times.
    num_layers : int
    norm : Module, optional
        Applied to the result of the last layer.

    Examples
    --------
    >>> import minitorch as torch
    >>> decoder = torch.nn.TransformerDecoder(torch.nn.TransformerDecoderLayer(4, 2, 8), 2)
    >>> decoder(torch.zeros(3, 1, 4), torch.zeros(5, 1, 4)).shape
    torch.Size([3, 1, 4])
    """

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = _get_clones(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        """Apply all layers to `tgt`; the arguments are those of `TransformerDecoderLayer`."""
        first = self.layers[0].self_attn.batch_first
        length = _get_seq_len(tgt, first)
        tgt_is_causal = _detect_is_causal_mask(tgt_mask, tgt_is_causal, length)
        output = tgt
        for layer in self.layers:
            output = layer(
                output,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=tgt_is_causal,
                memory_is_causal=memory_is_causal,
            )
        return output if self.norm is None else self.norm(output)


class Transformer(Module):
    """An encoder, and a decoder that attends to the encoder's output.

    Parameters
    ----------
    d_model, nhead : int, default 512, 8
        The number of features, and the number of heads.
    num_encoder_layers, num_decoder_layers : int, default 6
    dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias
        See `TransformerEncoderLayer`.
    custom_encoder, custom_decoder : Module, optional
        Used instead of the default encoder and decoder.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Examples
    --------
    >>> import minitorch as torch
    >>> model = torch.nn.Transformer(4, 2, 1, 1, 8, batch_first=True)
    >>> model(torch.zeros(1, 5, 4), torch.zeros(1, 3, 4)).shape
    torch.Size([1, 3, 4])

    References
    ----------
    Vaswani et al. 2017, Attention Is All You Need.
    """

    def __init__(
        self,
        d_model=512,
        nhead=8,
        num_encoder_layers=6,
        num_decoder_layers=6,
        dim_feedforward=2048,
        dropout=0.1,
        activation=F.relu,
        custom_encoder=None,
        custom_decoder=None,
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        made = {"bias": bias, "device": device, "dtype": dtype}
        settings = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first,
                    norm_first)  # fmt: skip
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            layer = TransformerEncoderLayer(*settings, **made)
            norm = LayerNorm(d_model, eps=layer_norm_eps, **made)
            self.encoder = TransformerEncoder(layer, num_encoder_layers, norm)
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            layer = TransformerDecoderLayer(*settings, **made)
            norm = LayerNorm(d_model, eps=layer_norm_eps, **made)
            self.decoder = TransformerDecoder(layer, num_decoder_layers, norm)
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def _reset_parameters(self):
        for p in self.parameters():
            if p.dim() > 1:
                init.xavier_uniform_(p)

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        """Return the causal mask: -inf above the diagonal, 0 elsewhere.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.nn.Transformer.generate_square_subsequent_mask(2)
        tensor([[0., -inf],
                [0., 0.]])
        """
        return _generate_square_subsequent_mask(sz, dtype=dtype)

    def forward(
        self,
        src,
        tgt,
        src_mask=None,
        tgt_mask=None,
        memory_mask=None,
        src_key_padding_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        src_is_causal=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        """Encode `src` and decode `tgt` with attention to the encoded `src`.

        Raises
        ------
        RuntimeError
            When the batch sizes or the numbers of features do not match.
        """
        at = 0 if self.batch_first else 1
        if src.dim() == 3 and src.size(at) != tgt.size(at):
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(
            src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal
        )
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )
