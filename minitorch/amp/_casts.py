"""The casts that `autocast` applies to function arguments on the CPU: to 16 bits or to float32.

The cast of a parameter is cached until the outermost `autocast` exits. So it is cast once, and its
gradients are accumulated in the lower dtype, as in PyTorch (``aten/src/ATen/autocast_mode.h``).
Composite functions are cast here if PyTorch casts their parts.
"""

from minitorch._tensor import Tensor
from minitorch.autograd.levels import wrapped_of
from minitorch.core.dtype import _dtypes

# products
LOWER = (
    "addbmm addmm baddbmm bmm chain_matmul conv1d conv2d conv3d conv_tbc conv_transpose1d "
    "conv_transpose2d conv_transpose3d linalg_multi_dot linalg_vecdot linear matmul mm "
    "mkldnn_rnn_layer multi_head_attention_forward prelu rnn_relu_cell rnn_tanh_cell scaled_dot_product_attention "
    "tensordot"
).split()

# functions that need precision: losses, decompositions, distances
_LINALG = (
    "cholesky cholesky_ex cond det eig eigh eigvals eigvalsh householder_product inv inv_ex lstsq "
    "matrix_rank qr solve svd svdvals tensorinv tensorsolve"
)
FLOAT = (
    "adaptive_avg_pool3d adaptive_max_pool3d avg_pool3d binary_cross_entropy "
    "binary_cross_entropy_with_logits cdist cholesky cholesky_inverse cholesky_solve "
    "cosine_embedding_loss cross_entropy ctc_loss det fractional_max_pool2d fractional_max_pool3d "
    "geqrf grid_sample hinge_embedding_loss huber_loss inverse kl_div l1_loss lu_solve "
    "margin_ranking_loss max_pool3d max_unpool2d max_unpool3d mse_loss multi_margin_loss "
    "multilabel_margin_loss nanquantile nll_loss orgqr ormqr pinverse poisson_nll_loss polar prod qr "
    "quantile smooth_l1_loss soft_margin_loss stft svd trace triangular_solve triplet_margin_loss "
    "view_as_complex"
).split()
FLOAT += [f"linalg_{name}" for name in _LINALG.split()]
FLOAT += [
    f"fft_{i}{kind}{n}" for kind in ("fft", "rfft") for i in ("", "i") for n in ("", "2", "n")
]
FLOAT += ["fft_hfft", "fft_ihfft"]

# PyTorch's batching rules call other functions than these, some of which are cast
_LEFT_TO_RULES = (
    "addbmm addmm baddbmm cdist conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d "
    "cross_entropy l1_loss linalg_vecdot nll_loss prelu trace"
).split()

_kept: dict[tuple, tuple] = {}


def forget():
    """Clear the cache of cast parameters."""
    _kept.clear()


def casts(lower_dtype, keeps):
    """Return the functions that cast the arguments of a call, by the name of the function called.

    Parameters
    ----------
    lower_dtype : callable
        A function that returns the current dtype of `autocast`.
    keeps : callable
        A function that returns whether casts of parameters are cached.
    """
    wide = _dtypes()["float32"]

    def to_lower(args, kwargs):
        return _mapped(args, kwargs, lower_dtype(), keeps())

    def to_float(args, kwargs):
        return _mapped(args, kwargs, wide, False)

    def pad(args, kwargs):
        mode = kwargs.get("mode", args[2] if len(args) > 2 else "constant")
        sides = kwargs.get("pad", args[1] if len(args) > 1 else ())
        # reflection padding in three dimensions is on none of PyTorch's lists
        wide_only = mode == "replicate" or (mode == "reflect" and len(sides) != 6)
        return to_float(args, kwargs) if wide_only else (args, kwargs)

    def linear(args, kwargs):
        # without a bias it is a product, and products are cast
        bias = kwargs.get("bias", args[2] if len(args) > 2 else None)
        return (to_lower if bias is None else _left_to_rules(to_lower))(args, kwargs)

    found = {**dict.fromkeys(LOWER, to_lower), **dict.fromkeys(FLOAT, to_float), "pad": pad}
    found |= {name: _left_to_rules(found[name]) for name in _LEFT_TO_RULES}
    return found | {"linear": linear}


def _left_to_rules(cast):
    """Return a cast that does nothing if the innermost transform is `vmap`."""

    def of_no_batch(args, kwargs):
        specials = map(wrapped_of, (*args, *kwargs.values()))
        levels = [s.level for s in specials if s is not None and s.level.alive]
        innermost = max(levels, key=lambda level: level.number, default=None)
        if innermost is not None and innermost.kind == "vmap":
            return None
        return cast(args, kwargs)

    return of_no_batch


def _mapped(args, kwargs, dtype, keeps):
    """Return the arguments with tensors cast to `dtype`, or unchanged if `out` is given."""
    if kwargs.get("out") is not None:
        return args, kwargs
    by_name = {name: _cast(value, dtype, keeps) for name, value in kwargs.items()}
    return tuple(_cast(value, dtype, keeps) for value in args), by_name


def _cast(value, dtype, keeps):
    if isinstance(value, Tensor):
        return _cast_tensor(value, dtype, keeps)
    if isinstance(value, (list, tuple)) and any(isinstance(item, Tensor) for item in value):
        return type(value)([_cast(item, dtype, keeps) for item in value])
    return value


def _cast_tensor(t, dtype, keeps):
    if not t.is_floating_point() or not t.is_cpu or t.dtype in (dtype, _dtypes()["float64"]):
        return t
    if not (keeps and t.requires_grad and t.is_leaf and t.dtype is _dtypes()["float32"]):
        return t.to(dtype)
    kept = _kept.get((id(t), dtype))
    if kept is None:
        # keeps the parameter alive, so that its id is not reused
        kept = _kept[id(t), dtype] = (t, t.to(dtype))
    return kept[1]
