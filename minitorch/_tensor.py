"""The Python part of `Tensor`."""

import functools
from collections import OrderedDict

from minitorch import _tensor_str
from minitorch._sparse.methods import SparseMethods
from minitorch.autograd import backward as _backward
from minitorch.autograd.functions import conversions as _conversions
from minitorch.autograd.functions import from_data as _from_data
from minitorch.autograd.functions import interchange as _interchange
from minitorch.autograd.functions.subclass import _of_preexisting
from minitorch.autograd.functions.subclass import as_subclass as _as_subclass
from minitorch.autograd.functions.subclass import check_arguments as _check_make_subclass
from minitorch.autograd.functions.tensor_methods import TensorMethods
from minitorch.autograd.graph_api.gc_tracking import _track_held
from minitorch.autograd.hooks import _retain_grad, _start_tensor_hooks
from minitorch.autograd.levels import reject_in_transform
from minitorch.autograd.python_dispatch import dispatched as _dispatched
from minitorch.autograd.python_dispatch import has_own_dispatch as _has_own_dispatch
from minitorch.autograd.python_dispatch import switch_dispatch as _switch_dispatch
from minitorch.autograd.torch_function import (
    DisableTorchFunctionSubclass,
    _disabled_torch_function_impl,
    _has_torch_function,
    handle_torch_function,
    register_plain_class,
)
from minitorch.autograd.variable import TensorBase, _make_tensor_like, _register_tensor_class
from minitorch.core.error_pages import explained
from minitorch.core.handles import RemovableHandle
from minitorch.tensors import rebuilding as _rebuild
from minitorch.tensors.data_methods import DataMethods
from minitorch.tensors.layout_methods import LayoutMethods
from minitorch.tensors.rebuilding import (
    _rebuild_from_type_v2 as _rebuild_from_type_v2,
)  # pickles refer to it by this module

_NO_GRADIENT = "cannot register a hook on a tensor that doesn't require gradient"


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
    return t if method is Tensor.__torch_dispatch__.__func__ else _dispatched(t)


def _has_history(t):
    """Return whether a tensor requires a gradient, without triggering overrides."""
    return TensorBase.requires_grad.__get__(t) or TensorBase.grad_fn.__get__(t) is not None


class Tensor(DataMethods, LayoutMethods, SparseMethods, TensorMethods):
    """A multi-dimensional array of one dtype, which autograd can record operations on.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([[2., 4.],
            [6., 8.]])
    """

    def __new__(cls, *args, **kwargs):
        """Create a tensor by PyTorch's legacy constructor: ``Tensor(2, 3)``, ``Tensor([1, 2])``."""
        if len(args) == 1 and not kwargs and isinstance(args[0], Tensor):
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
        if cls is not Tensor or _has_history(data):
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
            getattr(method, "__func__", method) is not Tensor.__torch_dispatch__.__func__
            and getattr(cls.__torch_function__, "__func__", None)
            is Tensor.__torch_function__.__func__
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
        """
        if _has_torch_function((self, other)):
            return handle_torch_function(
                Tensor.module_load, (self, other), self, other, assign=assign
            )
        return other.detach() if assign else self.copy_(other).detach()

    # docs: step 1
    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        """Add the gradient of this tensor with respect to the graph's leaves to their ``.grad``.

        Parameters
        ----------
        gradient : Tensor, optional
            The gradient with respect to this tensor, of its shape; not needed for a tensor of one
            element.
        retain_graph : bool, optional
            Whether to keep the graph's saved tensors. Default: `create_graph`.
        create_graph : bool
            Record the backward pass.
        inputs : Tensor or sequence of Tensor, optional
            Accumulate into these only.

        Raises
        ------
        RuntimeError
            See `minitorch.autograd.backward`.
        """
        _backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    # docs: end

    # class `TensorMethods` has these as well
    view = _conversions.view
    is_set_to = _interchange.is_set_to
    is_same_size = _interchange.is_same_size

    def register_hook(self, hook):
        """Call ``hook(grad)`` whenever a gradient of this tensor is computed.

        If the hook returns a value other than None, it replaces the gradient. Returns a handle with
        a method ``remove()``.
        """
        if not self.requires_grad:
            raise explained(RuntimeError(_NO_GRADIENT), "hook-without-grad")
        if self._backward_hooks is None:
            _start_tensor_hooks(self, OrderedDict())
        handle = RemovableHandle(self._backward_hooks)
        self._backward_hooks[handle.id] = hook
        _track_held(hook)
        return handle

    def register_post_accumulate_grad_hook(self, hook):
        """Call ``hook(self)`` after a gradient is accumulated into this leaf's ``.grad``."""
        if not self.requires_grad:
            raise explained(RuntimeError(_NO_GRADIENT), "hook-without-grad")
        if self.grad_fn is not None:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        if self._post_accumulate_grad_hooks is None:
            self._post_accumulate_grad_hooks = OrderedDict()
        handle = RemovableHandle(self._post_accumulate_grad_hooks)
        self._post_accumulate_grad_hooks[handle.id] = hook
        _track_held(hook)
        return handle

    @property
    def _grad(self):
        """`grad`, without the warning for non-leaf tensors."""
        return self.grad if self.is_leaf or self.retains_grad else None

    @_grad.setter
    def _grad(self, value):
        self.grad = value

    @_grad.deleter
    def _grad(self):
        del self.grad

    @property
    def _grad_fn(self):
        """`grad_fn`, which can be set to None through this name."""
        return self.grad_fn

    @_grad_fn.setter
    def _grad_fn(self, value):
        self._set_grad_fn(value)

    @_grad_fn.deleter
    def _grad_fn(self):
        raise RuntimeError("Deletion of _grad_fn not allowed. Detach tensor instead!")

    def retain_grad(self):
        """Make backward() fill ``.grad`` of this non-leaf tensor."""
        if self.requires_grad:
            reject_in_transform("retain_grad()", "retain_grad()")
        _retain_grad(self)

    def as_subclass(self, cls):
        """Return this tensor as an instance of a subclass that shares its memory."""
        return _with_own_dispatch(_as_subclass(self, _subclass(cls)))

    def __deepcopy__(self, memo):
        return _rebuild.deepcopy_tensor(self, memo, Tensor)

    def __reduce_ex__(self, protocol):
        return _rebuild.reduce_tensor(self, Tensor)

    def __setstate__(self, state):
        _rebuild.set_old_state(self, state)

    def __dir__(self):
        return sorted({*dir(type(self)), *self.__dict__})

    def __repr__(self, *, tensor_contents=None):
        _switch_dispatch(True)
        try:
            return _tensor_str._str(self, tensor_contents=tensor_contents)
        finally:
            _switch_dispatch(False)

    def __format__(self, spec):
        if self.dim() == 0 and type(self) is Tensor:
            return self.item().__format__(spec)
        return object.__format__(self, spec)

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


def _convert(result, cls):
    """Convert the tensors in a function's result to instances of `cls`."""
    if cls is Tensor:
        return result
    if isinstance(result, Tensor):
        return result if isinstance(result, cls) else _as_subclass(result, cls)
    if isinstance(result, (tuple, list)):
        return type(result)(_convert(item, cls) for item in result)
    return result


@functools.cache
def _nowrap_functions():
    """Return the getters whose results keep their class, which the user has chosen."""
    return {Tensor._base.__get__, Tensor.grad.__get__}


def _tensor_class():
    return Tensor


Tensor.__module__ = "torch"
_rebuild.ClassReference.plain[Tensor] = _tensor_class
_register_tensor_class(Tensor)
register_plain_class(Tensor, True)
_tensor_str.plain_types.add(Tensor)
