"""Trivial operators that PyTorch has for tests of dispatch, autograd and warnings."""

import warnings

from minitorch.autograd.function import Function
from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.parsing.parser import bind

_DISPATCH = [
    "_test_autograd_multiple_dispatch(Tensor input)",
    "_test_autograd_multiple_dispatch(Tensor input, bool b)",
]


class TestAutogradMultipleDispatch(Function):
    """A copy whose gradient is 1 too large, to show that this formula was used."""

    @staticmethod
    def forward(ctx, t):
        """Return a copy."""
        return t.clone()

    @staticmethod
    def backward(ctx, grad):
        """Return the gradient plus 1."""
        return grad + 1

    @staticmethod
    def jvp(ctx, tangent):
        """Return a copy of the tangent."""
        return tangent.clone()


class TestWarnInAutograd(Function):
    """A copy whose backward pass warns."""

    @staticmethod
    def forward(ctx, t):
        """Return a copy."""
        return t.clone()

    @staticmethod
    def backward(ctx, grad):
        """Warn and return a copy of the gradient."""
        warnings.warn("Warn from backward", UserWarning, stacklevel=2)
        return grad.clone()


for _function in (TestAutogradMultipleDispatch, TestWarnInAutograd):
    _node = _function._backward_cls
    _node.__name__ = _node.__qualname__ = _function.__name__ + "Backward0"
    _node.__module__ = "builtins"  # like the nodes of operators


def _test_autograd_multiple_dispatch(*args, **kwargs):
    """Return a copy, with its own gradient formula unless `b` is given."""
    overload, values = bind(_DISPATCH, args, kwargs, name="_test_autograd_multiple_dispatch")
    return values[0].clone() if overload else TestAutogradMultipleDispatch.apply(values[0])


def _test_autograd_multiple_dispatch_view(input):
    """Return a one-dimensional view."""
    return _rows.view(input, (-1,))


def _test_autograd_multiple_dispatch_view_copy(input):
    """Return a one-dimensional copy."""
    return _rows.view(input, (-1,)).clone()


def _test_warn_in_autograd(input):
    """Return a copy whose backward pass warns."""
    return TestWarnInAutograd.apply(input)
