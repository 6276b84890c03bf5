"""Functions without a batching rule in PyTorch: see Note [Functions without a batching rule]."""

import functools

from minitorch._functorch.batching._common import check_has_samples, in_place_error, is_batched
from minitorch._functorch.batching.fallback import warn_of_fallback
from minitorch._functorch.batching.schemas import full_name, misfits
from minitorch._tensor import Tensor
from minitorch.autograd.by_sample import (
    LISTS,
    VIEW,
    WithoutRule,
    name_for,
)
from minitorch.autograd.levels import refresh, wrap_tensor
from minitorch.autograd.operators import _operator
from minitorch.autograd.vmap_steps import unwrapped
from minitorch.composed.foreach import BINARY, UNARY
from minitorch.core.types import contiguous_format


def for_batch(rule, function, args, kwargs, level):
    """Return the stacked results of `function` for the samples of `level`.

    Returns None if PyTorch has a rule, or no overload for these arguments.
    """
    name = name_for(rule, args, kwargs)
    if name is None or misfits(function.__name__, args, kwargs):
        return None
    if rule.refused:
        raise RuntimeError(rule.refused.format(name=name))
    warn_of_fallback(name, level)
    in_place = name.partition(".")[0].endswith("_")
    if in_place and not is_batched(args[0], level):
        raise in_place_error(name.partition(".")[0], f"at level {level.number}")
    check_has_samples(name, level)
    results = [
        function(
            *(_sample(a, level, k) for a in args),
            **{key: _sample(a, level, k) for key, a in kwargs.items()},
        )
        for k in range(level.batch_size)
    ]
    if in_place:
        refresh(args[0])
        return args[0]
    return _stacked(results, level)


def _sample(argument, level, index):
    if isinstance(argument, (tuple, list)) and any(isinstance(a, Tensor) for a in argument):
        return [_sample(a, level, index) for a in argument]
    if not isinstance(argument, Tensor):
        return argument
    value, dim = unwrapped(argument, level)
    return value if dim is None else value.select(dim, index)


def _stacked(results, level):
    first = results[0]
    if isinstance(first, Tensor):
        return wrap_tensor(_operator("stack")(results, 0), level, 0)
    if isinstance(first, (tuple, list)):
        parts = [_stacked(list(part), level) for part in zip(*results, strict=True)]
        return type(first)(parts)
    return first


# ---- second names in place, and rows that are composed


def _second_of(args, kwargs, at=1):
    """Return the second argument, whatever its name."""
    return args[at] if len(args) > at else next(iter(kwargs.values()), None)


def _by_other(name):
    """Return a function that adds to the name the overload for tensors or for numbers."""

    def full_name(args, kwargs):
        overload = "Tensor" if isinstance(_second_of(args, kwargs), Tensor) else "Scalar"
        return f"aten::{name}.{overload}"

    return full_name


def _clip(args, kwargs):
    bounds = (*args[1:], *kwargs.values())
    return "aten::clip_.Tensor" if any(isinstance(b, Tensor) for b in bounds) else "aten::clip_"


def _subtract(name, otherwise):
    """Return a function that names the overload for numbers if `alpha` is given without its name."""
    return lambda args, kwargs: f"aten::{name}.Scalar" if len(args) == 3 else otherwise


def _moveaxis(args, kwargs):
    ints = isinstance(_second_of(args, kwargs), int)
    return "aten::moveaxis.int" if ints else None


def _narrow(args, kwargs):
    start = args[2] if len(args) > 2 else kwargs.get("start")
    return "aten::narrow.Tensor" if isinstance(start, Tensor) else None


def _tensor_split(args, kwargs):
    sections = isinstance(_second_of(args, kwargs), Tensor)
    return "aten::tensor_split.tensor_indices_or_sections" if sections else None


def _scalar_or_tensor(name, plain):
    """Return a function that names the overload by whether the second argument is a tensor."""
    return lambda args, kwargs: (
        f"aten::{name}{'' if isinstance(_second_of(args, kwargs), Tensor) else plain}"
    )


def _isin(args, kwargs):
    kinds = [*args, *kwargs.values()][:2]
    return "aten::isin." + "_".join("Tensor" if isinstance(a, Tensor) else "Scalar" for a in kinds)


def _histogram(args, kwargs):
    bins = isinstance(_second_of(args, kwargs), Tensor)
    return f"aten::histogram.{'bins_tensor' if bins else 'bin_ct'}"


def _histogramdd(args, kwargs):
    bins = _second_of(args, kwargs)
    if isinstance(bins, int):
        return "aten::histogramdd.int_bins"
    tensors = any(isinstance(b, Tensor) for b in bins)
    return f"aten::histogramdd{'.TensorList_bins' if tensors else ''}"


def _matrix_rank(args, kwargs):
    tolerances = [*args[1:2], kwargs.get("tol")]
    given = any(isinstance(t, Tensor) for t in tolerances)
    return "aten::linalg_matrix_rank.tol_tensor" if given else None


def _cond(args, kwargs):
    return "aten::linalg_cond.p_str" if isinstance(_second_of(args, kwargs), str) else None


def _pinv(args, kwargs):
    given = any(isinstance(t, Tensor) for t in [*args[1:2], kwargs.get("rcond")])
    return "aten::linalg_pinv.rcond_tensor" if given else None


def _isclose(args, kwargs):
    # for any other argument the operator raises an error
    given = any(isinstance(t, Tensor) for t in [*args[1:2], kwargs.get("other")])
    return "aten::isclose" if given else None


def _contiguous(args, kwargs):
    memory_format = kwargs.get("memory_format", contiguous_format)
    return None if memory_format is contiguous_format else "aten::contiguous"


_LOOPED = """
    lu_solve linalg_tensorsolve stft istft pdist fft_ihfft2 fft_ihfftn norm_except_dim
    negative_ fix_ square_ chalf argwhere hash_tensor kl_div diagflat vander
    as_strided_ fill_diagonal_ to_dense
"""
_NO_RETURNS = "Batching rule not implemented for {name}. The fallback path does not support operations with no returns."


def _assert_async(args, kwargs):
    message = len(args) > 1 or "assert_msg" in kwargs
    return f"aten::_assert_async{'.msg' if message else ''}"


# lists of tensors
_LISTED = [
    f"_foreach_{name}{end}"
    for name in (*UNARY, *BINARY, "addcdiv", "addcmul", "lerp", "zero", "copy")
    for end in ("", "_")
]
_COMPARISONS = "greater_ greater_equal_ less_ less_equal_ not_equal_ float_power_"

WITHOUT_RULE = (
    {name: WithoutRule(f"aten::{name}") for name in _LOOPED.split()}
    | {name: WithoutRule(_by_other(name)) for name in _COMPARISONS.split()}
    | {
        name: WithoutRule(functools.partial(full_name, name), LISTS, False)
        for name in (*_LISTED, "_foreach_norm", "_foreach_max")
    }
    | {
        "subtract": WithoutRule(_subtract("subtract", None)),
        # it takes a number as a tensor
        "subtract_": WithoutRule(_subtract("subtract_", "aten::subtract_.Tensor")),
        "clip_": WithoutRule(_clip),
        "contiguous": WithoutRule(
            _contiguous,
            "NYI: querying is_contiguous inside of vmap for memory_format other than torch.contiguous_format",
        ),
        "coalesce": WithoutRule("aten::coalesce", VIEW),
        "pin_memory": WithoutRule("aten::pin_memory", VIEW),
        "moveaxis": WithoutRule(_moveaxis, VIEW),
        "narrow": WithoutRule(_narrow, VIEW),
        "tensor_split": WithoutRule(_tensor_split, LISTS),
        "column_stack": WithoutRule("aten::column_stack", LISTS),
        "quantile": WithoutRule(_scalar_or_tensor("quantile", ".scalar")),
        "nanquantile": WithoutRule(_scalar_or_tensor("nanquantile", ".scalar")),
        "isclose": WithoutRule(_isclose),
        "isin": WithoutRule(_isin, composed=False),
        "histogram": WithoutRule(_histogram, composed=False),
        "histogramdd": WithoutRule(_histogramdd, LISTS),
        "linalg_matrix_rank": WithoutRule(_matrix_rank),
        "linalg_cond": WithoutRule(_cond),
        "linalg_pinv": WithoutRule(_pinv),
        # samples have no memory of their own that could be set
        "set_": WithoutRule(functools.partial(full_name, "set_")),
        "resize_as_": WithoutRule("aten::resize_as_"),
        "_assert_async": WithoutRule(_assert_async, _NO_RETURNS, False),
        "is_pinned": WithoutRule("aten::is_pinned", LISTS, False),
        "is_set_to": WithoutRule("aten::is_set_to", LISTS, False),
    }
)
