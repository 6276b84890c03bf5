"""Operator rules for tensors on the device ``meta``, which have a shape, strides and a dtype.

See Note [Meta tensors] in ``autograd/meta.pyx``. All operators share one rule: call the operator on
tensors of zeros and keep the metadata of the result. Thus a meta tensor has the shape, dtype,
strides and errors of the operator for ordinary tensors. In-place operators write to a copy, which
is discarded. Operators whose result depends on the values of their input raise. Where zeros would
be an error (a matrix factor, a divisor), the stand-ins have other values.

The counterpart is ``torch/_meta_registrations.py``.
"""

from minitorch.autograd.current_task import _current_graph_task_id
from minitorch.autograd.functions.creation import empty_like
from minitorch.autograd.grad_mode import no_grad
from minitorch.autograd.inplace import _increment_version
from minitorch.autograd.meta import (
    _is_meta,
    as_meta,
    become,
    dims_of,
    is_number,
    meta_of,
    stand_in,
)
from minitorch.autograd.python_dispatch import switch_dispatch
from minitorch.autograd.variable import TensorBase
from minitorch.core.dtype import _dtypes
from minitorch.core.generator import Generator
from minitorch.core.types import channels_last, channels_last_3d, contiguous_format, preserve_format

_bool = _dtypes()["bool"]
_BY_CODE = {dtype._code: dtype for dtype in _dtypes().values()}
_FORMATS = {
    format._code: format
    for format in (contiguous_format, preserve_format, channels_last, channels_last_3d)
}
# PyTorch's names of operators without a meta kernel; the shape of most results depends on an
# argument's values
_WITHOUT_KERNEL = {
    "masked_select": "masked_select",
    "bincount": "bincount",
    "_unique2": "_unique2",
    "unique_dim": "unique_dim",
    "_unique_consecutive": "unique_consecutive",
    "linalg_lstsq": "linalg_lstsq.out",
}
_NONZERO = (
    "The register_meta function for torch.nonzero() raises unimplemented by default, as a correct "
    "data-independent implementation does not exist. This implementation returns a fake value, assuming "
    "all elements of the tensor are non-zero. To enable this registration, please set "
    "'torch.fx.experimental._config.meta_nonzero_assume_all_nonzero' to True."
)


def no_meta_kernel(name):
    """Return the error message for an operator that needs values."""
    return (
        f"aten::{name}: attempted to run this operator with Meta tensors, but there was no fake impl or Meta kernel "
        "registered. You may have run into this message while using an operator with PT2 compilation APIs "
        "(torch.compile/torch.export); in order to use this operator with those APIs you'll need to add a fake "
        "impl. Please see the following for next steps:  "
        "https://pytorch.org/tutorials/advanced/custom_ops_landing_page.html"
    )


# positions of arguments for which zero is an error
_NOT_ZERO = {
    "div": (1,), "div_mode": (1,), "floor_divide": (1,), "remainder": (1,), "fmod": (1,), "multinomial": (0,),
    "lu_unpack": (1,), "linalg_lu_solve": (1,), "linalg_ldl_solve": (1,),
}  # fmt: skip
_CHOLESKY = frozenset({"cholesky", "cholesky_inverse"})
# operators whose result shares memory with the input but is not a view to autograd
_SHARE = frozenset({"detach", "data"})
_MAY_MIX = frozenset({"mm", "bmm", "index", "index_put", "index_put_copy", "cdist"})


def _devices_differ(operator, arguments):
    """Raise PyTorch's error if tensors with dimensions are on two devices."""
    # a backward pass mixes in zeros from derivative formulas, which are made on the default device
    if operator.name in _MAY_MIX or _current_graph_task_id() != -1:
        return
    tensors = [a for a in _tensors(arguments) if dims_of(a)]
    if operator.name in ("addmm", "addmv", "addbmm", "baddbmm"):
        tensors = tensors[1:] + tensors[:1]
    for t in tensors[1:]:
        if _is_meta(t) != _is_meta(tensors[0]):
            here, there = ("meta", "cpu") if _is_meta(t) else ("cpu", "meta")
            raise RuntimeError(f"Tensor on device {here} is not on the expected device {there}!")


def _is_mask(index):
    return index is not None and _is_meta(index) and index.dtype == _bool


def _tensors(arguments):
    for a in arguments:
        if isinstance(a, TensorBase):
            yield a
        elif type(a) is list:
            yield from _tensors(a)


def _standing_in(argument):
    if isinstance(argument, TensorBase):
        return stand_in(argument) if _is_meta(argument) else argument
    if type(argument) is list:
        return [_standing_in(item) for item in argument]
    return argument


def _ones(argument):
    if not isinstance(argument, TensorBase) or is_number(argument):
        return argument
    return argument.new_ones(argument.shape)


def _identity(matrix):
    result = matrix.new_zeros(matrix.shape)
    result.diagonal(dim1=-2, dim2=-1).fill_(1)
    return result


def _native_dropout(input, p, train):
    return input.clone(), input == input


def _dropout_noise(input, p, feature):
    return (
        input.new_zeros((*input.shape[:2], *[1] * (input.dim() - 2))) if feature else input.clone()
    )


# random operators without a generator argument: functions whose results have the same shapes
_RANDOM = {"native_dropout": _native_dropout, "dropout_noise": _dropout_noise}


# the two factors of each product: their argument positions and the dimension that is summed over
_SUMMED_OVER = {
    "mm": ((0, 1), (1, 0)),
    "bmm": ((0, 2), (1, 1)),
    "addmm": ((1, 1), (2, 0)),
    "baddbmm": ((1, 2), (2, 1)),
}


def _check_matrices(first, second):
    for name, matrix in (("a", first), ("b", second)):
        if matrix.dim() != 2:
            raise RuntimeError(f"{name} must be 2D")
    if first.shape[1] != second.shape[0]:
        raise RuntimeError(
            "a and b must have same reduction dim, but got "
            f"{list(first.shape)} X {list(second.shape)}."
        )


def _with_short_sums(arguments, left, right):
    """Narrow the summed dimension of a product to size 1: same result shape, less work.

    Arguments whose shapes do not match are not changed, so that the operator raises its error.
    """
    (i, in_first), (j, in_second) = left, right
    first, second = arguments[i], arguments[j]
    if in_second == 0:
        _check_matrices(first, second)
    if (
        first.dim() != second.dim()
        or first.dim() <= in_first
        or first.shape[in_first] != second.shape[in_second]
        or first.shape[:in_second] != second.shape[:in_second]
        or not first.numel()
    ):
        return arguments
    result = list(arguments)
    result[i] = first.narrow(in_first, 0, 1)
    result[j] = second.narrow(in_second, 0, 1)
    return result


def _call(operator, arguments):
    """Call the operator on stand-ins, without dispatch and with a separate generator."""
    names = [parameter[0] for parameter in operator.parameters]
    if "generator" in names:
        arguments[names.index("generator")] = Generator()
    switch_dispatch(True)
    try:
        with no_grad():
            if operator.name in _SUMMED_OVER and not operator.form:
                arguments = _with_short_sums(arguments, *_SUMMED_OVER[operator.name])
            return _RANDOM.get(operator.name, operator)(*arguments)
    finally:
        switch_dispatch(False)


def _reject_values(operator, arguments):
    if operator.name == "_repeat_positions" and arguments[1] is None:
        raise RuntimeError("cannot repeat_interleave a meta tensor without output_size")
    if operator.name == "one_hot" and arguments[1] == -1:
        raise RuntimeError("Tensor.item() cannot be called on meta tensors")
    if (
        operator.name in ("nonzero", "argwhere")
        or operator.name == "index"
        and any(map(_is_mask, arguments[1]))
    ):
        raise NotImplementedError(_NONZERO)
    if operator.name in _WITHOUT_KERNEL:
        raise NotImplementedError(no_meta_kernel(_WITHOUT_KERNEL[operator.name]))


def _clone(input, memory_format):
    return empty_like(input, memory_format=_FORMATS[memory_format])


def _to_copy(input, dtype, memory_format):
    return empty_like(input, dtype=_BY_CODE[dtype], memory_format=_FORMATS[memory_format])


# copies are not computed, because a model that is moved to ``meta`` may be larger than the memory
_COPIES = {"clone": _clone, "_to_copy": _to_copy}


def compute(operator, arguments):
    _reject_values(operator, arguments)
    if operator.name in _COPIES:
        return _COPIES[operator.name](*arguments)
    if operator.name == "_repeat_positions":
        return meta_of(arguments[0].new_empty(arguments[1]))
    if operator.form:
        return _write(operator, arguments)
    _devices_differ(operator, arguments)
    given = _standing_in(list(arguments))
    for position in _NOT_ZERO.get(operator.name, ()):
        given[position] = _ones(given[position])
    if operator.name in _CHOLESKY:
        given[0] = _identity(given[0])
    result = _call(operator, given)
    keep = as_meta if operator.view or operator.name in _SHARE else meta_of
    if isinstance(result, TensorBase):
        return keep(result)
    return [keep(item) if isinstance(item, TensorBase) else item for item in result]


def _receiver(arguments):
    """Return the position of the first tensor; `polygamma_` has a number before it."""
    return next(i for i, a in enumerate(arguments) if isinstance(a, TensorBase))


def _write(operator, arguments):
    """Handle an in-place or ``out=`` call: write nothing, but give the target its new shape."""
    position = len(arguments) - 1 if operator.form == "_out" else _receiver(arguments)
    written = arguments[position]
    if not _is_meta(written):
        return _write_elsewhere(operator, written)
    if operator.view:
        view = stand_in(written)
        _call(operator, [view, *arguments[1:]])
        become(written, view)
        return written  # the view has incremented the version
    if any(t is not written for t in _tensors(arguments)):
        given = _standing_in(list(arguments))
        given[position] = copy = given[position].clone()
        _call(operator, given)
        if copy.shape != written.shape:
            become(written, copy)
    _increment_version(written)
    return written


def _write_elsewhere(operator, written):
    """Raise for writes from a meta tensor to an ordinary one, where PyTorch does."""
    if operator.name == "copy":
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
    if operator.form == "_out":
        raise RuntimeError(
            "Attempting to copy from device meta to device cpu, but cross-device copies are not allowed!"
        )
    return written
