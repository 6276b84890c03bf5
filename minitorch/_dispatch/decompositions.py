"""Decompositions of rows that compute in one kernel what PyTorch composes of several operators.

One kernel is faster for an ordinary tensor. Modes and classes with ``__torch_dispatch__`` must see
the same operators as in PyTorch, so calls to them are decomposed.
"""

import math

from minitorch._dispatch.overloads import in_a_formula
from minitorch._tensor import Tensor
from minitorch.autograd.current_task import _current_autograd_node
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import arange as _arange
from minitorch.autograd.functions.creation import empty_ as _empty
from minitorch.autograd.functions.creation import empty_like as _empty_like
from minitorch.autograd.functions.creation import ones_like as _ones_like
from minitorch.autograd.functions.creation import scalar_tensor
from minitorch.autograd.functions.creation import zeros as _zeros
from minitorch.autograd.functions.namespace import result_type as _result_type
from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.autograd.graph_api.composite_node import as_one_operator
from minitorch.autograd.operators import _operator, as_number, number_tensor
from minitorch.autograd.operators import operators as _operators
from minitorch.autograd.python_dispatch import has_own_dispatch, written_in_cpp
from minitorch.core.dtype import _dtypes
from minitorch.core.types import cpu as _cpu
from minitorch.core.types import preserve_format as _preserve_format
from minitorch.core.types import strided as _strided

_rules: dict = {}


def _rule(name, form=""):
    def register(function):
        _rules[name, form] = function
        return function

    return register


# operator -> device types for which PyTorch has a kernel, where this does not follow from the rows
_KERNELS = {"log_sigmoid": (), "mish_backward": ("cpu",), "native_channel_shuffle": ("cpu",)}


def has_kernel_for_device(overload, device_type):
    """Return whether an operator has one kernel for a device type instead of a decomposition.

    Parameters
    ----------
    overload : OpOverload
    device_type : str
        A custom operator needs a kernel for this device type.
    """
    if overload._kernels is not None:
        return {"cpu": "CPU", "meta": "Meta"}.get(device_type) in overload._kernels
    if overload._overloadname == "default" and overload._opname in _KERNELS:
        return device_type in _KERNELS[overload._opname]
    row = overload._row, overload._schema.form
    return row in _operators and row not in _rules


def decompose(operator, arguments):
    """Call the operators that PyTorch composes `operator` of; return None if it has no rule."""
    rule = _rules.get((operator.name, operator.form))
    return None if rule is None else rule(*arguments)


@_rule("_matmul")
def _matmul(self, other):
    n, m = self.dim(), other.dim()
    if n == 0 or m == 0:
        return None
    if n == 1 and m == 1:
        return self.dot(other)
    if n == 2 and m == 1:
        return self.mv(other)
    if n == 1 and m == 2:
        return self.unsqueeze(0).mm(other).squeeze_(0)
    if n == 2 and m == 2:
        return self.mm(other)
    if n >= 3 and m <= 2 or m >= 3 and n <= 2:
        return _folded(self, other)
    return _batched(self, other)


def _folded(self, other):
    """Multiply a batch and a matrix in one product, with the rows of the batch stacked."""
    swapped = self.dim() < other.dim()
    batch, matrix = (other.mT, self.t() if self.dim() == 2 else self) if swapped else (self, other)
    if not swapped and batch.requires_grad or not _folds(batch):
        if not _folds(batch):
            return _batched(self, other)
    lead = tuple(batch.shape[:-1])
    rows = batch.reshape(-1, batch.shape[-1])
    if matrix.dim() == 1:
        return _unsafe_view(rows.mv(matrix), lead)
    result = _unsafe_view(rows.mm(matrix), (*lead, matrix.shape[1]))
    return result.mT.contiguous() if swapped else result


def _folds(batch):
    strides, sizes = batch.stride(), batch.shape
    return all(strides[d] == strides[d + 1] * sizes[d + 1] for d in range(batch.dim() - 2))


def _unsafe_view(t, size):
    return _operator("_unsafe_view")(t, tuple(size))


def _batched(self, other):
    rows = self.shape[-2] if self.dim() > 1 else 1
    inner = self.shape[-1]
    columns = other.shape[-1] if other.dim() > 1 else 1
    left = tuple(self.shape[:-2])
    right = tuple(other.shape[:-2]) if other.dim() > 1 else ()
    lead = _broadcast(left, right)
    count = 1
    for n in lead:
        count *= n
    a = self.expand(*lead, rows, inner).reshape(count, rows, inner)
    b = other.unsqueeze(1) if other.dim() == 1 else other
    b = b.expand(*lead, inner, columns).reshape(count, inner, columns)
    shape = list(lead)
    if self.dim() > 1:
        shape.append(rows)
    if other.dim() > 1:
        shape.append(columns)
    return _unsafe_view(a.bmm(b), shape)


def _broadcast(left, right):
    size = max(len(left), len(right))
    left = (1,) * (size - len(left)) + left
    right = (1,) * (size - len(right)) + right
    return tuple(b if a == 1 else a for a, b in zip(left, right, strict=True))


@_rule("_linear")
def _linear(input, weight, bias):
    if input.dim() == 0 or weight.dim() == 0:
        return None
    if bias is None:
        return input.matmul(weight.t())
    if input.dim() == 2:
        return bias.addmm(input, weight.t())
    if input.is_contiguous() and bias.dim() > 0 and input.dim() > 2:
        lead = tuple(input.shape[:-1])
        transposed = weight.t()
        rows = input.view(-1, input.shape[-1])
        return bias.addmm(rows, transposed).view(*lead, weight.shape[0])
    return input.matmul(weight.t()) + bias


@_rule("native_batch_norm")
def _native_batch_norm(*arguments):
    """Create the empty reserve tensor that PyTorch creates too; the CPU kernel does not use it."""
    _empty((0,), dtype=_dtypes()["uint8"], layout=_strided)


@_rule("conj")
def _conj(self):
    return None if _is_complex(self) else self


@_rule("conj_physical")
def _conj_physical(self):
    return None if _is_complex(self) else self


def _is_complex(t):
    # a number among the arguments is wrapped in a bare handle
    return t.is_complex() if isinstance(t, Tensor) else isinstance(as_number(t), complex)


@_rule("argwhere")
def _argwhere(self):
    return self.nonzero()


@_rule("_isfinite")
def _isfinite(self):
    if self.is_complex():
        return _is_finite(self.real).bitwise_and_(_is_finite(self.imag))
    if self.is_floating_point():
        return _is_finite(self)
    with written_in_cpp():
        return _ones_like(self, dtype=_dtypes()["bool"], memory_format=_preserve_format)


def _is_finite(real):
    bounded = real.abs() != math.inf
    return (real == real) * bounded


def _of_number(name):
    """Return the rule for ``number op tensor`` in a formula, such as ``1 - x``.

    It fills a tensor like x with the number and computes in place.
    """

    def rule(self, other, option):
        number = as_number(self)
        if number is self or not in_a_formula():
            return None
        filled = _empty_like(other, memory_format=_preserve_format).fill_(number)
        return _operator(name, "_")(filled, other, option)

    return rule


_rule("sub")(_of_number("sub"))
_rule("div")(_of_number("div"))


def _moments_rule(name):
    def rule(self, dim, correction, keepdim):
        if dim is None or correction is not None:
            return None
        return _operator(name)(self, dim, 1, keepdim)

    _rule(name)(rule)


for _name in ("var_dims", "std_dims", "var_mean", "std_mean"):
    _moments_rule(_name)


@_rule("log_sigmoid")
def _log_sigmoid(self):
    return as_one_operator("log_sigmoid_forward", (self,), lambda: [None], _log_sigmoid_backward)[0]


def _log_sigmoid_backward(grad, self, buffer):
    def composed(*_):
        return grad * (-self).sigmoid()

    if is_grad_enabled():
        return composed()
    return as_one_operator("log_sigmoid_backward", (grad, self, buffer), composed, composed)


@_rule("one_hot")
def _one_hot(self, num_classes):
    if self.numel() == 0:
        return None
    if has_own_dispatch(self):
        num_classes = num_classes if num_classes > -1 else self.max().item() + 1
        return (self.unsqueeze(-1) == _arange(num_classes, dtype=self.dtype)).to(self.dtype)
    low, high = (extreme.item() for extreme in self.aminmax())
    if low < 0 or -1 < num_classes <= high:
        return None  # an error
    num_classes = num_classes if num_classes > -1 else high + 1
    zeros = _zeros((*self.shape, num_classes), dtype=self.dtype, layout=_strided)
    return zeros.scatter_(-1, self.unsqueeze(-1), 1)


@_rule("cast")
def _cast(self, dtype):
    return _operator("_to_copy")(self, dtype, 1)


def _options(t):
    """Return the options that PyTorch passes for a new tensor created in C++."""
    return {"dtype": t.dtype, "layout": _strided, "device": _cpu}


@_rule("strided_copy")
def _strided_copy(self, strides):
    in_copy_slices = type(_current_autograd_node()).__name__ == "CopySlices"
    options = {} if in_copy_slices else _options(self)
    return self.new_empty_strided(self.shape, strides, **options).copy_(self)


@_rule("reshape_alias")
def _reshape_alias(self, size):
    return _operator("view")(self, size)


@_rule("index_select_backward")
def _index_select_backward(grad_output, self_sizes, dim, index):
    return grad_output.new_zeros(self_sizes, **_options(grad_output)).index_add_(
        dim, index, grad_output
    )


@_rule("gather_backward")
def _gather_backward(grad_output, self_sizes, dim, index):
    return grad_output.new_zeros(self_sizes, **_options(grad_output)).scatter_add_(
        dim, index, grad_output
    )


@_rule("index_backward")
def _index_backward(grad_output, self_sizes, indices):
    zeros = grad_output.new_zeros(self_sizes, **_options(grad_output))
    return _operator("index_put_copy")(zeros, list(indices), grad_output, True)


@_rule("masked_select_backward")
def _masked_select_backward(grad_output, input, mask):
    return input.new_zeros(input.shape).masked_scatter_(mask, grad_output)


@_rule("unsqueeze_to_dim")
def _unsqueeze_to_dim(grad_output, dim, sizes):
    if sizes and sizes[dim] == 1:
        return grad_output.unsqueeze(dim % len(sizes))
    return grad_output.view(grad_output.shape)


@_rule("dropout_noise")
def _dropout_noise(input, p, feature):
    size = (*input.shape[:2], *(1,) * (input.dim() - 2)) if feature else None
    with written_in_cpp():
        noise = _ops.empty_like(input) if size is None else input.new_empty(size)
        noise.bernoulli_(1 - p)
        return _operator("div", "_")(noise, number_tensor(1 - p), None)


@_rule("where")
def _where(condition, self, other):
    a, b = as_number(self), as_number(other)
    if a is self and b is other:
        return None
    dtype = _result_type(a, b)
    a, b = (
        t if t is given else scalar_tensor(t, dtype=dtype, layout=_strided)
        for t, given in ((a, self), (b, other))
    )
    return _operator("where")(condition, a, b)
