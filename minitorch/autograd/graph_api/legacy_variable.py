"""`Variable`, the old name of a tensor; also available in ``torch.autograd.variable``."""

import warnings

from minitorch.autograd import variable  # type: ignore[no-redef]
from minitorch.autograd.engine import Engine, read_flag
from minitorch.autograd.python_function import _FunctionBase
from minitorch.autograd.variable import TensorBase

__all__ = ["Variable", "VariableMeta"]


class VariableMeta(type):
    def __instancecheck__(cls, other):
        return isinstance(other, TensorBase)


class Variable(metaclass=VariableMeta):
    """The old tensor class of autograd; ``Variable(data)`` returns a tensor.

    Parameters
    ----------
    data : Tensor, optional
        Default: an empty tensor.
    requires_grad : bool, default False
        Record operators on the result.
    volatile : bool, default False
        Has no effect.
    _grad_fn : optional
        No longer supported; raises an error if given.

    Attributes
    ----------
    _execution_engine : Engine
        Runs every backward pass; any object with the same ``run_backward`` can be assigned.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.autograd.Variable(torch.ones(2), requires_grad=True)
    tensor([1., 1.], requires_grad=True)
    """

    _execution_engine = Engine()

    def __new__(cls, data=None, requires_grad=False, volatile=False, _grad_fn=None):
        requires_grad, volatile = read_flag(requires_grad), read_flag(volatile)
        if volatile:
            warnings.warn(
                "volatile was removed and now has no effect. Use `with torch.no_grad():` instead.",
                UserWarning,
                stacklevel=2,
            )
        if volatile and requires_grad:
            raise ValueError("Variable can't be volatile and require_grad at the same time!")
        if not isinstance(_grad_fn, (_FunctionBase, type(None))):
            raise TypeError(
                f"_grad_fn has to be a Function object or None, but got {type(_grad_fn).__name__}"
            )
        if not isinstance(data, (TensorBase, type(None))):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        if _grad_fn is not None:
            raise RuntimeError(
                "_grad_fn argument to legacy Variable constructor is no longer supported.  Instead, "
                "please invoke your _grad_fn to produce a variable with it as the _grad_fn."
            )
        tensor = _make_empty() if data is None else data.detach()
        if requires_grad and not (tensor.is_floating_point() or tensor.is_complex()):
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        tensor.requires_grad = requires_grad
        return tensor


def _make_empty():
    from minitorch.autograd.functions.tensor_methods import empty

    return empty(0)


# the compiled module of the same name is imported before this one
VariableMeta.__module__ = Variable.__module__ = variable.__name__
variable.Variable = Variable
variable.VariableMeta = VariableMeta
variable.ImperativeEngine = Engine
