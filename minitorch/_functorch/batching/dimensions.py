"""Operators that name dimensions: with the batch first, every dimension is one higher."""

from minitorch._functorch.batching._common import (
    check_written,
    expanded,
    for_each_sample,
    in_front,
    is_batched,
    reshaped,
    rule,
    rules,
    wrapped,
    written,
)
from minitorch._tensor import Tensor
from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.levels import is_older
from minitorch.autograd.operators import _operator
from minitorch.core.dtype import _dtypes
from minitorch.core.tensor_impl import maybe_wrap_dim

_int64 = _dtypes()["int64"]

_DIMENSIONS = {"dim", "dims", "dim0", "dim1", "dim2", "dimension"}
# arguments with the shape of a tensor, to which the batch is added
_SIZES = {"input_sizes", "self_sizes"}

_ONE_TENSOR = """
    _softmax _safe_softmax _log_softmax cumsum cumprod logcumsumexp cummax cummin sum_dim mean_dim prod_dim_int nansum all_dims
    any_dims amax amin max_dim min_dim var_dims std_dims
    var_mean std_mean linalg_vector_norm norm_dim logsumexp count_nonzero hash_tensor flip
    sort sort_stable argsort topk kthvalue median_dim nanmedian_dim mode glu select slice
    transpose diagonal unfold split split_with_sizes unbind unsafe_split unsafe_split_with_sizes
    narrow_copy select_copy slice_copy squeeze_copy_dim squeeze_copy_dims transpose_copy diagonal_copy
    unfold_copy split_copy split_with_sizes_copy unbind_copy _fft_r2c _fft_c2r _fft_c2c select_backward
    slice_backward diagonal_backward unfold_backward
"""

# all tensors of these operators have the named dimensions
_SEVERAL_TENSORS = """
    _softmax_backward_data _log_softmax_backward_data gather gather_backward scatter_src scatter_value scatter_add
    scatter_reduce scatter_src_reduce scatter_value_reduce diagonal_scatter
    glu_backward
"""

# these name a dimension of the result
_OF_RESULT = """unsqueeze unsqueeze_copy"""

# these raise an error for a scalar, which has no dimensions
_OF_NO_SCALAR = "unbind unbind_copy select slice split split_with_sizes unsafe_split unsafe_split_with_sizes flip".split()

# their in-place forms change the shape of the tensor
_RESHAPING = {"transpose", "unsqueeze"}


def shifted(operator, arguments, ndim):
    """Return the arguments with dimensions counted for batches of `ndim`-dimensional tensors.

    Tensors are left unchanged.
    """
    result = []
    for (name, kind, _), value in zip(operator.parameters, arguments, strict=True):
        # an empty list means all dimensions, except in squeeze and flip
        if name in _DIMENSIONS and (
            value != () or not operator.name.startswith(("squeeze", "flip"))
        ):
            value = _shifted(value, ndim, kind)
        result.append(value)
    return result


def _shifted(dim, ndim, kind):
    if kind.startswith("int["):
        if dim is None or len(dim) == 0:
            return tuple(range(1, ndim + 1))
        return tuple(_shifted(d, ndim, "int") for d in dim)
    if dim is None:
        return None
    # a dimension out of range stays out of range, so that the operator raises the error
    return dim + 1 if dim >= 0 else dim + ndim + 1 if dim + ndim >= 0 else dim - 1


def shifting(operator, arguments, level):
    """Apply an operator with the batch first in batched tensors, and dimensions one higher."""
    check_written(operator, arguments, level)
    ndim = next(a.dim() for a in arguments if isinstance(a, Tensor))
    for (name, _, _), value in zip(operator.parameters, arguments, strict=True):
        if name in _SIZES:
            ndim = len(value)
    limit = ndim + (operator.name in _OF_RESULT)
    for (name, _, _), value in zip(operator.parameters, arguments, strict=True):
        if name in _DIMENSIONS:
            check_range(value, limit)
    scalar = ndim == 0
    if scalar and operator.name == "transpose" and not operator.form:
        # as in PyTorch, the tensor itself and no view of it
        return wrapped(in_front(arguments[0], level), level)
    if scalar and any(name in _SIZES for name, _, _ in operator.parameters):
        return for_each_sample(operator, arguments, level)
    values = []
    shifts = shifted(
        operator, arguments, max(ndim, 1) + (operator.name in _OF_RESULT and not scalar)
    )
    if operator.form == "_" and operator.name in _RESHAPING:
        if scalar and operator.name not in _OF_RESULT:
            return arguments[0]
        dims = [0] if scalar else [d - 1 for d in shifts[1:]]
        return reshaped(operator, arguments[0], level, dims)
    if operator.name in _OF_RESULT and scalar:
        values = [in_front(a, level) if is_batched(a, level) else 1 for a in arguments]
        return wrapped(operator(*values), level)
    for (name, _, _), value in zip(operator.parameters, shifts, strict=True):
        if is_batched(value, level):
            value = in_front(value, level)
            if scalar and value.dim() == 1 and operator.name not in _OF_NO_SCALAR:
                value = value.unsqueeze(1)
        elif name in _SIZES:
            value = (level.batch_size, *value)
        values.append(value)
    result = operator(*values)
    if operator.form:
        return written(operator, arguments)
    if scalar:
        result = _without_ones(result)
    return wrapped(result, level)


def check_range(dim, ndim):
    """Raise an IndexError for a dimension out of the range that the program sees."""
    for d in dim if isinstance(dim, tuple) else (dim,):
        if d is not None:
            maybe_wrap_dim(d, ndim)


def _without_ones(result):
    if isinstance(result, (tuple, list)):
        return type(result)([_without_ones(item) for item in result])
    return result.squeeze(1) if isinstance(result, Tensor) and result.dim() > 1 else result


def together(operator, arguments, level):
    """Apply `shifting` after repeating the tensors without a batch."""
    check_written(operator, arguments, level)
    dims = {a.dim() for a in arguments if isinstance(a, Tensor)}
    if dims == {0, 1}:
        of_places = operator.name.startswith(("gather", "scatter"))
        by = _of_vectors if of_places else for_each_sample
        return by(operator, arguments, level)
    given = [
        wrapped(expanded(a, level), level)
        if isinstance(a, Tensor) and not is_batched(a, level)
        else a
        for a in arguments
    ]
    return shifting(operator, given, level)


def _of_vectors(operator, arguments, level):
    """Apply `together` where numbers are vectors of one element.

    The result has as many dimensions as `index` for gather, otherwise as many as `self`.
    """
    vectors = [a.reshape(1) if isinstance(a, Tensor) and a.dim() == 0 else a for a in arguments]
    result = together(operator, vectors, level)
    names = [name for name, _, _ in operator.parameters]
    like = arguments[names.index("index") if operator.name == "gather" else 0]
    if operator.form:
        return arguments[0]
    return result if like.dim() else result.reshape(())


for _name in [*_ONE_TENSOR.split(), *_OF_RESULT.split()]:
    rules[_name] = shifting
for _name in _SEVERAL_TENSORS.split():
    rules[_name] = together


@rule("flip")
def _flip(operator, arguments, level):
    # the older vmap has no rule for it
    return (for_each_sample if is_older(level) else shifting)(operator, arguments, level)


@rule("_softmax_backward_data", "_log_softmax_backward_data")
def _softmax_backward(operator, arguments, level):
    grad, output, *_ = arguments
    if grad.dim() or output.dim() or is_older(level):
        return together(operator, arguments, level)
    # the softmax of a single number is constant, so nothing is recorded
    like = grad if is_batched(grad, level) else output
    return wrapped(_creation.zeros_like(in_front(like, level)), level)


# PyTorch's rules for the next two use a scatter, hence these error messages


@rule("select_scatter")
def _select_scatter(operator, arguments, level):
    self, src, dim, index = arguments
    check_range(index, self.size(dim))
    if self.dtype != src.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    # only one of the equal parts, because otherwise each would get the whole gradient
    src = src.unsqueeze(dim).expand(self.shape).select(dim, 0)
    batch = wrapped(expanded(self, level).contiguous(), level)
    return together(operator, (batch, src, dim, index), level)


@rule("slice_scatter")
def _slice_scatter(operator, arguments, level):
    self, src, dim, start, end, step = arguments
    first, last, _ = slice(start, end).indices(self.size(dim))
    places = along(_creation.arange(first, max(first, last), step), self.shape, dim)
    return _operator("scatter_src")(self, dim, places, src)


def along(index, shape, dim):
    """Expand positions in dimension `dim` to `shape`, equal along other dimensions."""
    dim %= len(shape)
    rest = shape[dim + 1 :]
    return index.reshape(-1, *(1,) * len(rest)).expand(*shape[:dim], -1, *rest)


@rule("cat", "stack")
def _joined(operator, arguments, level):
    tensors, dim = arguments
    if operator.name == "cat" and any(t.dim() > 1 for t in tensors):
        # an empty tensor of one dimension is skipped
        tensors = [t for t in tensors if tuple(t.shape) != (0,)]
    ndim = tensors[0].dim() + (operator.name == "stack")
    check_range(dim, ndim)
    batches = [expanded(t, level) for t in tensors]
    return wrapped(operator(batches, _shifted(dim, ndim, "int")), level)
