"""Classes named after dtypes, such as ``FloatTensor``, and predicates of types."""

from minitorch._tensor import Tensor
from minitorch.autograd.functions.from_data import legacy_new
from minitorch.core.dtype import _dtypes, dtype
from minitorch.core.types import strided
from minitorch.parsing.parser import bind


class _TensorType(type):
    """Metaclass of the legacy tensor types, for which `isinstance` checks the dtype."""

    def __instancecheck__(cls, instance):
        return (
            isinstance(instance, Tensor) and instance.dtype is cls.dtype and not instance.is_sparse
        )

    def __subclasscheck__(cls, subclass):
        return subclass is cls

    def __call__(cls, *args, **kwargs):
        return legacy_new(args, kwargs, cls.dtype)


_TensorType.__name__ = _TensorType.__qualname__ = "tensortype"
_TensorType.__module__ = "torch"


def _tensor_type(name, dtype_name):
    namespace = {
        "dtype": _dtypes()[dtype_name],
        "layout": strided,
        "device": Tensor.device,
        "is_cuda": False,
        "is_sparse": False,
        "__module__": "torch",
        "__doc__": None,
    }
    return _TensorType(name, (), namespace)


FloatTensor = _tensor_type("FloatTensor", "float32")
DoubleTensor = _tensor_type("DoubleTensor", "float64")
HalfTensor = _tensor_type("HalfTensor", "float16")
BFloat16Tensor = _tensor_type("BFloat16Tensor", "bfloat16")
ByteTensor = _tensor_type("ByteTensor", "uint8")
CharTensor = _tensor_type("CharTensor", "int8")
ShortTensor = _tensor_type("ShortTensor", "int16")
IntTensor = _tensor_type("IntTensor", "int32")
LongTensor = _tensor_type("LongTensor", "int64")
BoolTensor = _tensor_type("BoolTensor", "bool")
tensor_types = (
    FloatTensor,
    DoubleTensor,
    HalfTensor,
    BFloat16Tensor,
    ByteTensor,
    CharTensor,
    ShortTensor,
    IntTensor,
    LongTensor,
    BoolTensor,
)


def is_tensor(obj):
    """Return whether an object is a tensor.

    Parameters
    ----------
    obj : object
        An object of any type.

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.is_tensor(torch.ones(1)), torch.is_tensor([1])
    (True, False)
    """
    return isinstance(obj, Tensor)


def typename(obj):
    """Return the name of an object's type; for a tensor, its `type()`, which includes the dtype.

    Parameters
    ----------
    obj : object
        An object of any type.

    Returns
    -------
    str

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.typename(torch.ones(1))
    'torch.FloatTensor'
    >>> torch.typename([1])
    'list'
    """
    if isinstance(obj, Tensor):
        return obj.type()
    module, name = "", ""
    if isinstance(obj, dtype):
        return "torch.dtype"
    if hasattr(obj, "__module__") and obj.__module__ not in ("builtins", "__builtin__", None):
        module = f"{obj.__module__}."
    for source in (obj, type(obj)):
        if hasattr(source, "__qualname__"):
            name = source.__qualname__
            break
    return module + name


def _tensor_argument(name, args, kwargs):
    return bind([f"{name}(Tensor input)"], args, kwargs, name=name)[1][0]


def is_floating_point(*args, **kwargs):
    """Test whether the dtype of a tensor is a floating-point one.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.

    Returns
    -------
    bool

    Raises
    ------
    TypeError
        If the argument is no tensor.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.is_floating_point(torch.ones(2))
    True
    """
    return _tensor_argument("is_floating_point", args, kwargs).is_floating_point()


def is_complex(*args, **kwargs):
    """Test whether the dtype of a tensor is a complex one.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.

    Returns
    -------
    bool

    Raises
    ------
    TypeError
        If the argument is no tensor.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.is_complex(torch.ones(2))
    False
    """
    return _tensor_argument("is_complex", args, kwargs).is_complex()


def is_signed(*args, **kwargs):
    """is_signed(input): return whether the dtype has negative numbers."""
    return _tensor_argument("is_signed", args, kwargs).is_signed()


def is_conj(*args, **kwargs):
    """is_conj(input): return whether the elements are conjugated when read."""
    return _tensor_argument("is_conj", args, kwargs).is_conj()


def is_neg(*args, **kwargs):
    """is_neg(input): return whether the elements are negated when read."""
    return _tensor_argument("is_neg", args, kwargs).is_neg()


def is_distributed(*args, **kwargs):
    """is_distributed(input): return False; tensors are never distributed over processes."""
    return _tensor_argument("is_distributed", args, kwargs).is_distributed()


def is_nonzero(*args, **kwargs):
    """Test whether a tensor of one element is not 0.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.

    Returns
    -------
    bool

    Raises
    ------
    RuntimeError
        If the tensor has another number of elements than one.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.is_nonzero(torch.tensor([0.5]))
    True
    """
    return bool(_tensor_argument("is_nonzero", args, kwargs))


def numel(*args, **kwargs):
    """Return the number of elements of a tensor.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.

    Returns
    -------
    int

    Raises
    ------
    TypeError
        If the argument is no tensor.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.numel(torch.zeros(2, 3))
    6
    """
    return _tensor_argument("numel", args, kwargs).numel()
