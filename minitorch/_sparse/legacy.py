"""Deprecated constructors: ``torch.sparse.FloatTensor`` and the method ``new``."""

from minitorch._sparse.constructor import sparse_coo_tensor
from minitorch.core.dtype import _dtypes
from minitorch.core.once import warn_once
from minitorch.core.types import Size
from minitorch.parsing.parser import bind

# (signature, its arguments in the warning, the arguments of the replacement)
_FORMS = (
    ("new(*, Device? device=None)", "", "(0,), dtype="),
    (
        "new(Tensor indices, Tensor values, *, Device? device=None)",
        "indices, values, *, device=",
        "indices, values, dtype=, device=",
    ),
    (
        "new(Tensor indices, Tensor values, IntArrayRef size, *, Device? device=None)",
        "indices, values, shape, *, device=",
        "indices, values, shape, dtype=, device=",
    ),
    (
        "new(SymIntArrayRef size, *, Device? device=None)",
        "shape, *, device=",
        "shape, dtype=, device=",
    ),
)
_SIGNATURES = [signature for signature, _, _ in _FORMS]


def new_of_type(args, kwargs, dtype):
    """Construct ``torch.sparse.FloatTensor(...)`` or another dtype, and warn once."""
    form, given = _bound(args, kwargs, "torch.sparse.SparseTensor")
    _, old, new = _FORMS[form]
    warn_once(
        f"torch.sparse.SparseTensor({old}) is deprecated.  "
        f"Please use torch.sparse_coo_tensor({new})."
    )
    return _made(form, given, dtype)


def new_like(args, kwargs, dtype):
    """Compute the method ``new`` of a sparse tensor of this dtype."""
    return _made(*_bound(args, kwargs, "SparseTensor.new"), dtype)


def _bound(args, kwargs, name):
    """Return the index of the matching signature and its arguments."""
    form, (*given, device) = bind(_SIGNATURES, args, kwargs, name="new")
    if device is not None and device.type != "cpu":
        raise RuntimeError(
            f"legacy constructor expects device type: cpu but device type: {device.type} was passed"
        )
    # a plain sequence is ambiguous: it may be a size or data
    if form == 3 and args and isinstance(args[0], (list, tuple)) and not isinstance(args[0], Size):
        raise TypeError(
            f"{name}(sequence) only accepts sizes.  Please use torch.sparse_coo_tensor() or "
            "construct a strided tensor and convert it to sparse via to_sparse."
        )
    return form, given


def _made(form, given, dtype):
    """Return a sparse tensor from a size, or from indices and values; values keep their dtype."""
    if form in (1, 2):
        if given[0].dim() == 2 and given[0].dtype is not _dtypes()["int64"]:
            found = given[0].dtype._class_name
            raise RuntimeError(f"expected scalar type Long but found {found}")
        return sparse_coo_tensor(*given, check_invariants=False)
    size = given[0] if given else (0,)
    return sparse_coo_tensor(size, dtype=dtype, check_invariants=False)
