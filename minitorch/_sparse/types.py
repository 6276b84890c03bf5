"""The classes named after element types of sparse tensors, such as ``torch.sparse.FloatTensor``."""

from minitorch._sparse.constructor import sparse_coo_tensor
from minitorch._sparse.coo import is_sparse
from minitorch._types import tensor_types
from minitorch.autograd.variable import TensorBase
from minitorch.core.arg_errors import bind
from minitorch.core.dtype import _dtypes
from minitorch.core.once import warn_once
from minitorch.core.types import sparse_coo

# (signature, what it was called in the warning, what to call instead)
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


def _new(args, kwargs, dtype):
    """A sparse tensor of a size, or of indices and values, whose dtype it then has."""
    form, (*given, device) = bind(_SIGNATURES, args, kwargs, name="new")
    if device is not None and device.type != "cpu":
        raise RuntimeError(
            f"legacy constructor expects device type: cpu but device type: {device.type} was passed"
        )
    _, old, new = _FORMS[form]
    warn_once(
        f"torch.sparse.SparseTensor({old}) is deprecated.  "
        f"Please use torch.sparse_coo_tensor({new})."
    )
    if form in (1, 2):
        if given[0].dim() == 2 and given[0].dtype is not _dtypes()["int64"]:
            found = given[0].dtype._class_name
            raise RuntimeError(f"expected scalar type Long but found {found}")
        return sparse_coo_tensor(*given)
    return sparse_coo_tensor(given[0] if given else (0,), dtype=dtype)


class _SparseTensorType(type):
    """``isinstance(x, torch.sparse.FloatTensor)`` asks for dtype and layout; no tensor is of it."""

    def __instancecheck__(cls, instance):
        return (
            isinstance(instance, TensorBase) and is_sparse(instance) and instance.dtype is cls.dtype
        )

    def __subclasscheck__(cls, subclass):
        return subclass is cls

    def __call__(cls, *args, **kwargs):
        return _new(args, kwargs, cls.dtype)


def tensor_types_of_sparse():
    """The classes by name."""
    return {
        dense.__name__: _SparseTensorType(
            dense.__name__,
            (),
            {
                "dtype": dense.dtype,
                "layout": sparse_coo,
                "is_cuda": False,
                "is_sparse": True,
                "__module__": "torch.sparse",
                "__doc__": f"The old name of sparse tensors of {dense.dtype}.",
            },
        )
        for dense in tensor_types
        if dense.__name__ != "BoolTensor"
    }
