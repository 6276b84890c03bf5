"""Operators that do next to nothing: PyTorch has them so that what stands around operators can be tried out."""

import warnings

from minitorch.autograd.function import Function
from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.core.arg_errors import bind

_DISPATCH = [
    "_test_autograd_multiple_dispatch(Tensor input)",
    "_test_autograd_multiple_dispatch(Tensor input, bool b)",
]


class TestAutogradMultipleDispatch(Function):
    """A copy whose gradient has 1 too much, by which one sees that this formula was taken."""

    @staticmethod
    def forward(ctx, t):
        """The copy."""
        return t.clone()

    @staticmethod
    def backward(ctx, grad):
        """The gradient, and 1."""
        return grad + 1

    @staticmethod
    def jvp(ctx, tangent):
        """The tangent."""
        return tangent.clone()


class TestWarnInAutograd(Function):
    """A copy whose backward warns."""

    @staticmethod
    def forward(ctx, t):
        """The copy."""
        return t.clone()

    @staticmethod
    def backward(ctx, grad):
        """The gradient, and a warning."""
        warnings.warn("Warn from backward", UserWarning, stacklevel=2)
        return grad.clone()


for _function in (TestAutogradMultipleDispatch, TestWarnInAutograd):
    _node = _function._backward_cls
    _node.__name__ = _node.__qualname__ = _function.__name__ + "Backward0"
    _node.__module__ = "builtins"  # as those of operators


def _test_autograd_multiple_dispatch(*args, **kwargs):
    """A copy, with a gradient of its own unless `b` is given."""
    overload, values = bind(_DISPATCH, args, kwargs, name="_test_autograd_multiple_dispatch")
    return values[0].clone() if overload else TestAutogradMultipleDispatch.apply(values[0])


def _test_autograd_multiple_dispatch_view(input):
    """The elements in a row, in the same memory."""
    return _rows.view(input, (-1,))


def _test_autograd_multiple_dispatch_view_copy(input):
    """The elements in a row, copied."""
    return _rows.view(input, (-1,)).clone()


def _test_warn_in_autograd(input):
    """A copy whose backward warns."""
    return TestWarnInAutograd.apply(input)
