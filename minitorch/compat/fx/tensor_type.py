"""Tensor types with sizes, for annotations."""

__all__ = ["Dyn", "TensorType", "is_consistent", "is_more_precise"]


class TensorType:
    """Type of tensors with the given sizes; `Dyn` is an unknown size.

    Parameters
    ----------
    dim : tuple

    Examples
    --------
    >>> from minitorch.fx.tensor_type import Dyn, TensorType
    >>> TensorType((1, Dyn))
    TensorType[(1, Dyn)]
    """

    def __init__(self, dim):
        self.__origin__ = TensorType
        self.__args__ = dim

    @property
    def dims(self):
        """The sizes."""
        return self.__args__

    def __repr__(self):
        return f"TensorType[{self.dims}]"

    def __eq__(self, other):
        return isinstance(other, type(self)) and list(self.dims) == list(other.dims)

    __hash__ = None  # type: ignore[assignment]

    @staticmethod
    def __class_getitem__(*args):
        if len(args) == 1 and isinstance(args[0], tuple):
            args = args[0]
        return TensorType(tuple(args))


class _DynType:
    """The class of `Dyn`."""

    def __init__(self):
        self.__name__ = "_DynType"

    def __eq__(self, other):
        return isinstance(other, type(self))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self):
        return "Dyn"


Dyn = _DynType()


def _agree(t1, t2, agree):
    if not (isinstance(t1, TensorType) and isinstance(t2, TensorType)):
        return False
    pairs = zip(t1.dims, t2.dims, strict=False)
    return len(t1.dims) == len(t2.dims) and all(agree(a, b) for a, b in pairs)


def is_consistent(t1, t2):
    """Return whether some tensor can have both types.

    Examples
    --------
    >>> from minitorch.fx.tensor_type import Dyn, TensorType, is_consistent
    >>> is_consistent(TensorType((1, Dyn)), TensorType((1, 2)))
    True
    """
    return t1 == t2 or Dyn in (t1, t2) or _agree(t1, t2, is_consistent)


def is_more_precise(t1, t2):
    """Return whether every tensor of the first type also has the second.

    Examples
    --------
    >>> from minitorch.fx.tensor_type import Dyn, TensorType, is_more_precise
    >>> is_more_precise(TensorType((1, 2)), TensorType((1, Dyn)))
    True
    """
    return t1 == t2 or isinstance(t2, _DynType) or _agree(t1, t2, is_more_precise)
