"""`__torch_function__`: overrides, by which a class or a mode handles calls of functions and methods of tensors.

Purpose
-------
If the class of an argument has a method ``__torch_function__``, the function calls this method with the function
itself, the types of all such arguments, and the arguments. The argument need not be a tensor. A mode is an object with
such a method that handles every call in a block. The rules for overrides are all in this module.

Note [Plain arguments]
Instances of `Tensor` and `Parameter`, and Python's numbers, override nothing. `is_plain` recognises them by comparing
pointers, and `watched.modes` counts the modes. An ordinary call needs only these two tests. Everything else here is for
arguments that are not plain.

Three styles
------------
PyTorch has three kinds of functions, which differ in what an override sees. A function with an argument parser (PARSED)
passes its arguments unchanged. A method without one (UNPARSED) includes its tensor in the types even if only a mode
handles the call. A function in Python (PYTHON) includes plain tensors in the types, calls Tensor's own
``__torch_function__`` like any other, and has different texts for its errors.
"""

import enum
import threading
import warnings

cimport cython
from cpython.ref cimport Py_INCREF

from minitorch.autograd.upward_calls cimport autograd_calls

from minitorch.autograd.grad_mode import _register_override
from minitorch.core.once import warn_once

cdef extern from *:
    """
    /* 0: enabled, 1: classes of tensors are passed by, 2: modes too */
    static _Thread_local int minitorch_function_state = 0;
    static _Thread_local int minitorch_function_depth = 0;
    /* the next function on this thread is called as it is */
    static _Thread_local int minitorch_skip_function = 0;
    static _Thread_local int minitorch_skipped = 0;
    """
    int minitorch_function_state
    int minitorch_function_depth
    int minitorch_skip_function
    int minitorch_skipped

cdef extern from "Python.h":
    PyObject* _PyType_Lookup(PyTypeObject* cls, object name) noexcept
    bint PyUnicode_Check(object x) noexcept
    bint PyList_Check(object x) noexcept
    bint PyTuple_Check(object x) noexcept
    # of a list or a tuple; they raise nothing
    Py_ssize_t PySequence_Fast_GET_SIZE(object x) noexcept
    PyObject* PySequence_Fast_GET_ITEM(object x, Py_ssize_t k) noexcept

cdef extern from *:
    """
    /* Whether this is a staticmethod of that function. Its getter gives what it holds, and allocates nothing. */
    static int minitorch_wraps(PyObject* method, PyObject* function) {
        PyObject* wrapped;
        if (Py_TYPE(method) != &PyStaticMethod_Type)
            return 0;
        wrapped = PyStaticMethod_Type.tp_descr_get(method, NULL, (PyObject*)Py_TYPE(method));
        if (wrapped == NULL) {
            PyErr_Clear();                  /* it is being made */
            return 0;
        }
        Py_DECREF(wrapped);
        return wrapped == function;
    }
    """
    bint wraps "minitorch_wraps"(PyObject* method, PyObject* function) noexcept

cdef enum State:
    ENABLED
    SUBCLASSES_DISABLED
    ALL_DISABLED


class _NoOverride:
    def __repr__(self):
        return "<no override>"


no_override = _NoOverride()
cdef object _tensor_class = None
cdef str _METHOD = "__torch_function__"


@cython.binding(False)                        # as an attribute of a class it stays what it is
def _disabled_torch_function_impl(func, types, args=(), kwargs=None):
    """Call the function with the overrides of classes switched off.

    A class with this as its ``__torch_function__`` overrides nothing.
    """
    with DisableTorchFunctionSubclass():
        return func(*args, **(kwargs or {}))


cdef object _disabled = _disabled_torch_function_impl


# Slot: arguments of these two classes, of higher layers, are recognised by comparing a pointer: they are in every call
def register_plain_class(cls, bint is_tensor):
    """Register `Tensor` or `Parameter` as a class whose direct instances override nothing."""
    global _tensor_class
    Py_INCREF(cls)                            # it outlives the comparisons
    if is_tensor:
        _tensor_class = <type>cls
        watched.tensor = <PyTypeObject*>cls
    else:
        watched.parameter = <PyTypeObject*>cls


# ---- who overrides

cdef bint _has_method(object x, bint disabled_too=False) noexcept:
    cdef PyTypeObject* cls = Py_TYPE(x)
    cdef PyObject* method
    if cls == watched.tensor or cls == watched.parameter:
        return disabled_too and cls == watched.tensor
    method = _PyType_Lookup(cls, _METHOD)
    if method is NULL:
        return False
    # ``staticmethod(_disabled_torch_function_impl)`` says the same
    return method != <PyObject*>_disabled and not wraps(method, <PyObject*>_disabled)


cdef bint may_override(object x) noexcept:
    cdef Py_ssize_t k
    if is_plain(<PyObject*>x) or x is None or PyUnicode_Check(x) or PyBool_Check(x):
        return False
    if PyList_Check(x) or PyTuple_Check(x):
        for k in range(PySequence_Fast_GET_SIZE(x)):
            item = PySequence_Fast_GET_ITEM(x, k)
            if not is_plain(item) and _has_method(<object>item):
                return True
    return _has_method(x)


cdef int _add(object x, list chosen, bint plain_too) except -1:
    """Add `x` to the arguments with overrides: one of each class, subclasses before their bases."""
    cdef Py_ssize_t k
    if not _has_method(x, plain_too):
        return 0
    cls = type(x)
    for other in chosen:
        if type(other) is cls:
            return 0
    for k in range(len(chosen)):
        if issubclass(cls, type(chosen[k])):
            chosen.insert(k, x)
            return 0
    chosen.append(x)
    return 0


cdef list _overloaded(object looked_at, bint plain_too):
    cdef list chosen = []
    for x in looked_at:
        _add(x, chosen, plain_too)
        if isinstance(x, (tuple, list)):
            for item in x:
                _add(item, chosen, plain_too)
    return chosen


cdef bint _mode_is_on() noexcept:
    return minitorch_function_depth > 0 and minitorch_function_state != ALL_DISABLED


cdef bint _skips() noexcept:
    """Return whether overrides are skipped for this call, and reset the switch."""
    global minitorch_skip_function, minitorch_skipped
    minitorch_skipped = minitorch_skip_function
    minitorch_skip_function = 0
    return minitorch_skipped


cdef bint was_skipped() noexcept:
    return minitorch_skipped


# ---- the call

cdef object call_override(object function, int style, tuple args, object kwargs, object looked_at):
    """Return the result of the first override that does not return ``NotImplemented``.

    Parameters
    ----------
    function : object
        The function that was called, under PyTorch's name.
    style : Style
    args, kwargs : tuple, dict or None
        The arguments for the override.
    looked_at : sequence
        The arguments whose classes may have overrides.

    Raises
    ------
    TypeError
        If all overrides return ``NotImplemented``.
    """
    cdef list chosen
    if _skips():
        return no_override
    chosen = [] if minitorch_function_state != ENABLED else _overloaded(looked_at, style >= PYTHON)
    if not _mode_is_on():
        if style >= PYTHON:
            for x in chosen:
                if _has_method(x):
                    break
            else:
                return no_override
        if not chosen:
            return no_override
    return _call(function, style, chosen, args, kwargs)


cdef object _call(object function, int style, list chosen, tuple args, object kwargs):
    cdef tuple types = tuple([type(x) for x in chosen])
    cdef bint python = style >= PYTHON
    mode = None
    if style == UNPARSED and not chosen:
        types = (type(args[0]),)
    elif python and kwargs is None:
        kwargs = {}
    if _mode_is_on():
        with function_mode_popped() as mode:
            if isinstance(getattr(mode.__torch_function__, "__self__", None), type):
                raise RuntimeError(
                    "Defining your mode's `__torch_function__` as a classmethod is not supported, "
                    "please make it a plain method"
                )
            result = _ask(mode.__torch_function__, function, types, args, kwargs)
        if result is not NotImplemented:
            return result
    for x in chosen:
        method = x.__torch_function__
        if getattr(method, "__self__", None) is x and method is not _disabled:
            _warn_of_plain_method(python)
        result = _ask(method, function, types, args, kwargs)
        if result is not NotImplemented:
            return result
    if python:
        raise TypeError(_refusal(function, chosen, mode))
    raise TypeError(_parser_refusal(function, chosen, mode))


cdef object _ask(object method, object function, tuple types, tuple args, object kwargs):
    if kwargs is None:
        return method(function, types, args)
    return method(function, types, args, kwargs)


def _warn_of_plain_method(bint python):
    if python:
        warnings.warn(
            "Defining your `__torch_function__ as a plain method is deprecated and will be an error in "
            "future, please define it as a classmethod.", DeprecationWarning, stacklevel=2)
    else:
        warn_once(
            "Defining your `__torch_function__` as a plain method is deprecated and will be an error in "
            "future, please define it as a classmethod.")


def _refusal(function, chosen, mode):
    module = getattr(function, "_torch_module", None) or getattr(function, "__module__", "torch._tensor")
    if module.partition(".")[0] == "minitorch":
        module = module[4:]  # as PyTorch calls it
    text = (f"no implementation found for '{module}.{function.__name__}' on types that implement "
            f"__torch_function__: {[type(x) for x in chosen]}")
    return text if mode is None else f"{text} nor in mode {mode}"


def _parser_refusal(function, chosen, mode):
    lines = [] if mode is None else [f"  - mode object {mode!r}"]
    lines += [f"  - tensor subclass {type(x)!r}" for x in chosen]
    return (f"Multiple dispatch failed for '{_full_name(function)}'; all __torch_function__ handlers "
            "returned NotImplemented:\n\n" + "\n".join(lines)
            + "\n\nFor more information, try re-running with TORCH_LOGS=not_implemented")


def _full_name(function):
    if isinstance(function, type):
        return f"torch.{function.__name__}"
    owner = getattr(function, "__self__", None)
    if getattr(function, "__name__", None) in ("__get__", "__set__", "__delete__") and owner is not None:
        return f"torch.Tensor.{owner.__name__}.{function.__name__}"
    if getattr(_tensor_class, function.__name__, None) is function:
        return f"torch.Tensor.{function.__name__}"
    return f"{getattr(function, '_torch_module', 'torch')}.{function.__name__}"


cdef object override_method(str name, int style, tuple args):
    result = no_override
    if watched.modes > 0 or _any_may_override(args):
        result = call_override(getattr(_tensor_class, name), style, args, None, args)
    if result is no_override:
        return autograd_calls.call_sign(name, args)
    return result


cdef bint _any_may_override(tuple args) noexcept:
    cdef Py_ssize_t k
    for k in range(PySequence_Fast_GET_SIZE(args)):
        if may_override(<object>PySequence_Fast_GET_ITEM(args, k)):
            return True
    return False


cdef object override_operator(str name, int style, object self, object other):
    # a sign of Python's whose operands do not fit: Python asks the other one, and raises its own error
    try:
        return override_method(name, style, (self, other))
    except TypeError:
        return NotImplemented


def _is_overridden(function, *args):
    """Return whether a mode has handled the call of a function without tensor arguments."""
    return watched.modes > 0 and call_override(function, PARSED, args, None, ()) is not no_override


_register_override(_is_overridden, <size_t>&watched.modes)


# ---- the thread's modes

class _Stack(threading.local):
    # a mode and those further out: so that leaving one allocates nothing
    modes = None


cdef object _stack = _Stack()


cdef object _pop():
    global minitorch_function_depth
    mode, _stack.modes = _stack.modes
    minitorch_function_depth -= 1
    watched.modes -= 1
    return mode


cdef int _push(object mode) except -1:
    global minitorch_function_depth
    _stack.modes = (mode, _stack.modes)
    minitorch_function_depth += 1
    watched.modes += 1
    return 0


def _push_on_torch_function_stack(mode):
    """Make `mode` the innermost mode of this thread, which handles calls first."""
    _push(mode)


def _pop_torch_function_stack():
    """Remove the innermost mode, and return it."""
    if not minitorch_function_depth:
        raise RuntimeError("trying to pop from empty mode stack")
    return _pop()


def _len_torch_function_stack():
    """Return the number of modes on this thread."""
    return minitorch_function_depth


def _get_function_stack_at(Py_ssize_t index):
    """Return the mode with number `index`, counted from the outermost one."""
    if not 0 <= index < minitorch_function_depth:
        raise RuntimeError("Tried to get stack at idx that's too big")
    modes = _stack.modes
    for _ in range(minitorch_function_depth - 1 - index):
        modes = modes[1]
    return modes[0]


# These serve as ``__enter__`` and ``__exit__`` of a mode: see Note [Atomic entering]

def enter_function_mode(self):
    """Push this mode on the stack of this thread."""
    _push(self)
    return self


def exit_function_mode(self, exc_type, exc_val, exc_tb):
    """Remove the innermost mode."""
    _pop_torch_function_stack()


class function_mode_popped:
    """Context manager that removes the innermost mode for its block, and returns it on entering."""

    def __enter__(self):
        self.entry = _stack.modes
        return _pop_torch_function_stack()

    def __exit__(self, exc_type, exc_value, traceback):
        global minitorch_function_depth
        _stack.modes = self.entry
        minitorch_function_depth += 1
        watched.modes += 1


# ---- switches

class _TorchFunctionState(enum.IntEnum):
    """Which overrides are in force: all, only those of modes, or none."""

    ENABLED = 0
    SUBCLASSES_DISABLED = 1
    ALL_DISABLED = 2


def _get_torch_function_state():
    """Return which overrides are in force on this thread."""
    return _TorchFunctionState(minitorch_function_state)


def _set_torch_function_state(state):
    """Set which overrides are in force on this thread."""
    global minitorch_function_state
    minitorch_function_state = _TorchFunctionState(state)


def _is_torch_function_enabled():
    """Return whether overrides of classes are in force on this thread."""
    return minitorch_function_state == ENABLED


def _is_torch_function_all_disabled():
    """Return whether no overrides are in force on this thread."""
    return minitorch_function_state == ALL_DISABLED


def _is_torch_function_mode_enabled():
    """Return whether a mode handles the calls on this thread."""
    return bool(_mode_is_on())


def _set_skip_next_torch_function(bint value):
    """Set whether the next function with an override is called without it."""
    global minitorch_skip_function
    minitorch_skip_function = value


def _peek_should_skip_torch_function():
    """Return whether the next function with an override is called without it."""
    return bool(minitorch_skip_function)


class skipping_next_function:
    """Context manager in which the next function with an override is called without it."""

    def __enter__(self):
        global minitorch_skip_function
        minitorch_skip_function = True

    def __exit__(self, exc_type, exc_value, traceback):
        global minitorch_skip_function
        minitorch_skip_function = False


class _Switch:
    """Base class of context managers that set which overrides are in force on this thread."""

    def __enter__(self):
        global minitorch_function_state
        self.previous = minitorch_function_state
        minitorch_function_state = self._state(minitorch_function_state)

    def __exit__(self, exc_type, exc_value, traceback):
        global minitorch_function_state
        minitorch_function_state = self.previous


class DisableTorchFunctionSubclass(_Switch):
    """Context manager that switches off overrides of classes; those of modes stay in force."""

    def _state(self, state):
        return max(<int>state, <int>SUBCLASSES_DISABLED)


class DisableTorchFunction(_Switch):
    """Context manager that switches off overrides of classes and modes."""

    def _state(self, state):
        return <int>ALL_DISABLED


class _EnableTorchFunction(_Switch):
    """Context manager that switches on overrides of classes and modes."""

    def _state(self, state):
        return <int>ENABLED


for _switch in (_TorchFunctionState, DisableTorchFunctionSubclass, DisableTorchFunction, _EnableTorchFunction):
    _switch.__module__ = "torch._C"


# ---- for functions in Python

def _has_torch_function(relevant_args):
    """Return whether the class of an argument has an override, or a mode is on.

    Parameters
    ----------
    relevant_args : iterable
        The arguments whose classes may have overrides.

    Returns
    -------
    bool

    Raises
    ------
    TypeError
        If the argument is not iterable.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.overrides.has_torch_function((torch.ones(2), 3))
    False
    """
    if _skips():
        return False
    if _mode_is_on():
        return True
    if minitorch_function_state != ENABLED or not isinstance(relevant_args, (tuple, list)):
        if not hasattr(relevant_args, "__iter__"):
            raise TypeError("expected a sequence")
        if minitorch_function_state != ENABLED:
            return False
    for x in relevant_args:
        if _has_method(x):
            return True
    return False


def _has_torch_function_unary(argument):
    """Do what `_has_torch_function` does, for one argument."""
    return not _skips() and bool(_mode_is_on() or (minitorch_function_state == ENABLED and _has_method(argument)))


def _has_torch_function_variadic(*relevant_args):
    """Do what `_has_torch_function` does, for several arguments."""
    return _has_torch_function(relevant_args)


def _get_overloaded_args(relevant_args, get_type_fn=None):
    """Return the arguments with overrides, in order: one of each class, subclasses before their bases.

    Plain tensors are included, as for all functions in Python.
    """
    return _overloaded_by(relevant_args, get_type_fn) if minitorch_function_state == ENABLED else []


def _overloaded_by(relevant_args, get_type_fn):
    cdef list chosen = []
    if get_type_fn is None or get_type_fn is type:
        for x in relevant_args:
            _add(x, chosen, True)
        return chosen
    for x in relevant_args:
        cls = get_type_fn(x)
        method = getattr(cls, "__torch_function__", None)
        if method is None or method is _disabled or any(get_type_fn(other) is cls for other in chosen):
            continue
        place = next((k for k, other in enumerate(chosen) if issubclass(cls, get_type_fn(other))),
                     len(chosen))
        chosen.insert(place, x)
    return chosen


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """Return the result of the first override that handles the call: the innermost mode, then the arguments.

    Parameters
    ----------
    public_api : callable
        The function that was called.
    relevant_args : iterable
        The arguments whose classes may have overrides.
    *args, **kwargs
        The arguments of the function.

    Returns
    -------
    object
        What the override returns.

    Raises
    ------
    TypeError
        If all return ``NotImplemented``.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Named(torch.Tensor):
    ...     @classmethod
    ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
    ...         return f"override of {func.__name__}"
    >>> def double(x):
    ...     if torch.overrides.has_torch_function((x,)):
    ...         return torch.overrides.handle_torch_function(double, (x,), x)
    ...     return 2 * x
    >>> double(torch.ones(2).as_subclass(Named))
    'override of double'
    """
    cdef list chosen = _get_overloaded_args(relevant_args)
    return _call(public_api, PYTHON, chosen, args, kwargs)
