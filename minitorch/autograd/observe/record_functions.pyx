"""Records of nested operations for listeners: operators, the nodes of a backward pass and named blocks.

Each operation that begins is a `Record` on a stack of its thread, so that listeners know what encloses it. A listener
has a method ``begins(record)``, which returns a token, and ``ends(token, record, result)``. All listeners get the same
records. While there is a listener, an `Observer` makes records from what is reported to it.
PyTorch's counterpart is `RecordFunction`.

This module is compiled, so that Ctrl-C leaves no record on a stack, and no thread silent: see Note [Atomic entering].
"""

import itertools
import threading

cimport cython

from minitorch.autograd.calls cimport CallObserver
from minitorch.autograd.events cimport inputs_as_tensors
from minitorch.autograd.node cimport Gradients, Node

from minitorch.autograd.calls import FUNCTION, NODE
from minitorch.autograd.events import unwatch, watch
from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.autograd.node import _get_sequence_nr
from minitorch.autograd.operators import as_number, name_of
from minitorch.autograd.variable import TensorBase
from minitorch.core.memory_log import pause, resume

cdef list _listeners = []
cdef dict _threads = {}
cdef object _numbers = itertools.count(1)
cdef unsigned long _session = 0           # counts how often the last listener has gone
cdef object _describe = None


class _Thread(threading.local):
    def __init__(self):
        self.session, self.stack = _session, []
        self.telling = False              # while a listener runs, no operator is recorded
        self.number = _threads.setdefault(threading.get_ident(), len(_threads) + 1)


cdef object _thread = _Thread()


cdef list _stack_of_thread():
    # an interrupted block may have been left open while others listened
    if _thread.session != _session:
        _thread.session, _thread.stack = _session, []
    return _thread.stack


cdef class Record:
    """An operation that is running.

    Attributes
    ----------
    name : str
    scope : int
        `FUNCTION`, `NODE` or `USER`.
    operator, arguments
        For an operator's call, the `Operator` or the name of a function that makes a tensor, and
        its arguments. For a block, `arguments` are its values, and for a node, its gradients. They
        are dropped once all listeners have seen the beginning.
    node : Node or None
    sequence_nr, fwd_thread : int
        The number of the node that is recorded or that runs, or -1; 1 for a node that runs,
        otherwise 0.
    thread : int
        Counted from 1.
    number : int
        Counted from 1 while a listener sets `asks_numbers`; otherwise 0.
    parent : Record or None
    tokens : list of (RecordListener, object)
        What ``begins`` has returned.
    """

    cdef readonly str name
    cdef readonly int scope
    cdef readonly object operator, arguments
    cdef readonly dict keywords
    cdef readonly Node node
    cdef readonly object sequence_nr
    cdef readonly int fwd_thread
    cdef readonly object thread, number
    cdef readonly Record parent
    cdef readonly list tokens
    cdef list stack
    cdef tuple call                       # the schema and the values, once they are known

    @property
    def schema(self):
        """The operator's schema; None if there is none."""
        return self.described()[0]

    @property
    def values(self):
        """The values of the call, in the schema's order if there is a schema."""
        return self.described()[1]

    cdef tuple described(self):
        if self.call is None:
            call = None if self.operator is None else _describe(self.operator, self.arguments)
            if call is None:
                given = self.arguments if not isinstance(self.operator, str) else self.arguments[0]
                # a tensor made from a number before class Tensor was created cannot be described
                call = None, [as_number(a) if isinstance(a, TensorBase) else a for a in given]
            self.call = call
        return self.call


def describe_with(function):
    """Set the function that describes calls.

    ``function(operator, arguments)`` returns the schema and all values of a call, or None.
    """
    global _describe
    _describe = function


@cython.binding(False)
cdef class RecordListener:
    """Base class of a listener, which has the methods ``begins`` and ``ends``."""

    asks_numbers = False
    cdef readonly bint is_listening

    def listen(self):
        """Start to listen to what begins from now on, in every thread."""
        if not self.is_listening:
            _listeners.append(self)
            self.is_listening = True
            watch(_observer)

    def listen_no_more(self):
        """Stop listening, also to the end of what has begun. Allocates nothing."""
        global _session
        cdef Py_ssize_t k
        if not self.is_listening:
            return
        self.is_listening = False
        for k in range(len(_listeners)):
            if _listeners[k] is self:
                del _listeners[k]
                break
        if not _listeners:
            unwatch(_observer)
            _session += 1

    def __getstate__(self):
        """Return what a copy keeps, which does not listen."""
        return self.__dict__


@cython.final
@cython.binding(False)
cdef class _Observer(CallObserver):
    cpdef entered(self, str function, Node node):
        if function == "evaluate_function":
            _begin(f"autograd::engine::evaluate_function: {node.name()}", FUNCTION, (), None, node, None, False)
        elif function == "validate_outputs":
            _end_node(node, NODE)
        elif function == "forget":
            _end_node(node, FUNCTION)

    cpdef applied(self, Node node, Gradients gradients):
        _begin(node.name(), NODE, inputs_as_tensors(node, gradients), None, node, None, False)

    cpdef backward_failed(self):
        cdef list stack = _stack_of_thread()
        cdef Record last
        while stack:
            last = stack[len(stack) - 1]
            if last.node is None:
                break
            _end(last, None)

    cpdef operator_begins(self, object operator, tuple arguments):
        # for the conjugate of a real tensor PyTorch calls no operator
        named = isinstance(operator, str)
        if _thread.telling or not named and operator.name == "conj" and not arguments[0].is_complex():
            return None
        name = f"aten::{operator}" if named else name_of(operator)
        numbered = is_grad_enabled() and _may_record(operator, arguments)
        return _begin(name, FUNCTION, arguments, operator, None, None, numbered)

    cpdef block_begins(self, str name, int scope, object arguments, object operator, dict keywords, bint numbered):
        return _begin(name, scope, arguments, operator, None, keywords, numbered)

    cpdef call_ends(self, object token, object result):
        if token is not None:
            _end(<Record?>token, result)


cdef object _observer = _Observer()


cdef bint _may_record(object operator, object arguments) except -1:
    """Return whether PyTorch numbers the call.

    It numbers operators with tensor arguments and `item`, but not functions that make a tensor.
    """
    if isinstance(operator, str):
        return operator in ("item", "_local_scalar_dense")
    for a in arguments:
        if isinstance(a, TensorBase):
            return True
        if isinstance(a, list):
            for item in a:
                if isinstance(item, TensorBase):
                    return True
    return False


cdef Record _begin(str name, int scope, object arguments, object operator, Node node, dict keywords, bint numbered):
    """Begin an operation. With `numbered`, the record gets the number of the next node."""
    cdef Record record = Record.__new__(Record)
    cdef list stack = _stack_of_thread()
    record.name, record.scope, record.node = name, scope, node
    record.operator, record.arguments, record.keywords = operator, arguments, keywords
    record.sequence_nr, record.fwd_thread = -1, 0
    record.thread, record.stack, record.tokens = _thread.number, stack, []
    record.parent = stack[len(stack) - 1] if stack else None
    record.number = 0
    for listener in _listeners:
        if listener.asks_numbers:
            record.number = next(_numbers)
            break
    if node is not None:
        number = node._sequence_nr()
        if number < 2**63:                # not a sink
            record.sequence_nr, record.fwd_thread = number, 1
    elif numbered:
        record.sequence_nr = _get_sequence_nr()
    stack.append(record)
    _thread.telling = True
    followed = pause()                    # memory of a listener is not the program's
    try:
        for listener in tuple(_listeners):
            record.tokens.append((listener, listener.begins(record)))
    except BaseException:
        _end(record, None)
        raise
    finally:
        _thread.telling = False
        resume(followed)
    record.arguments = ()
    record.call = None
    return record


cdef int _end(Record record, object result) except -1:
    """End an operation, and those left open inside of it."""
    cdef list stack = record.stack
    cdef list ended
    cdef Py_ssize_t k
    for k in range(len(stack) - 1, -1, -1):
        if stack[k] is record:
            break
    else:
        return 0
    ended = stack[k:]
    del stack[k:]
    telling, _thread.telling = _thread.telling, True
    followed = pause()
    try:
        for last in reversed(ended):
            for listener, token in (<Record>last).tokens:
                if (<RecordListener>listener).is_listening:
                    listener.ends(token, last, result if last is record else None)
    finally:
        _thread.telling = telling
        resume(followed)
    return 0


cdef int _end_node(Node node, int scope) except -1:
    for last in reversed(_stack_of_thread()):
        if (<Record>last).node is node and (<Record>last).scope == scope:
            return _end(<Record>last, None)
    return 0
