"""`finfo`, `iinfo` and the default dtype."""

from functools import cache
from types import SimpleNamespace

import numpy as np

from minitorch.core.dtype import (
    _dtypes,
    _dtypes_without_tensors,
    _get_default_dtype,
    _set_default_dtype,
    dtype,
)

__all__ = ["finfo", "get_default_dtype", "iinfo", "set_default_dtype"]


def get_default_dtype():
    """Return the dtype of new floating-point tensors.

    Returns
    -------
    dtype
        torch.float32 unless `set_default_dtype` has changed it.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.get_default_dtype()
    torch.float32
    """
    return _get_default_dtype()


def set_default_dtype(d):
    """Set the dtype of new floating-point tensors.

    It also decides the dtype of `torch.tensor` of Python floats, and of integer tensors divided by each
    other.

    Parameters
    ----------
    d : dtype
        A floating-point dtype.

    Returns
    -------
    None

    Raises
    ------
    TypeError
        If `d` is not a floating-point dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.set_default_dtype(torch.float64)
    >>> torch.tensor(0.5).dtype
    torch.float64
    >>> torch.set_default_dtype(torch.float32)
    """
    _set_default_dtype(d)


def _limits(dtype, bits, mantissa, max, min_exponent, min=None, precision=0):
    """Return the limits of a dtype that NumPy lacks; `mantissa` counts the fraction bits."""
    smallest = 2.0**min_exponent
    return SimpleNamespace(
        dtype=dtype,
        bits=bits,
        eps=2.0**-mantissa,
        max=max,
        min=-max if min is None else min,
        tiny=smallest,
        smallest_normal=smallest,
        precision=precision,
    )


_NOT_IN_NUMPY = {
    limits.dtype: limits
    for limits in (
        _limits("bfloat16", 16, 7, (2 - 2.0**-7) * 2.0**127, -126, precision=2),
        _limits("float8_e4m3fn", 8, 3, 448.0, -6),
        _limits("float8_e4m3fnuz", 8, 3, 240.0, -7),
        _limits("float8_e5m2", 8, 2, 57344.0, -14),
        # PyTorch uses the eps of three fraction bits for this dtype
        _limits("float8_e5m2fnuz", 8, 3, 57344.0, -15),
        # only powers of two, without a sign
        _limits("float8_e8m0fnu", 8, 0, 2.0**127, -127, min=2.0**-127),
    )
}


@cache
def _numpy_finfo(name):
    return _NOT_IN_NUMPY.get(name) or np.finfo(name)


_numpy_iinfo = cache(np.iinfo)


def _reject_unknown(type):
    """Raise for dtypes without tensors whose limits are not listed here and unknown to NumPy."""
    name = repr(type)[6:]
    known = name in _NOT_IN_NUMPY or hasattr(np, name)
    if type in _dtypes_without_tensors().values() and not known:
        raise NotImplementedError(f"the limits of {type} are not part of minitorch")


def _is_of_few_bits(type):
    """Return whether a dtype has one to seven bits, or uninterpreted bits."""
    return repr(type)[6:].startswith(("int", "uint", "bits")) and not hasattr(np, repr(type)[6:])


# the dtypes of Python's number types
_builtin_type = type
_OF_PYTHON = {float: "float64", int: "int64", bool: "bool", complex: "complex128"}


def _as_dtype(type, function):
    """Convert a Python number type to its dtype; raise for other types."""
    if isinstance(type, _builtin_type) and type in _OF_PYTHON:
        return _dtypes()[_OF_PYTHON[type]]
    if not isinstance(type, dtype):
        raise TypeError(
            f"{function}(): argument 'type' (position 1) must be torch.dtype, not "
            + type.__class__.__name__
        )
    return type


class _Info:
    def __init__(self, type, info):
        self._type = type
        self._info = info
        self.dtype = str(info.dtype)
        self.bits = int(info.bits)

    def __eq__(self, other):
        return isinstance(other, self.__class__) and self._type is other._type

    def __hash__(self):
        raise TypeError(f"unhashable type: 'torch.{self.__class__.__name__}'")

    def _text(self, names):
        parts = [f"{name}={getattr(self, name):g}" for name in names]
        return f"{self.__class__.__name__}({', '.join(parts)}, dtype={self.dtype})"


# cache of the attributes of `finfo` per dtype
_float_limits: dict[dtype, dict] = {}


class finfo(_Info):
    """The limits of a floating-point dtype.

    Parameters
    ----------
    type : dtype, optional
        Default: the default dtype. For a complex dtype, the dtype of its real part.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.finfo(torch.float32).eps
    1.1920928955078125e-07
    """

    def __init__(self, type=None):
        type = get_default_dtype() if type is None else type
        known = _float_limits.get(type) if isinstance(type, dtype) else None
        if known is None:
            self._look_up(type)
        else:
            self.__dict__.update(known)

    def _look_up(self, given):
        type = _as_dtype(given, "finfo")
        type = type.to_real() if type.is_complex else type
        if not type.is_floating_point:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                "'torch.finfo'"
            )
        _reject_unknown(type)
        _Info.__init__(self, type, _numpy_finfo(repr(type)[6:]))
        self.eps = float(self._info.eps)
        self.max = float(self._info.max)
        self.min = float(self._info.min)
        self.tiny = float(self._info.tiny)
        self.smallest_normal = float(self._info.smallest_normal)
        self.resolution = float(f"1e-{self._info.precision}")
        if isinstance(given, dtype):
            _float_limits[given] = dict(self.__dict__)

    def __repr__(self):
        return self._text(("resolution", "min", "max", "eps", "smallest_normal", "tiny"))


class iinfo(_Info):
    """The limits of an integer dtype.

    Parameters
    ----------
    type : dtype

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.iinfo(torch.int8).max
    127
    """

    def __init__(self, type=None):
        if type is None:
            raise TypeError('iinfo() missing 1 required positional arguments: "type"')
        type = _as_dtype(type, "iinfo")
        if type.is_floating_point or type.is_complex or _is_of_few_bits(type):
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle "
                "'torch.iinfo'"
            )
        if repr(type) == "torch.bool":
            raise TypeError("torch.bool is not supported by torch.iinfo")
        _reject_unknown(type)
        super().__init__(type, _numpy_iinfo(repr(type)[6:]))
        self.max = int(self._info.max)
        self.min = int(self._info.min)

    def __repr__(self):
        return self._text(("min", "max"))
