"""Rules of functions and operators for `MaskedTensor`."""

import math

import minitorch.masked._ops as _masked
from minitorch._tensor import Tensor
from minitorch.autograd.function import Function
from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.masked.maskedtensor.binary import BINARY_NAMES, INPLACE_BINARY_NAMES
from minitorch.masked.maskedtensor.core import (
    FUNCTION_RULES,
    OPERATOR_RULES,
    MaskedTensor,
    _Made,
    _masks_match,
    is_masked_tensor,
)
from minitorch.masked.maskedtensor.reductions import REDUCE_NAMES
from minitorch.masked.maskedtensor.unary import INPLACE_UNARY_NAMES, UNARY_NAMES

_MOVES = """
select transpose split t slice slice_backward select_backward index expand view _unsafe_view _reshape_alias cat
unsqueeze unfold unfold_backward im2col col2im stack
""".split()


def _each(values, take):
    """Apply `take` to each masked tensor, also inside lists and tuples."""
    if is_masked_tensor(values):
        return take(values)
    if isinstance(values, (list, tuple)):
        return type(values)(_each(value, take) for value in values)
    return values


def _data_of(values):
    return _each(values, lambda masked: masked._masked_data)


def _mask_of(values):
    return _each(values, lambda masked: masked._masked_mask)


def _wrapped(data, mask):
    if isinstance(data, (list, tuple)):
        return type(data)(_wrapped(d, m) for d, m in zip(data, mask, strict=True))
    return MaskedTensor(data, mask)


# ---- rules of operators; the first argument is the operator


def _unary(func, *args, **kwargs):
    if kwargs:
        raise ValueError(
            "MaskedTensor unary ops require that len(kwargs) == 0. If you need support for this, please open "
            "an issue on Github."
        )
    if any(isinstance(value, Tensor) for value in args[1:]):
        raise TypeError("MaskedTensor unary ops do not support additional Tensor arguments")
    return _finish(func, args, func(*_data_of(args)), args[0].get_mask())


def _binary(func, *args, **kwargs):
    if kwargs:
        raise ValueError("len(kwargs) must equal 0")
    if any(isinstance(value, Tensor) for value in args[2:]):
        raise TypeError(
            "MaskedTensor binary ops do not support Tensor arguments aside from the lhs and rhs"
        )
    if not _masks_match(*args[:2]):
        raise ValueError(
            "Input masks must match. If you need support for this, please open an issue on Github."
        )
    mask = (args[0] if is_masked_tensor(args[0]) else args[1]).get_mask()
    return _finish(func, args, func(*_data_of(args)), mask)


def _finish(func, args, data, mask):
    """Return the result; for an in-place operator, update and return the first operand."""
    if not func.overloadpacket.__name__.endswith("_"):
        return MaskedTensor(data, mask.expand_as(data))
    args[0]._set_data_mask(data, mask)
    return args[0]


def _move(func, *args, **kwargs):
    given, asked = (args, kwargs), (list(kwargs), list(kwargs.values()))
    data = func(*_data_of(given[0]), **dict(zip(asked[0], _data_of(asked[1]), strict=True)))
    mask = func(*_mask_of(given[0]), **dict(zip(asked[0], _mask_of(asked[1]), strict=True)))
    return _wrapped(data, mask)


def _with_same_mask(func, masked, *args, **kwargs):
    return MaskedTensor(func(masked._masked_data, *args, **kwargs), masked.get_mask())


def _on_data(func, masked, *args, **kwargs):
    return func(masked._masked_data, *args, **kwargs)


def _item(func, masked):
    if not masked.get_mask():
        raise ValueError(f"__torch_dispatch__, {func.overloadpacket}: expected a mask tensor")
    return masked._masked_data.item()


def _copy(func, to, source, non_blocking=False):
    to._masked_data.copy_(_data_of(source))
    return to


def _as_masked(value, like):
    """Convert a tensor or number to a masked tensor without masked-out elements."""
    if is_masked_tensor(value):
        return value
    if not isinstance(value, Tensor):
        value = like._masked_data.new_full((), value)
    return MaskedTensor(value, value.isnan() | True)


def _where(func, condition, one, other):
    one, other = _as_masked(one, other), _as_masked(other, one)
    data, mask = _data_of([one, other]), _mask_of([one, other])
    return MaskedTensor(_rows.where(condition, *data), _rows.where(condition, *mask))


def _softmax(func, masked, dim, half_to_float):
    data, mask = masked._masked_data, masked.get_mask()
    return MaskedTensor(data.masked_fill(~mask, -math.inf).softmax(dim), mask)


def _softmax_backward(func, grad, output, dim, input_dtype):
    if not (is_masked_tensor(grad) and is_masked_tensor(output)):
        raise ValueError(
            f"__torch_dispatch__, {func.overloadpacket}: grad and output must both be MaskedTensors"
        )
    if not _masks_match(grad, output):
        raise ValueError(
            f"__torch_dispatch__, {func.overloadpacket}: expected the masks of grad and output to match"
        )
    weight = output._masked_data
    slope = grad._masked_data.masked_fill(~grad.get_mask(), 0)
    data = weight * (slope - (slope * weight).sum(dim, keepdim=True))
    return MaskedTensor(data, grad.get_mask())


# ---- rules of functions, which record their own gradients


class _Reduced(_Made):
    """Function that wraps the result of a reduction; the data receive a gradient without a mask."""

    @staticmethod
    def backward(ctx, grad):
        return (grad.to_tensor(0) if is_masked_tensor(grad) else grad), None


class _Where(Function):
    @staticmethod
    def forward(ctx, condition, one, other):
        ctx.save_for_backward(condition)
        return _where(None, condition, one, other)

    @staticmethod
    def backward(ctx, grad):
        (condition,) = ctx.saved_tensors
        nothing = MaskedTensor(grad.get_data(), grad.get_mask() & False)
        return (
            None,
            _where(None, condition, grad, nothing),
            _where(None, condition, nothing, grad),
        )


class _Contiguous(Function):
    @staticmethod
    def forward(ctx, masked):
        return _wrapped(masked._masked_data.contiguous(), masked.get_mask().contiguous())

    @staticmethod
    def backward(ctx, grad):
        return grad


def _all(data, dim=None, keepdim=False, mask=None):
    data = data.masked_fill(~mask, True)
    return data.all() if dim is None else data.all(dim, keepdim=keepdim)


def _any(mask, dim, keepdim):
    for d in sorted([dim] if isinstance(dim, int) else dim, reverse=True):
        mask = mask.any(d, keepdim=keepdim)
    return mask


def _reduction(name):
    """Return the rule of a reduction over all elements or along dimensions."""
    function = _all if name == "all" else getattr(_masked, name)

    def reduce(self, *args, **kwargs):
        mask = self.get_mask()
        if not args and not kwargs:
            return _Reduced.apply(
                function(self.get_data(), mask=mask, **_everything(name)), mask.any()
            )
        return reduce_dim(self, *args, **kwargs)

    def reduce_dim(self, dim, keepdim=False, dtype=None):
        if not is_masked_tensor(self):
            raise TypeError("Input to reduce_dim must be a MaskedTensor")
        mask, options = self.get_mask(), {} if name == "all" else {"dtype": dtype}
        data = function(self.get_data(), dim=dim, keepdim=keepdim, mask=mask, **options)
        return _Reduced.apply(data, _any(mask, dim, keepdim))

    return reduce


def _on_reduction(name):
    """Return the rule of the operator of a reduction."""
    rule = _reduction(name)
    return lambda func, *args, **kwargs: rule(*args, **kwargs)


def _everything(name):
    return {"dim": None} if name in ("var", "std") else {}


def _no_sparse(masked, *args, **kwargs):
    raise NotImplementedError("minitorch has no MaskedTensor of sparse data")


FUNCTION_RULES |= {
    **{name: _reduction(name) for name in REDUCE_NAMES},
    "where": lambda *args: _Where.apply(*args),
    "contiguous": lambda self: self if self.is_contiguous() else _Contiguous.apply(self),
    "to_dense": lambda self: self,
    "to_sparse": _no_sparse,
    "to_sparse_coo": _no_sparse,
}
OPERATOR_RULES |= {
    **dict.fromkeys([*UNARY_NAMES, *INPLACE_UNARY_NAMES], _unary),
    **dict.fromkeys([*BINARY_NAMES, *INPLACE_BINARY_NAMES], _binary),
    **dict.fromkeys(_MOVES, _move),
    **dict.fromkeys(
        ["detach", "clone", "_to_copy", "ones_like", "new_empty_strided"], _with_same_mask
    ),
    "is_contiguous": _on_data,
    "_local_scalar_dense": _item,
    "copy_": _copy,
    "where": _where,
    "_softmax": _softmax,
    "_softmax_backward_data": _softmax_backward,
    **{name: _on_reduction(name) for name in REDUCE_NAMES},
}
