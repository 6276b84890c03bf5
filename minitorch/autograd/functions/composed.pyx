"""PyTorch's argument parser in front of the functions that are composed in Python.

Purpose
-------
`diag` or `quantile` are Python functions here and operators in PyTorch, whose parser raises their errors. As for
the operators of derivatives/, arguments that plainly have the right types go straight to the
function; the parser converts all others or raises.

Interface
---------
:func:`parsed` wraps a function; its signatures are those of the operator's record (tools/records.py).
"""

from cpython.long cimport PyLong_CheckExact

from minitorch.autograd.functions.arguments cimport is_int_list, is_number, is_tensor_list
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.dtype cimport dtype

from functools import update_wrapper

from minitorch.autograd.functions.outputs import compute_out
from minitorch.parsing.parser import fitting, unpacked
from minitorch.parsing.signature import parse_signature

cdef enum:
    TENSOR
    TENSORS
    INTEGER
    REAL
    NUMBER
    NUMBERS
    INTEGER_OR_INTEGERS
    INTEGERS
    TRUTH
    STRING
    DTYPE
    OTHER

# type in a signature -> what is plainly of it; all else is for the parser to judge
cdef dict _CODES = {
    "Tensor": TENSOR, "TensorList": TENSORS, "int64_t": INTEGER, "SymInt": INTEGER, "double": REAL,
    "Scalar": NUMBER, "ScalarList": NUMBERS, "IntArrayRef": INTEGERS, "SymIntArrayRef": INTEGERS, "bool": TRUTH,
    "c10::string_view": STRING, "ScalarType": DTYPE}

cdef int _VARARGS = 4, _VARKEYWORDS = 8                # flags of Python's code objects


cdef bint _is_plain(int code, object x):
    if code == TENSOR:
        return isinstance(x, TensorBase)
    if code == TENSORS:
        return is_tensor_list(x)
    if code == INTEGER:
        return PyLong_CheckExact(x)
    if code == REAL:
        return type(x) is float or PyLong_CheckExact(x)
    if code == NUMBER:
        return is_number(x)
    if code == NUMBERS:
        return isinstance(x, (tuple, list)) and all([is_number(item) for item in x])
    if code == INTEGER_OR_INTEGERS:
        return is_int_list(x, True)
    if code == INTEGERS:
        return not PyLong_CheckExact(x) and is_int_list(x, False)
    if code == TRUTH:
        return isinstance(x, bool)
    if code == STRING:
        return isinstance(x, str)
    return code == DTYPE and isinstance(x, dtype)


cdef class _Table:
    """A signature in a form that can be compared with arguments quickly."""

    cdef dict places                                   # name -> place, where the function has it too
    cdef list codes, optional, required
    cdef Py_ssize_t positional

    def __init__(self, signature, function, skipped, takes_integer):
        parameters, names = signature.parameters, _names(function)[skipped:]
        self.places = {
            p.name: k for k, p in enumerate(parameters)
            if (p.name in names if p.keyword_only else names[k:k + 1] == (p.name,))}
        self.codes = [_CODES.get(p.type, OTHER) for p in parameters]
        if takes_integer:
            self.codes = [INTEGER_OR_INTEGERS if code == INTEGERS and p.size == 1 else code
                          for code, p in zip(self.codes, parameters)]
        self.optional = [p.allow_none for p in parameters]
        self.required = [k for k, p in enumerate(parameters) if p.default is None]
        self.positional = signature.max_positional

    cdef bint fits(self, tuple args, dict kwargs):
        cdef Py_ssize_t k, given = len(args)
        if given > self.positional:
            return False
        for k in range(given):
            if not self.takes(k, args[k]):
                return False
        for name, value in kwargs.items():
            place = self.places.get(name)
            if place is None or place < given or not self.takes(place, value):
                return False
        for place in self.required:
            if place >= given and place not in [self.places[name] for name in kwargs]:
                return False
        return True

    cdef bint takes(self, Py_ssize_t place, object x):
        return (x is None and self.optional[place]) or _is_plain(self.codes[place], x)


cdef bint _fits_plainly(function, list tables, tuple texts, tuple args, dict kwargs, int skipped,
                        bint takes_integer):
    cdef _Table table
    if not tables:
        tables.extend([_Table(parse_signature(text), function, skipped, takes_integer) for text in texts])
    for table in tables:
        if table.fits(args, kwargs):
            return True
    return False


def parsed(function, tuple texts, bint method=False, bint takes_integer=False):
    """Return `function` wrapped in the parser.

    Parameters
    ----------
    function : function
        Written in Python. Positional arguments come in the signatures' order, others by name.
    texts : tuple of str
        The signatures, tried in order.
    method : bool
        Whether the function is a method of Tensor; the signatures are then without the tensor.
    takes_integer : bool
        Whether the function takes an integer where the signature takes a list of one, as it is.
    """
    cdef list tables = []
    cdef str name = function.__name__
    cdef bint takes_out = "out" in _names(function)

    def call_function(*args, **kwargs):
        if kwargs.get("out") is not None and not takes_out:
            args, kwargs = _arranged(function, texts, args, kwargs, 0)
            out = kwargs.pop("out")
            return compute_out(name, function, args, kwargs, out)
        if not _fits_plainly(function, tables, texts, args, kwargs, 0, takes_integer):
            args, kwargs = _arranged(function, texts, args, kwargs, 0)
        return function(*args, **kwargs)

    def call_method(self, *args, **kwargs):
        if not _fits_plainly(function, tables, texts, args, kwargs, 1, takes_integer):
            args, kwargs = _arranged(function, texts, args, kwargs, 1)
        return function(self, *args, **kwargs)

    return update_wrapper(call_method if method else call_function, function)


def _names(function):
    code = function.__code__
    return code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]


def _arranged(function, texts, args, kwargs, skipped):
    """Parse a call of the function and return its positional and keyword arguments."""
    first = parse_signature(texts[0])
    if skipped and len(texts) == 1 and not first.parameters:
        # PyTorch's class has such a method without a parser
        reason = "keyword arguments" if kwargs else f"arguments ({len(args)} given)"
        raise TypeError(f"TensorBase.{first.name}() takes no {reason}")
    _, signature, objects = next(fitting(texts, args, kwargs))
    flags, room = function.__code__.co_flags, function.__code__.co_argcount - skipped
    positional, keywords, in_order = [], {}, True
    for p, obj, value in zip(signature.parameters, objects, unpacked(signature, objects)):
        if obj is None and p.default is not None:
            in_order = False
        elif in_order and not p.keyword_only and (len(positional) < room or flags & _VARARGS):
            positional.append(value)
        elif p.name == "out" or p.name in _names(function) or flags & _VARKEYWORDS:
            keywords[p.name] = value
        else:
            raise NotImplementedError(f"{signature.name}{signature}: {p.name} is not implemented")
    return tuple(positional), keywords
