"""Classes named after the dtypes of sparse tensors, such as ``torch.sparse.FloatTensor``."""

from minitorch._sparse.coo import is_sparse
from minitorch._sparse.legacy import new_of_type
from minitorch.autograd.variable import TensorBase
from minitorch.core.types import sparse_coo
from minitorch.tensors.tensor_types import tensor_types


class _SparseTensorType(type):
    """Metaclass whose `isinstance` check compares dtype and layout; no tensor has such a class."""

    def __instancecheck__(cls, instance):
        return (
            isinstance(instance, TensorBase) and is_sparse(instance) and instance.dtype is cls.dtype
        )

    def __subclasscheck__(cls, subclass):
        return subclass is cls

    def __call__(cls, *args, **kwargs):
        return new_of_type(args, kwargs, cls.dtype)


def tensor_types_of_sparse():
    """Return the classes by name."""
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
