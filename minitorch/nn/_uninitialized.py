"""Parameters and buffers without a shape."""

from minitorch import _tensor_str
from minitorch._tensor import Tensor
from minitorch.autograd.functions.creation import empty_ as _empty
from minitorch.autograd.functions.subclass import make_subclass
from minitorch.nn.parameter import Parameter

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
