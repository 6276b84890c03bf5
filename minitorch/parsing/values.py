"""The argument types of PyTorch's signatures: which objects fit, and how they are converted.

Purpose
-------
A signature such as ``sum(Tensor input, IntArrayRef[1]? dim, bool keepdim=False)`` names C++ types.
This module knows which Python objects fit such a type, how error messages name it, and how an
object that fits is unpacked.

Interface
---------
:func:`matches` and :func:`unpack` handle one parameter of a signature, :func:`fits` and
:func:`unpack_value` a single value. They are the only implementation of these rules: the generated
functions test exact types first (Note [Exact types first] in ``functions/arguments.pyx``) and fall
back to this one, and ``_dispatch/argument_types.py`` applies it to the arguments of schemas. The
rules of ``torch.ops`` differ, as in PyTorch: ``_dispatch/argument_values.py``. :func:`register_type` registers a class of
the layers above, so that this module imports none of them.

Invariants
----------
`matches` has no side effects, except that ``__index__`` may be called. An object that fits can
still fail to unpack: of a list, only the first element is checked, and of an integer only the type.

References
----------
PyTorch's counterparts are ``FunctionParameter::check`` in
``torch/csrc/utils/python_arg_parser.cpp`` and ``torch/csrc/utils/python_numbers.h``.
"""

import operator
import sys
from typing import NamedTuple

from minitorch.core.class_names import type_name

# --------------------------------------------------------------------------------------------------
# Names
# --------------------------------------------------------------------------------------------------

# the type in a signature -> the type in a message
PRINTED_NAMES = {
    "Tensor": "Tensor",
    "Scalar": "Number",
    "int64_t": "int",
    "SymInt": "int",
    "DeviceIndex": "int",
    "double": "float",
    "complex": "complex",
    "bool": "bool",
    "TensorList": "tuple of Tensors",
    "c10::List<::std::optional<Tensor>>": "tuple of Tensors",
    "IntArrayRef": "tuple of ints",
    "SymIntArrayRef": "tuple of ints",
    "ArrayRef<double>": "tuple of floats",
    "ScalarList": "tuple of Scalars",
    "Generator": "torch.Generator",
    "Storage": "torch.Storage",
    "PyObject*": "object",
    "ScalarType": "torch.dtype",
    "Layout": "torch.layout",
    "MemoryFormat": "torch.memory_format",
    "Device": "torch.device",
    "Stream": "torch.Stream",
    "c10::string_view": "str",
    "std::string_view": "str",
    "std::string": "str",
}

STRINGS = ("c10::string_view", "std::string_view", "std::string")
INT_LISTS = ("IntArrayRef", "SymIntArrayRef")

# classes whose objects always fit
PLAIN_TYPES = {
    "int64_t": (int,),
    "SymInt": (int,),
    "DeviceIndex": (int,),
    "double": (float, int),
    "Scalar": (float, int, bool, complex),
    "complex": (float, int, bool, complex),
    "bool": (bool,),
}

# --------------------------------------------------------------------------------------------------
# Classes of the layers above
# --------------------------------------------------------------------------------------------------


class _Registered(NamedTuple):
    predicate: object
    convert: object


_registry: dict[str, _Registered] = {}


# Slot: signatures name types such as Tensor, and the parser is below the tensor class
def register_type(name, predicate, convert=None):
    """Register a type of signatures.

    Parameters
    ----------
    name : str
        The name in signatures: ``Tensor``, ``ScalarType``, ``Layout``, ``MemoryFormat``,
        ``Device``, ``Generator``, ``Storage`` or ``Stream``. Before it is registered, no object
        fits the type.
    predicate : callable
        Returns whether an object fits. An object that fits ``Tensor`` must have ``dim()``,
        ``numel()``, ``dtype``, ``requires_grad`` and ``item()``.
    convert : callable, optional
        Converts an object that fits, for :func:`unpack`. By default the object itself is used.
    """
    _registry[name] = _Registered(predicate, convert)


def is_tensor(obj):
    """Return whether the registered predicate for ``Tensor`` holds."""
    registered = _registry.get("Tensor")
    return registered is not None and registered.predicate(obj)


# --------------------------------------------------------------------------------------------------
# Numbers
# --------------------------------------------------------------------------------------------------


def _numpy_kind(obj):
    """Return NumPy's letter for the kind of a NumPy scalar, ``""`` for any other object."""
    numpy = sys.modules.get("numpy")  # without it, there are no NumPy scalars
    if numpy is not None and isinstance(obj, numpy.generic):
        return obj.dtype.kind
    return ""


def _is_long(obj):
    return (isinstance(obj, int) and not isinstance(obj, bool)) or _numpy_kind(obj) in ("i", "u")


def _is_index(obj):
    """Return whether the object can be an element of a list of integers."""
    if _is_long(obj):
        return True
    if isinstance(obj, bool) or _numpy_kind(obj):
        return False
    if is_tensor(obj):
        # calling __index__ would read the data; bool tensors pass here and fail when unpacked
        return obj.numel() == 1 and not _is_inexact(obj)
    if not hasattr(type(obj), "__index__"):
        return False
    try:
        operator.index(obj)
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError):
        return False
    return True


def is_scalar(obj):
    """Return whether the object is a number of Python or NumPy."""
    return isinstance(obj, (int, float, complex)) or _numpy_kind(obj) in ("b", "i", "u", "f", "c")


def _is_double(obj):
    return isinstance(obj, (int, float)) or _numpy_kind(obj) in ("b", "i", "u", "f", "c")


def _is_inexact(tensor):
    return tensor.dtype.is_floating_point or tensor.dtype.is_complex


def _is_bool_tensor(tensor):
    return repr(tensor.dtype) == "torch.bool"


def _is_constant(obj):
    """Return whether the object is a tensor that can be used as a number."""
    return is_tensor(obj) and not obj.requires_grad and obj.dim() == 0


# --------------------------------------------------------------------------------------------------
# What fits
# --------------------------------------------------------------------------------------------------


def matches(parameter, obj, position, numbers_as_tensors=False):
    """Return whether an object fits a parameter.

    Parameters
    ----------
    parameter : Parameter
        The parameter; its `type` and `size` matter.
    obj : object
        The argument.
    position : int
        The position of the parameter in its signature, for the message.
    numbers_as_tensors : bool, optional
        Whether this operator accepts a number for a tensor.

    Returns
    -------
    fits : bool
    element : int
        The position of the list element that does not fit, -1 if that is not the reason.

    Raises
    ------
    TypeError
        If a list of tensors has another element. This ends the parsing, even if another overload
        would fit.
    """
    kind = parameter.type
    if kind in INT_LISTS:
        return _matches_ints(obj, parameter.size)
    if kind in ("TensorList", "c10::List<::std::optional<Tensor>>"):
        return _matches_tensors(obj, position), -1
    return fits(kind, obj) or (numbers_as_tensors and kind == "Tensor" and is_scalar(obj)), -1


def fits(kind, obj):
    """Return whether an object fits a type that is not a list of integers or tensors.

    Parameters
    ----------
    kind : str
        A type of signatures, such as ``"int64_t"``.
    obj : object
    """
    test = _TESTS.get(kind)
    if test is not None:
        return test(obj)
    registered = _registry.get(kind)
    return registered is not None and bool(registered.predicate(obj))


def _matches_ints(obj, size):
    if isinstance(obj, (tuple, list)):
        # as in PyTorch, only the first element is checked here, the others when the list is unpacked
        fits = not obj or _is_index(obj[0])
        return fits, -1 if fits else 0
    return size > 0 and _is_index(obj), -1


def _matches_tensors(obj, position):
    if not isinstance(obj, (tuple, list)):
        return False
    for i, element in enumerate(obj):
        if not is_tensor(element):
            raise TypeError(
                f"expected Tensor as element {i} in argument {position}, "
                f"but got {type_name(element)}"
            )
    return True


def _matches_scalar(obj):
    return is_scalar(obj) or _is_constant(obj)


def _matches_double(obj):
    return _is_double(obj) or _is_constant(obj)


def _matches_int(obj):
    if _is_long(obj):
        return True
    return _is_constant(obj) and not _is_inexact(obj) and not _is_bool_tensor(obj)


def _matches_floats(obj):
    return isinstance(obj, (tuple, list)) and (not obj or _is_double(obj[0]))


def _matches_scalars(obj):
    return isinstance(obj, (tuple, list)) and all(map(is_scalar, obj))


def _matches_string(obj):
    return isinstance(obj, (str, bytes))


_TESTS = {
    "Scalar": _matches_scalar,
    "complex": _matches_scalar,
    "double": _matches_double,
    "int64_t": _matches_int,
    "DeviceIndex": _matches_int,
    "SymInt": _is_index,
    "bool": lambda obj: isinstance(obj, bool),
    "ArrayRef<double>": _matches_floats,
    "ScalarList": _matches_scalars,
    "PyObject*": lambda obj: True,
    "c10::string_view": _matches_string,
    "std::string_view": _matches_string,
    "std::string": _matches_string,
}

# --------------------------------------------------------------------------------------------------
# Unpacking
# --------------------------------------------------------------------------------------------------


class _NotAnInt(TypeError):
    pass


def _unpack_int(obj, symbolic=True):
    if type(obj) is int and -(2**63) <= obj < 2**63:
        return obj
    # a bool does not fit an integer, but elements of a list have not been checked before
    if not (isinstance(obj, bool) or _is_index(obj)):
        raise _NotAnInt
    if is_tensor(obj):
        if symbolic and _is_bool_tensor(obj):
            raise RuntimeError(
                "Expected scalar.isIntegral( false) to be true, but got false.  (Could this error "
                "message be improved?  If so, please report an enhancement request to PyTorch.)"
            )
        value = int(obj.item())
    else:
        value = operator.index(obj)
    if not -(2**63) <= value < 2**63:
        raise ValueError("Overflow when unpacking long long")
    return value


def _unpack_ints(parameter, obj, function):
    if not isinstance(obj, (tuple, list)):
        return (_unpack_int(obj, symbolic=False),) * parameter.size
    symbolic = parameter.type == "SymIntArrayRef"
    values = []
    for i, element in enumerate(obj):
        try:
            values.append(_unpack_int(element, symbolic))
        except (_NotAnInt, ValueError) as error:
            reason = str(error) or (
                f"type must be {PRINTED_NAMES[parameter.type]},but got {type_name(element)}"
            )
            raise TypeError(
                f"{function}(): argument '{parameter.name}' failed to unpack the object at pos "
                f'{i + 1} with error "{reason}"'
            ) from None
    return tuple(values)


def unpack_scalar(obj):
    """Convert an object that is a number to a number of Python."""
    if type(obj) is float:
        return obj
    kind = _numpy_kind(obj)
    if is_tensor(obj) or kind in ("i", "u"):
        obj = obj.item()
    elif kind:  # also booleans: PyTorch converts all others to float
        obj = complex(obj) if isinstance(obj, complex) else float(obj)
    if isinstance(obj, int):
        if obj >= 2**64:
            raise OverflowError("int too big to convert")
        if obj < -(2**63):
            raise OverflowError("can't convert negative int to unsigned")
    return obj


def _unpack_double(obj):
    if type(obj) is float:
        return obj
    if is_tensor(obj):
        obj = obj.item()
    if isinstance(obj, complex):
        if obj.imag:
            raise RuntimeError("value cannot be converted to type double without overflow")
        obj = obj.real
    return float(obj)


def _unpack_floats(parameter, obj, function):
    for i, element in enumerate(obj):
        if not _matches_double(element):
            raise TypeError(
                f"{function}(): argument '{parameter.name}' must be tuple of floats, but found "
                f"element of type {type_name(element)} at pos {i + 1}"
            )
    return tuple(map(_unpack_double, obj))


_UNPACKED = {
    **dict.fromkeys(("int64_t", "SymInt", "DeviceIndex"), _unpack_int),
    **dict.fromkeys(("Scalar", "complex"), unpack_scalar),
    "double": _unpack_double,
    **dict.fromkeys(STRINGS, lambda obj: obj.decode() if isinstance(obj, bytes) else obj),
}


def unpack(parameter, obj, function):
    """Convert an object that fits a parameter to the value that the operator gets.

    Parameters
    ----------
    parameter : Parameter
        The parameter; its `type`, `size` and `name` matter.
    obj : object
        An object for which :func:`matches` holds.
    function : str
        The operator's name, for messages.

    Returns
    -------
    object
        A list of integers becomes a tuple, and one integer in its place is repeated. Numbers become
        Python numbers. Registered types are converted by their `convert`. Other objects are
        returned unchanged.

    Raises
    ------
    TypeError, ValueError, RuntimeError, OverflowError
        PyTorch's error if an object fits by its type, but cannot be unpacked.
    """
    kind = parameter.type
    if kind in INT_LISTS:
        return _unpack_ints(parameter, obj, function)
    if kind == "ArrayRef<double>":
        return _unpack_floats(parameter, obj, function)
    if kind == "TensorList" and parameter.size and len(obj) != parameter.size:
        raise TypeError(f"expected tuple of {parameter.size} elements but got {len(obj)}")
    return unpack_value(kind, obj)


def unpack_value(kind, obj):
    """Convert an object for which :func:`fits` holds, or a number in place of a tensor."""
    if kind == "Tensor":
        return obj if is_tensor(obj) else unpack_scalar(obj)
    unpack_this = _UNPACKED.get(kind)
    if unpack_this is not None:
        return unpack_this(obj)
    registered = _registry.get(kind)
    if registered is not None and registered.convert is not None:
        return registered.convert(obj)
    return obj
