"""`Parameter` and `Buffer`: tensors that a module registers on assignment."""

from collections import OrderedDict

from minitorch import _tensor_str
from minitorch._tensor import Tensor
from minitorch.autograd.functions.creation import empty_ as _empty
from minitorch.autograd.functions.subclass import make_subclass
from minitorch.autograd.torch_function import _disabled_torch_function_impl, register_plain_class
from minitorch.core.types import preserve_format
from minitorch.tensors.rebuilding import _get_obj_state, _set_obj_state


class _ParameterMeta(type):
    """Treats tensors of other classes with the attribute ``_is_param`` as parameters."""

    def __instancecheck__(cls, instance):
        return super().__instancecheck__(instance) or (
            cls is Parameter
            and isinstance(instance, Tensor)
            and getattr(instance, "_is_param", False)
        )


def _check_detaches(data):
    if not isinstance(data, Tensor):
        raise AttributeError(f"'{type(data).__name__}' object has no attribute 'detach'")


class Parameter(Tensor, metaclass=_ParameterMeta):
    """A tensor that a module registers as a parameter on assignment.

    For a tensor subclass, the result keeps the class of `data`.

    Parameters
    ----------
    data : Tensor, optional
        The values; the memory is shared.
    requires_grad : bool
        Compute gradients with respect to the parameter.
    """

    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            data = _empty(0)
        _check_detaches(data)
        if type(data) not in (Tensor, Parameter):
            result = data.detach().requires_grad_(requires_grad)
            if type(result) is not type(data):
                raise RuntimeError(
                    f"Creating a Parameter from an instance of type {type(data).__name__} requires that "
                    "detach() returns an instance of the same type, but return type "
                    f"{type(result).__name__} was found instead. To use the type as a Parameter, please "
                    "correct the detach() semantics defined by its __torch_dispatch__() implementation."
                )
            result._is_param = True
            return result
        return make_subclass(cls, data, requires_grad)

    __torch_function__ = _disabled_torch_function_impl

    def __deepcopy__(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        result = type(self)(self.data.clone(memory_format=preserve_format), self.requires_grad)
        memo[id(self)] = result
        return result

    def __repr__(self):
        return "Parameter containing:\n" + Tensor.__repr__(self)

    def __reduce_ex__(self, protocol):
        args = (self.detach(), self.requires_grad, OrderedDict())
        state = _get_obj_state(self)
        return (
            (_rebuild_parameter_with_state, (*args, state)) if state else (_rebuild_parameter, args)
        )


def _rebuild_parameter(data, requires_grad, backward_hooks):
    """Rebuild a parameter from a pickle, which refers to this function as ``torch._utils``'s."""
    result = Parameter(data, bool(requires_grad))
    if isinstance(backward_hooks, dict) and backward_hooks:
        result._backward_hooks = backward_hooks
    return result


def _rebuild_parameter_with_state(data, requires_grad, backward_hooks, state):
    """Rebuild a parameter that has additional attributes."""
    return _set_obj_state(_rebuild_parameter(data, requires_grad, backward_hooks), state)


class _BufferMeta(type):
    """Treats tensors of any class with the attribute ``_is_buffer`` as buffers."""

    def __instancecheck__(cls, instance):
        return super().__instancecheck__(instance) or (
            cls is Buffer
            and isinstance(instance, Tensor)
            and getattr(instance, "_is_buffer", False)
        )


class Buffer(Tensor, metaclass=_BufferMeta):
    """A tensor that a module registers as a buffer on assignment; it has the class of `data`.

    Parameters
    ----------
    data : Tensor, optional
        The values; the memory is shared.
    persistent : bool
        Include the buffer in the module's `state_dict`.

    Examples
    --------
    >>> import minitorch as torch
    >>> mean = torch.nn.Buffer(torch.zeros(2), persistent=False)
    >>> isinstance(mean, torch.nn.Buffer), mean.persistent
    (True, False)
    """

    def __new__(cls, data=None, *, persistent=True):
        data = _empty(0) if data is None else data
        buffer = data.detach().requires_grad_(data.requires_grad)
        buffer.persistent = persistent
        buffer._is_buffer = True
        return buffer

    __torch_function__ = _disabled_torch_function_impl


for _function in (_rebuild_parameter, _rebuild_parameter_with_state):
    _function.__module__ = "minitorch._utils"
register_plain_class(Parameter, False)
Parameter.__module__ = "torch.nn.parameter"
Buffer.__module__ = "torch.nn.parameter"
_tensor_str.plain_types.add(Parameter)


def __getattr__(name):
    # defined in a module that imports this one
    if name in (
        "UninitializedBuffer",
        "UninitializedParameter",
        "UninitializedTensorMixin",
        "is_lazy",
    ):
        from minitorch.nn import _uninitialized

        return getattr(_uninitialized, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
