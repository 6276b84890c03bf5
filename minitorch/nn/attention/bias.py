"""Attention masks that are defined by their shape."""

import enum
import warnings

from minitorch._tensor import Tensor
from minitorch.autograd.functions.creation import ones
from minitorch.core.dtype import _dtypes
from minitorch.nn.functional import scaled_dot_product_attention

__all__ = ["CausalBias", "CausalVariant", "causal_lower_right", "causal_upper_left"]


class CausalVariant(enum.IntEnum):
    """The corner in which the diagonal of a causal mask is anchored if the mask is not square."""

    UPPER_LEFT = 1
    LOWER_RIGHT = 2


class CausalBias(Tensor):
    """A causal mask for `scaled_dot_product_attention`, created when it is needed.

    Parameters
    ----------
    variant : CausalVariant
    seq_len_q, seq_len_kv : int
        The numbers of queries and keys.

    Raises
    ------
    AssertionError
        If `variant` is not a `CausalVariant`.

    Warns
    -----
    UserWarning
        For `LOWER_RIGHT` with more queries than keys: the first queries attend to nothing.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.attention.bias import causal_lower_right
    >>> causal_lower_right(2, 3)
    tensor([[ True,  True, False],
            [ True,  True,  True]])
    """

    def __init__(self, variant, seq_len_q, seq_len_kv):
        if not isinstance(variant, CausalVariant):
            raise AssertionError(f"variant must be a CausalVariant, got {type(variant).__name__}")
        self.variant = variant
        self.seq_len_q = seq_len_q
        self.seq_len_kv = seq_len_kv
        if seq_len_q > seq_len_kv and variant == CausalVariant.LOWER_RIGHT:
            warnings.warn(
                "Lower right causal bias will produce NaNs in the output when seq_len_q > seq_len_kv!",
                stacklevel=2,
            )

    def _materialize(self, device=None):
        """Return the mask, True where a query may attend to a key."""
        lower = self.variant == CausalVariant.LOWER_RIGHT
        mask = ones(self.seq_len_q, self.seq_len_kv, dtype=_dtypes()["bool"])
        return mask.tril(self.seq_len_kv - self.seq_len_q if lower else 0)

    def __repr__(self):
        return repr(self._materialize())

    @staticmethod
    def _dispatch(query, key, value, attn_mask, dropout_p=0.0, is_causal=False, scale=None,
                  enable_gqa=False):  # fmt: skip
        if is_causal:
            raise ValueError("CausalBias should not be used with causal=True")
        more = {"dropout_p": dropout_p, "scale": scale, "enable_gqa": enable_gqa}
        square = attn_mask.seq_len_q == attn_mask.seq_len_kv
        if square or attn_mask.variant == CausalVariant.UPPER_LEFT:
            return scaled_dot_product_attention(query, key, value, is_causal=True, **more)
        mask = attn_mask._materialize()
        return scaled_dot_product_attention(query, key, value, attn_mask=mask, **more)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = {} if kwargs is None else kwargs
        if func is scaled_dot_product_attention:
            return cls._dispatch(*args, **kwargs)
        return super().__torch_function__(func, types, args, kwargs)


def _causal(name, variant, size):
    if len(size) != 2:
        raise AssertionError(f"{name} only supports 2D tensors")
    return CausalBias(variant, *size)


def causal_upper_left(*size):
    """Return a mask whose diagonal starts in the upper left corner; see `CausalBias`."""
    return _causal("causal_upper_left", CausalVariant.UPPER_LEFT, size)


def causal_lower_right(*size):
    """Return a mask whose diagonal ends in the lower right corner; see `CausalBias`."""
    return _causal("causal_lower_right", CausalVariant.LOWER_RIGHT, size)
