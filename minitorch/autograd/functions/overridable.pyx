"""The public functions, methods and attributes, which `__torch_function__` may override.

Purpose
-------
The functions behind the names only compute; they do not handle overrides. The namespaces and class `Tensor` hold
objects of the three classes here. Such an object checks that its arguments are plain, at one comparison of
pointers each, and calls the function. Otherwise it first calls `torch_function.pyx: call_override` with the
arguments as the caller gave them.

Interface
---------
`overridable` makes them for a function, `override_class` and `override_namespace` for all of a class or
module.
"""

cimport cython
from cpython.object cimport PyObject, Py_TYPE
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE

from minitorch.autograd.by_sample cimport WithoutRule, by_sample, check_out
from minitorch.autograd.grad_mode cimport any_inference_mode, inference_enabled
from minitorch.autograd.levels cimport Level, Wrapped, lifting_level, wrapped
from minitorch.autograd.python_dispatch cimport dispatched_of
from minitorch.autograd.special cimport interposers, is_tensor
from minitorch.autograd.torch_function cimport (
    KEYWORDS, PARSED, PYTHON, UNPARSED, call_override, is_alone_plain, is_plain, may_override, no_override, was_skipped,
    watched)
from minitorch.autograd.upward_calls cimport dispatch_calls, transform_calls
from minitorch.autograd.variable cimport TensorBase

import inspect
import re
import sys
import types
from functools import WRAPPER_ASSIGNMENTS

from minitorch.autograd.levels import captured, unwrap_dead
from minitorch.autograd.operators import operators
from minitorch.autograd.torch_function import DisableTorchFunction
from minitorch.autograd.python_dispatch import UndefinedResult, asked
from minitorch.parsing.parser import with_keywords

cdef extern from *:
    """
    static _Thread_local int minitorch_autocast = 0;             /* whether this thread casts arguments */
    static _Thread_local int minitorch_in_sign = 0;              /* whether a slot is called a second time */
    """
    int minitorch_autocast
    int minitorch_in_sign

cdef extern from "Python.h":
    """
    /* gives a class of ours the vectorcall protocol, and LOAD_METHOD if its objects are methods */
    static void minitorch_set_vectorcall(PyObject* cls, Py_ssize_t offset, int is_method) {
        PyTypeObject* type = (PyTypeObject*)cls;
        type->tp_vectorcall_offset = offset;
        type->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
        if (is_method) type->tp_flags |= Py_TPFLAGS_METHOD_DESCRIPTOR;
        PyType_Modified(type);
    }
    #define MINITORCH_OFFSET(field) offsetof( \\
        struct __pyx_obj_9minitorch_8autograd_9functions_11overridable_OverridableFunction, field)

    /* the C function behind a builtin or a method of C, if it takes what vectorcall gives */
    typedef PyObject* (*minitorch_fast)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
    static minitorch_fast minitorch_fast_of(PyObject* f, int* kind) {
        PyMethodDef* def = NULL;
        if (Py_IS_TYPE(f, &PyMethodDescr_Type)) { def = ((PyMethodDescrObject*)f)->d_method; *kind = 1; }
        else if (PyCFunction_CheckExact(f)) { def = ((PyCFunctionObject*)f)->m_ml; *kind = 0; }
        else return NULL;
        if (def->ml_flags == METH_NOARGS && *kind == 1) { *kind = 2; return (minitorch_fast)(void*)def->ml_meth; }
        if (def->ml_flags != (METH_FASTCALL | METH_KEYWORDS)) return NULL;
        return (minitorch_fast)(void*)def->ml_meth;
    }
    static PyObject* minitorch_call_noargs(minitorch_fast f, PyObject* self) {
        return ((PyCFunction)(void*)f)(self, NULL);
    }
    """
    ctypedef object (*vectorcallfunc)(PyObject*, PyObject**, size_t, PyObject*)
    ctypedef object (*minitorch_fast)(PyObject*, PyObject**, Py_ssize_t, PyObject*)
    minitorch_fast minitorch_fast_of(object f, int* kind)
    object minitorch_call_noargs(minitorch_fast f, PyObject* self)
    void minitorch_set_vectorcall(object cls, Py_ssize_t offset, int is_method)
    Py_ssize_t CALL_OFFSET "MINITORCH_OFFSET(call)"
    Py_ssize_t PyVectorcall_NARGS(size_t flags)
    object PyVectorcall_Call(object callable, tuple args, dict kwargs)
    object PyObject_Vectorcall(object callable, PyObject** args, size_t flags, PyObject* names)
    PyObject* PyCFunction_GET_SELF(object f)
    object PyMethod_New(object function, object instance)

# what is copied of a function; the docstring is made when it is read
_COPIED = [name for name in WRAPPER_ASSIGNMENTS if name != "__doc__"]

cdef object _missing = object()


cdef _describe_as(dict attributes, function):
    """Copy what `functools.update_wrapper` copies. ``import minitorch`` calls this 1,400 times."""
    for name in _COPIED:
        value = getattr(function, name, _missing)
        if value is not _missing:
            attributes[name] = value
    attributes.update(getattr(function, "__dict__", ()))
    attributes["__wrapped__"] = function


NOT_DISPATCHED = no_override              # for Python: no mode has handled the call


def cast_arguments(str name, tuple args, dict kwargs):
    """Return the arguments of an internal call as `autocast` casts them."""
    cdef object cast = dispatch_calls.casts.get(name) if minitorch_autocast else None
    given = None if cast is None else cast(args, kwargs)
    return (args, kwargs) if given is None else given


def _call_sign(str name, tuple args):
    """Compute ``self @ other`` and its like under `autocast`, as one call for a mode, or with None as a result."""
    global minitorch_in_sign
    if name == "matmul" and (minitorch_autocast or _dispatches(args, None)):
        return type(args[0]).matmul(*args)
    if minitorch_in_sign or name not in _SIGNS or not asked(*args):
        minitorch_in_sign = 0
        return no_override
    minitorch_in_sign = 1                  # the slot calls this again, which then returns at once
    try:
        return getattr(<object><PyObject*>watched.tensor, _SIGNS[name])(*args)
    except UndefinedResult:
        return None


# the name that an override gets for an operator sign -> the slot
cdef dict _SIGNS = {
    "add": "__add__", "sub": "__sub__", "mul": "__mul__", "div": "__truediv__", "__rdiv__": "__rtruediv__",
    "matmul": "__matmul__", "remainder": "__mod__", "eq": "__eq__", "ne": "__ne__", "lt": "__lt__", "le": "__le__",
    "gt": "__gt__", "ge": "__ge__", "neg": "__neg__", "abs": "__abs__", "bitwise_not": "__invert__",
    "positive": "__pos__", "add_": "__iadd__", "sub_": "__isub__", "mul_": "__imul__", "div_": "__itruediv__",
    "remainder_": "__imod__"}
_SIGNS.update({name: name for name in (
    "__eq__", "__getitem__", "__pow__", "__rpow__", "__rsub__", "__floordiv__", "__rfloordiv__", "__rmod__",
    "__rmatmul__", "__and__", "__or__", "__xor__", "__lshift__", "__rshift__", "__rlshift__", "__rrshift__")})


def switch_autocast(bint on):
    """Set whether calls of this thread cast their arguments, and return the previous setting."""
    global minitorch_autocast
    before = bool(minitorch_autocast)
    minitorch_autocast = on
    watched.modes += <int>on - <int>before     # so that calls do not go the short way
    return before


def watch_calls(int more):
    """Count `more` modes with ``__torch_dispatch__`` as active; while any is, no call takes the short way."""
    watched.modes += more


cdef bint _dispatches(tuple args, dict kwargs) except -1:
    """Return whether modes see a composed function as one call, since nothing that it calls can be recorded."""
    if not any_inference_mode:
        return False
    if inference_enabled():
        return True
    made = [t for t in _tensors(args)]
    if kwargs is not None:
        made.extend(_tensors(tuple(kwargs.values())))
    return len(made) > 0 and all((<TensorBase>t).impl.inference for t in made)


def _tensors(arguments):
    for argument in arguments:
        if isinstance(argument, TensorBase):
            yield argument
        elif isinstance(argument, (tuple, list)):
            yield from _tensors(argument)


cdef bint _has_own_dispatch(object x):
    """Return whether `x`, or an item of it, is a tensor of a class with ``__torch_dispatch__``."""
    if isinstance(x, TensorBase):
        return dispatched_of((<TensorBase>x).impl) is not None
    if isinstance(x, (tuple, list)):
        for item in x:
            if _has_own_dispatch(item):
                return True
    return False


cdef object _call_cast(OverridableFunction self, tuple given):
    """Call the function with cast arguments; calls inside it are not cast."""
    switch_autocast(False)
    try:
        return self.function(*given[0], **given[1])
    finally:
        switch_autocast(True)


# what they are given are data to PyTorch's parser, and no tensors that could take over
cdef frozenset _OF_DATA = frozenset(("tensor", "as_tensor", "asarray", "new_tensor", "sparse_coo_tensor"))


cdef enum Kind:                            # of a C function that is called directly
    FUNCTION
    METHOD
    METHOD_WITHOUT_ARGUMENTS


cdef object _forward(OverridableFunction self, PyObject** args, size_t flags, PyObject* names):
    """Call the function that computes; Python itself raises for some wrong names: see `_reworded`."""
    try:
        return _forward_as_given(self, args, flags, names)
    except UndefinedResult:
        return None
    except OverflowError as error:
        if str(error).startswith("Python int too large to convert to C"):
            raise ValueError("Overflow when unpacking long long") from None
        raise
    except TypeError as error:
        if names is not NULL:
            _reworded(error, self, args, PyVectorcall_NARGS(flags), <tuple><object>names)
        raise


cdef str _POSITION = r"(: argument '(\w+)') \(position (\d+)\)"


cdef int _reworded(error, OverridableFunction self, PyObject** args, Py_ssize_t given, tuple names) except -1:
    """Reword a TypeError as PyTorch words it for arguments that were given by name."""
    cdef Py_ssize_t k, first = isinstance(self, OverridableMethod)    # its receiver is not counted
    text = str(error).replace("multiple values for keyword argument", "multiple values for argument")
    found = re.search(_POSITION, text)
    # a function in Python hands its arguments on by their places
    if found is not None and found[2] in names and int(found[3]) > given - first and self.style != PYTHON:
        text = text.replace(found[0], found[1], 1)
    elif text.startswith(f"{self.__name__}() received an invalid combination") and self.style != PYTHON:
        text = with_keywords(text, tuple([<object>args[k] for k in range(first, given)]),
                             {name: <object>args[given + k] for k, name in enumerate(names)})
    if text != str(error):
        error.args = (text,)
    return 0


cdef object _forward_as_given(OverridableFunction self, PyObject** args, size_t flags,
                              PyObject* names):
    cdef Py_ssize_t given = PyVectorcall_NARGS(flags)
    if self.fast is not NULL:
        if self.kind == FUNCTION:
            return self.fast(self.receiver, args, given, names)
        # the descriptor itself says what is wrong with another first argument, or with too many
        if given > 0 and is_tensor(<object>args[0]):
            if self.kind == METHOD:
                return self.fast(args[0], args + 1, given - 1, names)
            if given == 1 and names is NULL:
                return minitorch_call_noargs(self.fast, args[0])
    if self.style < PYTHON and isinstance(self, OverridableMethod):
        _check_receiver(self, None if given == 0 else <object>args[0], given)
    return PyObject_Vectorcall(self.function, args, flags, names)


cdef bint _takes_every_tensor(type cls) except -1:
    """Return whether the methods of this compiled class use no more of a receiver than `TensorBase` has."""
    return issubclass(cls, TensorBase) and cls.__basicsize__ == TensorBase.__basicsize__


cdef int _check_receiver(OverridableFunction self, object receiver, Py_ssize_t given) except -1:
    """Raise a descriptor's TypeError: the functions below use their first argument as a tensor, unchecked."""
    if given == 0:
        raise TypeError(f"unbound method TensorBase.{self.__name__}() needs an argument")
    if not isinstance(receiver, TensorBase):
        raise TypeError(f"descriptor '{self.__name__}' for 'torch._C.TensorBase' objects doesn't apply to a "
                        f"'{type(receiver).__name__}' object")
    return 0


cdef int _check_captured(str name, tuple args, dict kwargs) except -1:
    """Raise PyTorch's error if a composed in-place function writes to a tensor from outside the innermost level."""
    cdef Py_ssize_t top = 0
    cdef Level level
    cdef Wrapped special
    cdef Wrapped own = None
    if (name.endswith("_") and (name.removesuffix("_"), "_") in operators) or name == "requires_grad_":
        return 0                          # a row complains itself, and the last of any transform
    for k, argument in enumerate(args):
        special = wrapped(<TensorBase>unwrap_dead(argument)) if isinstance(argument, TensorBase) else None
        if special is not None:
            top = max(top, special.level.number)
            own = special if k == 0 else own
    level = lifting_level(top)
    if level is None or (own is not None and own.level is level and not own.captured):
        return 0
    overload = transform_calls.overload_of(name, args, kwargs)
    if overload is not None:
        raise captured(overload)


cdef object _for_samples(OverridableFunction self, PyObject** args, Py_ssize_t given, Py_ssize_t total,
                         PyObject* names):
    """Call the function once per sample if PyTorch's has no batching rule; return None if it has one."""
    cdef str name = self.__name__
    rule = (<dict?>transform_calls.without_rule).get(name)
    # no method writes to an `out`
    out = names is not NULL and "out" in <tuple><object>names and not isinstance(self, OverridableMethod)
    in_place = name.endswith("_")
    if rule is None and not out and not in_place:
        return None
    positional = tuple([<object>args[k] for k in range(given)])
    by_name = {<object>PyTuple_GET_ITEM(<object>names, k - given): <object>args[k] for k in range(given, total)}
    if out:
        check_out(name, positional, by_name)
    if in_place:
        _check_captured(name, positional, by_name)
    if rule is None:
        return None
    return by_sample(<WithoutRule>rule, self, positional, by_name)


cdef object _call(PyObject* callable, PyObject** args, size_t flags, PyObject* names):
    cdef OverridableFunction self = <OverridableFunction>callable
    cdef Py_ssize_t k, given = PyVectorcall_NARGS(flags)
    cdef Py_ssize_t total = given if names is NULL else given + PyTuple_GET_SIZE(<object>names)
    if interposers and self.style < PYTHON:
        result = _for_samples(self, args, given, total, names)
        if result is not None:
            return result
    if watched.modes == 0:
        for k in range(min(total, self.asked)):
            if is_plain(args[k]):
                continue
            if may_override(<object>args[k]) or (any_inference_mode and _has_own_dispatch(<object>args[k])):
                break
        else:
            return _forward(self, args, flags, names)
    positional = tuple([<object>args[k] for k in range(given)])
    by_name = {<object>PyTuple_GET_ITEM(<object>names, k - given): <object>args[k]
               for k in range(given, total)} if total > given else None
    try:
        return _call_the_long_way(self, args, flags, names, positional, by_name)
    except UndefinedResult:
        return None


cdef object _call_the_long_way(OverridableFunction self, PyObject** args, size_t flags, PyObject* names,
                               tuple positional, dict by_name):
    result = self.ask(positional, by_name)
    if result is not no_override:
        return result
    if _dispatches(positional, by_name):
        result = dispatch_calls.call_in_inference_mode(self.__name__, positional, by_name or {}, False)
        if result is not no_override:
            return result
    if by_name is not None and by_name.get("out") is not None:
        result = dispatch_calls.call_with_out(self.__name__, positional, by_name)
        if result is not no_override:
            return result
    if minitorch_autocast:
        cast = dispatch_calls.casts.get(self.__name__)
        given = None if cast is None else cast(positional, by_name or {})
        if given is not None:
            return _call_cast(self, given)
    if self.style < PYTHON and was_skipped():
        # PyTorch makes the inner calls in C++, where __torch_function__ does not see them
        with DisableTorchFunction():
            return _forward(self, args, flags, names)
    return _forward(self, args, flags, names)


@cython.binding(False)
cdef class OverridableFunction:
    """A function that checks for overrides before it calls another function.

    Parameters
    ----------
    function : callable
        The function that computes.
    style : int
        How PyTorch's function looks for overrides: see torch_function.pyx.
    name : str, optional
        The function's own by default.
    """

    cdef vectorcallfunc call               # first, for the C code above
    cdef minitorch_fast fast               # NULL, or the C function of `function`
    cdef int kind
    cdef PyObject* receiver                # of a builtin function: its module; `function` holds it
    cdef readonly object function
    cdef readonly int style
    cdef Py_ssize_t asked                  # how many arguments may take over, the first ones: mostly all
    cdef object signature
    cdef object doc                        # a docstring that was assigned
    cdef dict __dict__
    cdef object __weakref__

    def __init__(self, function, int style, name=None):
        self.call = <vectorcallfunc>_call
        self.function = function
        self.style = style
        self.asked = sys.maxsize
        self.kind = FUNCTION
        self.fast = minitorch_fast_of(function, &self.kind)
        if self.fast is not NULL:
            if self.kind == FUNCTION:
                self.receiver = PyCFunction_GET_SELF(function)
            elif not _takes_every_tensor(function.__objclass__):
                self.fast = NULL
        _describe_as(vars(self), function)
        if name is not None:
            vars(self).update(__name__=name, __qualname__=name)
        if self.__name__ in _OF_DATA and style == PARSED:
            self.asked = isinstance(self, OverridableMethod)

    def __call__(self, *args, **kwargs):
        return PyVectorcall_Call(self, args, kwargs)

    cdef object ask(self, tuple args, dict kwargs):
        cdef list looked_at = list(args)
        if kwargs is not None:
            looked_at.extend(kwargs.values())
        looked_at = looked_at[:self.asked]
        if self.style >= PYTHON:
            args, kwargs = self.arranged(args, kwargs or {})
        return call_override(self, self.style, args, kwargs, looked_at)

    def arranged(self, args, kwargs):
        """Return the arguments as PyTorch's Python functions pass them on: by keyword if there is a default.

        A function that passes them on in another way has an attribute `handed_on`.
        """
        handed_on = getattr(self.function, "handed_on", None)
        if handed_on is not None:
            return handed_on(*args, **kwargs)
        if self.signature is None:
            self.signature = inspect.signature(self.function)
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError:
            return args, kwargs
        bound.apply_defaults()
        positional, by_name = [], {}
        for parameter in self.signature.parameters.values():
            value = bound.arguments[parameter.name]
            if parameter.kind is parameter.VAR_POSITIONAL:
                positional.extend(value)
            elif parameter.kind is parameter.VAR_KEYWORD:
                by_name.update(value)
            elif (self.style == KEYWORDS or parameter.kind is parameter.KEYWORD_ONLY
                    or parameter.default is not parameter.empty):
                by_name[parameter.name] = value
            else:
                positional.append(value)
        return tuple(positional), by_name

    def __reduce__(self):
        return self.__qualname__

    cdef object _of_a_function(self, str name):
        """Return an attribute that only functions written in Python have; raise for the others."""
        if self.style < PYTHON:
            raise AttributeError(
                f"'builtin_function_or_method' object has no attribute '{name}'")
        return getattr(self.function, name)

    cdef object docstring(self):
        # made when it is read: see documentation.py
        if self.doc is None:
            from minitorch.autograd.functions.documentation import docstring
            return docstring(self)
        return self.doc

    @property
    def __doc__(self):
        return self.docstring()

    @__doc__.setter
    def __doc__(self, text):
        self.doc = text

    @property
    def __signature__(self):
        if self.style >= PYTHON:
            raise AttributeError("__signature__")    # `inspect` finds that of `__wrapped__`
        from minitorch.autograd.functions.documentation import signature
        return signature(self)

    @property
    def __text_signature__(self):
        try:
            return str(inspect.signature(self))
        except ValueError:
            return None

    @property
    def __defaults__(self):
        return self._of_a_function("__defaults__")

    @property
    def __kwdefaults__(self):
        return self._of_a_function("__kwdefaults__")

    def __repr__(self):
        if self.style >= PYTHON:
            return f"<function {self.__qualname__} at {<size_t><void*>self:#x}>"
        if vars(self).get("_torch_module") == "torch":
            # PyTorch's are methods of a class without instances; packages know them by this in a graph
            owner = <size_t><void*>OverridableFunction
            return f"<built-in method {self.__name__} of type object at {owner:#x}>"
        return f"<built-in function {self.__name__}>"


cdef class OverridableMethod(OverridableFunction):
    """An `OverridableFunction` that is bound to the instance as a method."""

    @property
    def __doc__(self):                     # else it would be the docstring of this class
        return self.docstring()

    @__doc__.setter
    def __doc__(self, text):
        self.doc = text

    def __get__(self, instance, owner):
        return self if instance is None else PyMethod_New(self, instance)

    def __repr__(self):
        if self.style >= PYTHON:
            return f"<function {self.__qualname__} at {<size_t><void*>self:#x}>"
        return f"<method '{self.__name__}' of 'torch._C.TensorBase' objects>"


minitorch_set_vectorcall(OverridableFunction, CALL_OFFSET, False)
minitorch_set_vectorcall(OverridableMethod, CALL_OFFSET, True)


cdef class OverridableAttribute:
    """An attribute that checks for overrides before it reads another attribute of a class.

    An override is given the getter, ``Tensor.shape.__get__``, or the setter or deleter.
    """

    cdef readonly object attribute
    cdef object doc                        # a docstring that was assigned
    cdef dict __dict__

    def __cinit__(self, attribute, name):
        if Py_TYPE(attribute).tp_descr_get == NULL or Py_TYPE(attribute).tp_descr_set == NULL:
            raise TypeError(f"expected an attribute of a class (got {type(attribute).__name__})")
        self.attribute = attribute
        vars(self).update(__name__=name)

    @property
    def __doc__(self):
        if self.doc is None:
            from minitorch.autograd.functions.documentation import attribute_docstring
            return attribute_docstring(self.__name__, self.attribute.__doc__)
        return self.doc

    @__doc__.setter
    def __doc__(self, text):
        self.doc = text

    def __get__(self, instance, owner):
        if instance is None:
            return self
        if not is_alone_plain(instance):
            args = (instance,)
            result = call_override(self.__get__, UNPARSED, args, None, args)
            if result is no_override and _dispatches(args, None):
                result = dispatch_calls.call_in_inference_mode(self.__name__, args, {}, True)
            if result is not no_override:
                return result
        return Py_TYPE(self.attribute).tp_descr_get(self.attribute, instance, <object>Py_TYPE(instance))

    def __set__(self, instance, value):
        if not is_alone_plain(instance):
            args = (instance, value)
            if call_override(self.__set__, UNPARSED, args, None, (instance,)) is not no_override:
                return
        Py_TYPE(self.attribute).tp_descr_set(self.attribute, instance, value)

    def __delete__(self, instance):
        if not is_alone_plain(instance):
            args = (instance,)
            if call_override(self.__delete__, UNPARSED, args, None, args) is not no_override:
                return
        self.attribute.__delete__(instance)

    def __repr__(self):
        return f"<attribute '{self.__name__}' of 'torch._C.TensorBase' objects>"


# (function, style, name, binds) -> its overridable object, which is the same in all namespaces
cdef dict _made = {}


def overridable(function, style=None, name=None, binds=None):
    """Return the overridable object of `function`, the same at each call.

    Parameters
    ----------
    function : callable
    style : int, optional
        PYTHON for functions in Python, PARSED for others.
    name : str, optional
        The function's own by default.
    binds : bool, optional
        Whether it becomes a method as an attribute of a class. By default functions in Python do.
    """
    if isinstance(function, OverridableFunction):
        return function
    if style is None:
        style = PYTHON if inspect.isfunction(function) else PARSED
    if binds is None:
        binds = style >= PYTHON
    key = (function, style, name or function.__name__, binds)
    if key not in _made:
        _made[key] = (OverridableMethod if binds else OverridableFunction)(function, style, name)
    return _made[key]


def override_namespace(dict namespace, names, prefix=None, in_python=(), by_keyword=False,
                       torch_modules=("torch", "torch")):
    """Put an overridable function in the place of each of the names in a module's namespace.

    Parameters
    ----------
    namespace : dict
    names : iterable of str
    prefix : str, optional
        ``"linalg"``: PyTorch's functions are called ``linalg_inv``.
    in_python : container of str
        Those that are functions in Python there.
    by_keyword : bool
        Whether all are, and pass their arguments on by keyword.
    torch_modules : tuple
        The modules that PyTorch's errors name: of functions with a parser, and of those in Python.
    """
    for name in names:
        if isinstance(namespace[name], OverridableFunction):
            continue
        style = KEYWORDS if by_keyword else PYTHON if name in in_python else PARSED
        made = overridable(namespace[name], style, name if prefix is None else f"{prefix}_{name}")
        # by these two it is found in a pickle
        vars(made).update(__module__=namespace["__name__"], __qualname__=name,
                          _torch_module=torch_modules[style != PARSED])
        namespace[name] = made


_ATTRIBUTES = (property, type(TensorBase.grad))
_METHODS = (type(list.append), types.FunctionType, type(overridable))


def override_class(cls, excluded, in_python, unparsed):
    """Put overridable methods and attributes in the places of those of `cls` and of its compiled bases.

    Parameters
    ----------
    cls : type
        Tensor.
    excluded : iterable of str
        Names that nothing takes over, or that look for overrides themselves.
    in_python, unparsed : container of str
        Methods that are functions in Python in PyTorch, and methods that have no parser there, besides those
        that are compiled here and take no argument.
    """
    found = {}
    for base in reversed(cls.__mro__):
        if base is not object:
            found.update(vars(base))
    for name, value in found.items():
        if name in excluded:
            continue
        if isinstance(value, _ATTRIBUTES):
            setattr(cls, name, OverridableAttribute(value, name))
        elif isinstance(value, _METHODS):
            method = OverridableMethod(value, PYTHON if name in in_python else PARSED, name)
            if name in unparsed or method.kind == METHOD_WITHOUT_ARGUMENTS:
                method.style = UNPARSED
            vars(method)["_torch_module"] = "torch._tensor"
            setattr(cls, name, method)
