"""Report operators and named blocks to observers: see Note [Watching] in events.pyx.

`interpose` reports operators. Python code reports blocks, and functions that are composed of operators. While there is
an observer of calls, no operator takes its fast path.
"""

cimport cython

from minitorch.autograd.events cimport Observer
from minitorch.autograd.special cimport count_interposers

FUNCTION, NODE, USER = 0, 1, 7           # scopes of what begins and ends, as PyTorch numbers them

watching_calls = False
cdef list _observers = []


@cython.binding(False)
cdef class CallObserver(Observer):
    """Base class of observers of calls, too. An exception in one of the methods ends the call."""

    cdef int switched(self, bint on) except -1:
        global watching_calls
        if on:
            _observers.append(self)
        else:
            for k in range(len(_observers)):
                if _observers[k] is self:
                    del _observers[k]
                    break
        count_interposers(1 if on else -1)
        watching_calls = len(_observers) > 0
        return 0

    cpdef operator_begins(self, object operator, tuple arguments):
        """Observe a call of an operator; return a token. See `begin_operator` in calls.pxd."""

    cpdef block_begins(self, str name, int scope, object arguments, object operator, dict keywords, bint numbered):
        """Observe the beginning of a block or of a composed function; return a token. See `begin_block`."""

    cpdef call_ends(self, object token, object result):
        """Observe the end of an operator or block; `result` is None if it has raised an exception."""


cdef list begin_operator(object operator, tuple arguments):
    cdef list begun = []
    try:
        for observer in tuple(_observers):
            begun.append((observer, (<CallObserver>observer).operator_begins(operator, arguments)))
    except BaseException:
        end_call(begun, None)
        raise
    return begun


cdef int end_call(list begun, object result) except -1:
    if begun:
        observer, token = begun.pop()
        try:
            (<CallObserver>observer).call_ends(token, result)
        finally:
            end_call(begun, result)
    return 0


def are_calls_watched():
    """Return whether there is an observer of calls."""
    return bool(watching_calls)


def begin_block(str name, int scope=USER, arguments=(), *, operator=None, dict keywords=None, bint numbered=False):
    """Report the beginning of a block, or of a function that is composed of operators.

    Parameters
    ----------
    name : str
    scope : int
        `FUNCTION` or `USER`.
    arguments
        Its values; for a composed function ``(args, kwargs)``.
    operator : str, optional
        The name of PyTorch's operator that a composed function stands for.
    keywords : dict, optional
    numbered : bool
        Whether it has the number of the next node.

    Returns
    -------
    list
        What `end_block` takes.
    """
    cdef list begun = []
    try:
        for observer in tuple(_observers):
            token = (<CallObserver>observer).block_begins(name, scope, arguments, operator, keywords, numbered)
            begun.append((observer, token))
    except BaseException:
        end_call(begun, None)
        raise
    return begun


def end_block(list begun, result=None):
    """Report the end of a block that `begin_block` has begun."""
    end_call(begun, result)


def observed_call(str name, values, function, *args):
    """Return ``function(*args)``, a call that records a node, and report it as a function with some `values`."""
    if not watching_calls:
        return function(*args)
    result = None
    begun = begin_block(name, FUNCTION, values, numbered=True)
    try:
        result = function(*args)
    finally:
        end_call(begun, result)
    return result
