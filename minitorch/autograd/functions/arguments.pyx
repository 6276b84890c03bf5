"""Arguments of the Python functions: quick tests, conversions, and the call of PyTorch's parser.

Note [Exact types first]
Whether a value fits a type is decided by `minitorch/parsing/values.py`. The tests here are a fast
path in front of it: each is true only for the exact types that fit without conversion, a few
comparisons of pointers. `values.py` would cost several Python calls for each argument of each
operator. A false answer never rejects a call: `choose` passes the arguments to the parser, which
accepts and converts all other values, or raises.
"""

from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF, Py_XDECREF

from minitorch.autograd.variable cimport TensorBase, make_handle, make_tensor
from minitorch.core.dtype cimport Bool, Complex128, Float64, Int64, NoType, dtype, dtype_of
from minitorch.core.dtype_code cimport code_of
from minitorch.core.generator cimport Generator
from minitorch.core.interop cimport from_numpy
from minitorch.core.tensor_impl cimport wrap_number


from minitorch.autograd.functions.outputs import compute_out
from minitorch.core.class_names import register_type_name, type_name
from minitorch.parsing.parser import fitting, unpacked
from minitorch.core import types
from minitorch.parsing.values import is_scalar, register_type, unpack_scalar
from minitorch.core.once import warn_once
from minitorch.parsing.signature import parse_signature


cdef extern from "Python.h":
    bint PyList_Check(object x) noexcept
    bint PyTuple_Check(object x) noexcept
    # of a list or a tuple; they raise nothing
    Py_ssize_t PySequence_Fast_GET_SIZE(object x) noexcept
    PyObject* PySequence_Fast_GET_ITEM(object x, Py_ssize_t k) noexcept


cdef object _memory_format = types.memory_format


cdef bint is_tensor_list(object x) noexcept:
    cdef Py_ssize_t k
    if not (PyList_Check(x) or PyTuple_Check(x)):
        return False
    for k in range(PySequence_Fast_GET_SIZE(x)):
        if not isinstance(<object>PySequence_Fast_GET_ITEM(x, k), TensorBase):
            return False
    return True


cdef bint is_optional_tensor_list(object x) noexcept:
    cdef Py_ssize_t k
    if not (PyList_Check(x) or PyTuple_Check(x)):
        return False
    for k in range(PySequence_Fast_GET_SIZE(x)):
        item = <object>PySequence_Fast_GET_ITEM(x, k)
        if item is not None and not isinstance(item, TensorBase):
            return False
    return True


cdef bint is_int_list(object x, bint one_is_enough) noexcept:
    cdef Py_ssize_t k
    if PyLong_CheckExact(x):
        return one_is_enough
    if not (PyList_Check(x) or PyTuple_Check(x)):
        return False
    for k in range(PySequence_Fast_GET_SIZE(x)):
        if not PyLong_CheckExact(<object>PySequence_Fast_GET_ITEM(x, k)):
            return False
    return True


cdef bint is_dtype(object x) noexcept:
    return isinstance(x, dtype)


cdef bint is_dtype_or_none(object x) noexcept:
    return x is None or isinstance(x, dtype)


cdef bint is_memory_format_or_none(object x) noexcept:
    return x is None or type(x) is _memory_format


cdef bint is_generator_or_none(object x) noexcept:
    return x is None or isinstance(x, Generator)


cdef TensorBase operand(object x):
    if isinstance(x, TensorBase):
        return <TensorBase>x
    return make_handle(wrap_number(x if is_number(x) else number_or_none(x)))


cdef TensorBase writable_operand(object x):
    """Return what `out` is: a tensor, or a number as a new tensor, which the program gets back."""
    return <TensorBase>x if isinstance(x, TensorBase) else make_tensor(operand(x).impl)


cdef TensorBase operand_or_none(object x):
    if isinstance(x, TensorBase):
        return <TensorBase>x
    x = number_or_none(x)
    return None if x is None else operand(x)


cdef object number_or_none(object x):
    if is_number(x):
        return x
    if not is_scalar(x) or (isinstance(x, _numpy_unsigned) and x > _INT64_MAX):
        return None
    return unpack_scalar(x)


cdef TensorBase compared_or_none(object x):
    if not isinstance(x, _numpy_array):
        return operand_or_none(x)
    try:
        return make_tensor(from_numpy(x))
    except TypeError:          # elements that no tensor has: it is another operand's turn
        return None


def added_in_place(self, other):
    """Compute ``self += other`` where `other` is no operand, through ``other.__radd__``.

    Returning NotImplemented would end the search: Python takes ``__iadd__`` of a class written in C for the
    concatenation of sequences, too, and what that returns for the result.
    """
    if not hasattr(type(other), "__radd__"):
        raise TypeError(f"unsupported operand type(s) for +=: '{type_name(self)}' and '{type_name(other)}'")
    return self + other


cdef tuple int_tuple(object x, int length):
    if PyLong_CheckExact(x):
        return (x,) * length if length else (x,)
    return tuple(x)


cdef object int_tuple_or_none(object x, int length):
    return None if x is None else int_tuple(x, length)


cdef int dtype_code_or_none(object x) except -1:
    if x is None:
        return NoType
    return code_of(<dtype?>x)


cdef int memory_format_code(object x, int default) except -1:
    return default if x is None else x._code


from numpy import integer as _numpy_integer, ndarray as _numpy_array, unsignedinteger as _numpy_unsigned

cdef object _INT64_MAX = 2**63 - 1


# names that are not the same in PyTorch's signatures and in the functions: ``Scalar self`` is the number
# that stands for ``Tensor input``
cdef dict _OWN_NAMES = {"self": "input", "from": "from_"}


def choose(str name, tuple overloads, list forms, tuple args, dict kwargs):
    """Choose the form of an operator that computes this call with PyTorch's parser.

    Parameters
    ----------
    name : str
    overloads : tuple
        PyTorch's signatures, each with the indices of the forms that serve it.
    forms : list of tuple
        For each form its arguments, pairs of a name and a default, which is ``...`` if there is none.
    args, kwargs : tuple, dict
        The arguments of the call.

    Returns
    -------
    int, tuple
        The index of the form, and the values of its arguments. If no form takes ``out=``, the call is made here
        without it. The index is then -1, and `out` is returned in place of the arguments.

    Raises
    ------
    TypeError, ValueError, RuntimeError, OverflowError
        PyTorch's, for arguments that do not fit.
    NotImplementedError
        For arguments that fit, and that no form takes.
    """
    first = None
    has_out = False
    for index, signature, objects in fitting([text for text, _ in overloads], args, kwargs, name=name):
        first = first or signature
        given = {_OWN_NAMES.get(p.name, p.name)
                 for p, obj in zip(signature.parameters, objects) if obj is not None}
        has_out = has_out or "out" in given
        for which in overloads[index][1]:
            pairs = forms[which]
            if given <= {own for own, _ in pairs}:
                if signature.deprecated:
                    _warn_of_deprecated(signature, overloads)
                values = {_OWN_NAMES.get(p.name, p.name): value for p, value
                          in zip(signature.parameters, unpacked(signature, objects))}
                return which, tuple([_value(own, default, values, given) for own, default in pairs])
    if has_out and name in _functions:
        others = {key: value for key, value in kwargs.items() if key != "out"}
        return -1, compute_out(name, _functions[name], args, others, kwargs["out"])
    raise NotImplementedError(f"{first.name}{first} is not implemented")


cdef dict _functions = {}


def register_functions(dict functions):
    """Register the public functions by name; called by the module that defines them."""
    _functions.update(functions)


def _warn_of_deprecated(signature, overloads):
    shown = [parse_signature(text) for text, _ in overloads]
    others = "".join(f"\n\t{s.name}{s}" for s in shown if not s.deprecated)
    warn_once(
        f"This overload of {signature.name} is deprecated:\n\t{signature.name}{signature}\n"
        f"Consider using one of the following signatures instead:{others}",
        kind="deprecated overload")


def _value(name, default, values, given):
    if name in given or default is ...:
        return values.get(name)
    return default


cdef extern from *:
    ctypedef struct PyDescrObject:
        PyObject* d_qualname


def name_methods(cls):
    """Let the methods that take no argument call themselves by PyTorch's class in Python's errors."""
    for base in cls.__mro__:
        if issubclass(base, TensorBase):
            for name, method in vars(base).items():
                if type(method) is _method_descriptor:
                    qualname = "TensorBase." + name
                    Py_INCREF(qualname)
                    Py_XDECREF((<PyDescrObject*>method).d_qualname)
                    (<PyDescrObject*>method).d_qualname = <PyObject*>qualname


cdef object _method_descriptor = type(list.append)


# Python's types that stand for dtypes
cdef dict _PYTHON_DTYPES = {float: dtype_of(Float64), int: dtype_of(Int64), bool: dtype_of(Bool),
                            complex: dtype_of(Complex128)}


def _is_dtype(x):
    return isinstance(x, dtype) or (isinstance(x, type) and x in _PYTHON_DTYPES)


def _to_dtype(x):
    return x if isinstance(x, dtype) else _PYTHON_DTYPES[x]


def _is_device(x):
    # an integer is the number of an accelerator
    return isinstance(x, (str, types.device, int, _numpy_integer)) and not isinstance(x, bool)


def _to_device(x):
    if isinstance(x, (int, _numpy_integer)):
        raise RuntimeError("Cannot access accelerator device when none is available.")
    return types.device(x) if isinstance(x, str) else x


register_type("Tensor", lambda x: isinstance(x, TensorBase))
register_type("ScalarType", _is_dtype, _to_dtype)
register_type("Layout", lambda x: isinstance(x, types.layout))
register_type("MemoryFormat", lambda x: isinstance(x, types.memory_format))
register_type("Device", _is_device, _to_device)
register_type("Generator", lambda x: isinstance(x, Generator))
register_type_name(dtype, "torch.dtype")
register_type_name(types.device, "torch.device")
register_type_name(types.Size, "torch.Size")
register_type_name(types.layout, "torch.layout")
register_type_name(types.memory_format, "torch.memory_format")
register_type_name(Generator, "torch.Generator")
