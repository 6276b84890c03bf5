"""`Variable`, the old name of a tensor; programs find it in ``torch.autograd.variable``, too."""

import warnings

from minitorch.autograd import variable  # type: ignore[no-redef]
from minitorch.autograd.engine import Engine
from minitorch.autograd.variable import TensorBase

__all__ = ["Variable", "VariableMeta"]


class VariableMeta(type):
    def __instancecheck__(cls, other):
        return isinstance(other, TensorBase)


class Variable(metaclass=VariableMeta):
    """The old name of a tensor that autograd knows; ``Variable(data)`` gives a tensor.

    Parameters
    ----------
    data : Tensor, optional
        Default: an empty one.
    requires_grad : bool, default False
    volatile : optional
        Has no effect.

    Attributes
    ----------
    _execution_engine : Engine
        What runs every backward pass; any object with the same ``run_backward`` can be assigned.
    """

    _execution_engine = Engine()

    def __new__(cls, data=None, requires_grad=False, volatile=None):
        if volatile:
            warnings.warn(
                "volatile was removed and now has no effect. Use `with torch.no_grad():` instead.",
                UserWarning,
                stacklevel=2,
            )
        if volatile and requires_grad:
            raise ValueError("Variable can't be volatile and require_grad at the same time!")
        if data is None:
            return _make_empty()
        if not isinstance(data, TensorBase):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        tensor = data.detach()
        if requires_grad and not (tensor.is_floating_point() or tensor.is_complex()):
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        tensor.requires_grad = bool(requires_grad)
        return tensor


def _make_empty():
    from minitorch.autograd.functions.tensor_methods import empty

    return empty(0)


# the module of that name is compiled, and stands below this one
VariableMeta.__module__ = Variable.__module__ = variable.__name__
variable.Variable = Variable
variable.VariableMeta = VariableMeta
variable.ImperativeEngine = Engine
