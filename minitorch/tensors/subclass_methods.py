"""Methods of `Tensor` for its subclasses: making instances, ``__torch_function__``, ``__torch_dispatch__``."""

import functools
from typing import Any

from minitorch.autograd.functions import from_data as _from_data
from minitorch.autograd.functions.subclass import _of_preexisting
from minitorch.autograd.functions.subclass import as_subclass as _as_subclass
from minitorch.autograd.functions.subclass import check_arguments as _check_make_subclass
from minitorch.autograd.functions.tensor_methods import TensorMethods
from minitorch.autograd.python_dispatch import dispatched as _dispatched
from minitorch.autograd.python_dispatch import has_own_dispatch as _has_own_dispatch
from minitorch.autograd.python_dispatch import switch_dispatch as _switch_dispatch
from minitorch.autograd.torch_function import (
    DisableTorchFunctionSubclass,
    _disabled_torch_function_impl,
    _has_torch_function,
    handle_torch_function,
)
from minitorch.autograd.variable import TensorBase, _make_tensor_like


class _plain:
    """Where class `Tensor` is found: it is made from `SubclassMethods`, and registered here then."""

    Tensor: Any = None


def start_subclasses(cls):
    """Make `cls` the class that a subclass is distinguished from."""
    _plain.Tensor = cls
    # programs know this method as `Tensor.__torch_dispatch__`
    method = SubclassMethods.__torch_dispatch__.__func__
    method.__module__, method.__qualname__ = "minitorch._tensor", "Tensor.__torch_dispatch__"


def _subclass(cls):
    """Return `cls`; raise TypeError unless it is a subclass of `TensorMethods`."""
    if not isinstance(cls, type):
        raise TypeError(f"cls must be a type (got {type(cls).__name__})")
    if not issubclass(cls, TensorMethods):
        raise TypeError(
            "Creating a Tensor subclass from a class that does not inherit from Tensor is not "
            "possible. Make sure your class inherits from Tensor."
        )
    return cls


def _with_own_dispatch(t):
    """Return `t`, dispatched to the ``__torch_dispatch__`` of its class if overridden."""
    method = type(t).__torch_dispatch__
    method = getattr(method, "__func__", method)
    return t if method is SubclassMethods.__torch_dispatch__.__func__ else _dispatched(t)


def _has_history(t):
    """Return whether a tensor requires a gradient, without triggering overrides."""
    return TensorBase.requires_grad.__get__(t) or TensorBase.grad_fn.__get__(t) is not None


class SubclassMethods:
    """Base class of `Tensor` with these methods."""

    def __new__(cls, *args, **kwargs):
        """Create a tensor by PyTorch's legacy constructor: ``Tensor(2, 3)``, ``Tensor([1, 2])``."""
        if len(args) == 1 and not kwargs and isinstance(args[0], _plain.Tensor):
            if _has_own_dispatch(args[0]):
                return cls._make_subclass(cls, args[0])
            return _with_own_dispatch(_as_subclass(args[0], cls))
        return cls._make_subclass(cls, _from_data.legacy_new(args, kwargs, None))

    @staticmethod
    def _make_subclass(cls, data, require_grad=False):
        """Return a leaf of class `cls` that shares the memory of `data`."""
        _check_make_subclass(data, require_grad)
        if _has_own_dispatch(data):
            made = data.detach()
            if _has_own_dispatch(made):
                return _of_preexisting(cls, made)
        if cls is not _plain.Tensor or _has_history(data):
            data = _make_tensor_like(data, _subclass(cls))
        data = _with_own_dispatch(data)
        if require_grad:
            data._change_requires_grad(
                True, "Only Tensors of floating point and complex dtype can require gradients"
            )
        return data

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        # a class with `__torch_dispatch__` computes operators itself, so its results are not
        # converted to `cls`
        method = cls.__torch_dispatch__
        if (
            getattr(method, "__func__", method) is not SubclassMethods.__torch_dispatch__.__func__
            and getattr(cls.__torch_function__, "__func__", None)
            is SubclassMethods.__torch_function__.__func__
        ):
            cls.__torch_function__ = _disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        """Compute an operator as for plain tensors; subclasses can override this."""
        _switch_dispatch(True)
        try:
            return func(*args, **(kwargs or {}))
        finally:
            _switch_dispatch(False)

    def as_subclass(self, cls):
        """Return this tensor as an instance of a subclass that shares its memory.

        Parameters
        ----------
        cls : type
            A subclass of Tensor.

        Returns
        -------
        Tensor
            An instance of the class, with the same shape, dtype and memory.

        Examples
        --------
        >>> import minitorch as torch
        >>> class Mine(torch.Tensor):
        ...     pass
        >>> type(torch.ones(1).as_subclass(Mine)).__name__
        'Mine'
        """
        return _with_own_dispatch(_as_subclass(self, _subclass(cls)))

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        """Call a function on subclasses and convert the tensors in its result to `cls`.

        Subclasses that override this method call it to compute the function.

        Parameters
        ----------
        func : callable
            The called function: ``torch.add``, ``torch.Tensor.add``,
            ``torch.Tensor.shape.__get__``.
        types : sequence of type
            The types of the arguments that define overrides. Unless `cls` is a subclass of all of
            them, the result is ``NotImplemented``.
        args, kwargs : tuple, dict
            The arguments.

        Examples
        --------
        >>> import minitorch as torch
        >>> class Length(torch.Tensor):
        ...     pass
        >>> type(torch.ones(2).as_subclass(Length) + 1).__name__
        'Length'
        """
        if not all(issubclass(cls, other) for other in types):
            return NotImplemented
        with DisableTorchFunctionSubclass():
            result = func(*args, **(kwargs or {}))
        return result if func in _nowrap_functions() else _convert(result, cls)

    def module_load(self, other, assign=False):
        """Return the tensor to swap with this parameter or buffer when a module loads `other`.

        Parameters
        ----------
        other : Tensor
            The value in the state dictionary.
        assign : bool, default False
            Whether to use `other` itself instead of copying it into this tensor.

        Returns
        -------
        Tensor

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.zeros(2).module_load(torch.ones(2))
        tensor([1., 1.])
        """
        if _has_torch_function((self, other)):
            return handle_torch_function(
                _plain.Tensor.module_load, (self, other), self, other, assign=assign
            )
        return other.detach() if assign else self.copy_(other).detach()


def _convert(result, cls):
    """Convert the tensors in a function's result to instances of `cls`."""
    if cls is _plain.Tensor:
        return result
    if isinstance(result, _plain.Tensor):
        return result if isinstance(result, cls) else _as_subclass(result, cls)
    if isinstance(result, (tuple, list)):
        return type(result)(_convert(item, cls) for item in result)
    return result


@functools.cache
def _nowrap_functions():
    """Return the getters whose results keep their class, which the user has chosen."""
    return {_plain.Tensor._base.__get__, _plain.Tensor.grad.__get__}
