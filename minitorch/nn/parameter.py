"""`Parameter` and `Buffer`, tensors that a module registers on assignment, with or without a shape."""

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

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Parameter(torch.ones(2))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
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


# ---- parameters and buffers without a shape

_NO_SHAPE = (
    "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
    "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call "
    "`forward` to initialize the parameters before accessing their attributes."
)
_NO_USE = (
    "Attempted to use an uninitialized parameter in {}. This error happens when you are using a "
    "`LazyModule` or explicitly manipulating `torch.nn.parameter.{}` objects. When using LazyModules "
    "Call `forward` with a dummy batch to initialize the parameters before calling torch functions"
)


class UninitializedTensorMixin:
    """Mixin of uninitialized parameters and buffers.

    Their data is an empty tensor, which holds the dtype and the device.
    """

    cls_to_become = Tensor
    _allowed_methods = (
        Tensor.__hash__,
        Tensor.size,
        Tensor.copy_,
        Tensor.is_complex,
        Tensor.is_floating_point,
        Tensor.half,
        Tensor.float,
        Tensor.double,
        Tensor.char,
        Tensor.short,
        Tensor.int,
        Tensor.long,
        Tensor.cuda,
        Tensor.cpu,
        Tensor.to,
        Tensor.get_device,
    )

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        """Allow attributes and dtype changes; raise ValueError for functions that need a shape."""
        if func in cls._allowed_methods or type(func).__name__ == "method-wrapper":
            return super().__torch_function__(func, types, args, kwargs or {})  # type: ignore[misc]
        raise ValueError(_NO_USE.format(func, cls.__name__))

    def materialize(self, shape, device=None, dtype=None):
        """Allocate memory of a shape and become an ordinary parameter or tensor.

        The values are arbitrary.

        Parameters
        ----------
        shape : tuple of int
        device : optional
            By default the one it was created with.
        dtype : dtype, optional
            By default the one it was created with.
        """
        data = self.data
        device = data.device if device is None else device
        self.data = _empty(
            tuple(shape), device=device, dtype=data.dtype if dtype is None else dtype
        )
        self.__class__ = self.cls_to_become

    @property
    def shape(self):
        """Not available: raises RuntimeError."""
        raise RuntimeError(_NO_SHAPE)

    def share_memory_(self):
        """Raise RuntimeError, since there is no memory to share."""
        raise RuntimeError(
            "Can't share memory on an uninitialized parameter or buffer. Call `forward` to initialize "
            "the parameters before calling `module.share_memory()`."
        )

    def __repr__(self):
        return f"<{type(self).__name__}>"

    def __reduce_ex__(self, protocol):
        return type(self), (self.requires_grad,)


def is_lazy(param):
    """Check whether a parameter or buffer is uninitialized."""
    return isinstance(param, UninitializedTensorMixin)


class UninitializedParameter(UninitializedTensorMixin, Parameter):  # type: ignore[misc]
    """A parameter whose shape is not known yet; see `LazyModuleMixin`.

    Parameters
    ----------
    requires_grad : bool, default True
        Whether to compute a gradient.
    device, dtype : optional
        Where the parameter will be stored ("cpu" or "meta"), and its dtype; by default that of
        `torch.get_default_dtype()`.

    Examples
    --------
    >>> import minitorch as torch
    >>> p = torch.nn.UninitializedParameter()
    >>> p
    <UninitializedParameter>
    >>> p.materialize((2, 3))
    >>> p.shape
    torch.Size([2, 3])
    """

    cls_to_become = Parameter

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return make_subclass(cls, _empty(0, device=device, dtype=dtype), requires_grad)

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, self.data.device, self.data.dtype)
        return memo[id(self)]


class UninitializedBuffer(UninitializedTensorMixin, Tensor):  # type: ignore[misc]
    """A buffer whose shape is not known yet.

    Parameters
    ----------
    requires_grad : bool, default False
        Whether to compute a gradient.
    device, dtype : optional
        Where the buffer will be stored ("cpu" or "meta"), and its dtype; by default that of
        `torch.get_default_dtype()`.
    persistent : bool, default True
        Whether the buffer is part of the module's state dictionary.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.UninitializedBuffer()
    <UninitializedBuffer>
    """

    cls_to_become = Tensor

    def __new__(cls, requires_grad=False, device=None, dtype=None, persistent=True):
        self = make_subclass(cls, _empty(0, device=device, dtype=dtype), requires_grad)
        self.persistent = persistent
        self._is_buffer = True
        return self

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, self.data.device, self.data.dtype)
        return memo[id(self)]


for _class in (UninitializedParameter, UninitializedBuffer):
    _class.__module__ = "torch.nn.parameter"
_tensor_str.plain_types.update((UninitializedParameter, UninitializedBuffer))
