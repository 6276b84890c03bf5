"""Notification of observers: begin and end of operators, of a backward's nodes, of named blocks.

There are three sources: the recording wrappers of operators (`interpose._listen`), the engine
(`events._trace`) and named blocks (autograd/observe/profiled_blocks.py). Each operation that begins
is pushed on a stack of its thread, so that observers know what encloses it. An observer has a
method ``begins(record)``, which returns a token, and ``ends(token, record, result)``. Without
observers the sources are switched off. PyTorch's counterpart is `RecordFunction`.
"""

import functools
import itertools
import threading

from minitorch.autograd.events import _show_inputs, _trace
from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.autograd.interpose import _listen
from minitorch.autograd.node import _get_sequence_nr
from minitorch.autograd.operators import as_number, name_of
from minitorch.autograd.variable import TensorBase
from minitorch.core import memory_log

FUNCTION, NODE, USER = 0, 1, 7  # scopes, as PyTorch numbers them
_observers: list = []
_threads: dict = {}
_numbers = itertools.count(1)
_previous_trace = None
_describe = None


class _Thread(threading.local):
    def __init__(self):
        self.stack = []
        self.gradients = ()
        self.telling = False  # while an observer runs, nothing is reported
        self.number = _threads.setdefault(threading.get_ident(), len(_threads) + 1)


_thread = _Thread()


class Record:
    """An operation that is running.

    Attributes
    ----------
    name : str
    scope : int
        `FUNCTION`, `NODE` or `USER`.
    operator, arguments
        For an operator's call, the `Operator` or the name of a function that makes a tensor, and
        its arguments. For a block, `arguments` are its values, and for a node, its gradients. They
        are dropped once all observers have seen the beginning.
    node : Node or None
    sequence_nr, fwd_thread : int
        The number of the node that is recorded or that runs, or -1; 1 for a node that runs,
        otherwise 0.
    thread : int
        Counted from 1.
    number : int
        Counted from 1 while an observer sets `asks_numbers`; otherwise 0.
    parent : Record or None
    """

    __slots__ = (
        "_call", "arguments", "fwd_thread", "keywords", "name", "node", "number", "operator", "parent", "scope",
        "sequence_nr", "stack", "thread", "tokens",
    )  # fmt: skip

    def __init__(self, name, scope, arguments, operator, node, keywords):
        self.name, self.scope, self.node = name, scope, node
        self.operator, self.arguments, self.keywords = operator, arguments, keywords
        self.sequence_nr, self.fwd_thread = -1, 0
        self.thread, self.stack = _thread.number, _thread.stack
        self.parent = self.stack[-1] if self.stack else None
        self.number = next(_numbers) if any(observer.asks_numbers for observer in _observers) else 0
        self._call = ()

    @property
    def schema(self):
        """The operator's schema; None if there is none."""
        return self._described()[0]

    @property
    def values(self):
        """The values of the call, in the schema's order if there is a schema."""
        return self._described()[1]

    def _described(self):
        if not self._call:
            call = None if self.operator is None else _describe(self.operator, self.arguments)
            if call is None:
                given = self.arguments if not isinstance(self.operator, str) else self.arguments[0]
                # a tensor made from a number before class Tensor was created cannot be described
                bare = as_number
                call = None, [bare(a) if isinstance(a, TensorBase) else a for a in given]
            self._call = call
        return self._call


def describe_with(function):
    """Set the function that describes calls.

    ``function(operator, arguments)`` returns the schema and all values of a call, or None.
    """
    global _describe
    _describe = function


def listening():
    """Return whether there is an observer."""
    return bool(_observers)


def add(observer):
    """Add an observer; it is notified of everything that begins from now on."""
    global _previous_trace
    if not _observers:
        _previous_trace = _trace(_engine_enters)
        _show_inputs(_node_gets)
        _listen(_operator_begins, end)
    _observers.append(observer)


def remove(observer):
    """Remove an observer."""
    _observers.remove(observer)
    if not _observers:
        _listen(None, None)
        _show_inputs(None)
        _trace(_previous_trace)


def begin(name, scope=USER, arguments=(), operator=None, node=None, keywords=None, numbered=False):
    """Begin an operation; return the record that `end` takes.

    With `numbered`, the record gets the number of the next node.
    """
    record = Record(name, scope, arguments, operator, node, keywords)
    if node is not None:
        number = node._sequence_nr()
        sink = number >= 2**63
        record.sequence_nr, record.fwd_thread = (-1, 0) if sink else (number, 1)
    elif numbered or scope == FUNCTION and is_grad_enabled() and _may_record(operator, arguments):
        record.sequence_nr = _get_sequence_nr()
    record.tokens = []
    record.stack.append(record)
    _thread.telling = True
    followed = memory_log.pause()  # memory of an observer is not the program's
    try:
        record.tokens = [(observer, observer.begins(record)) for observer in _observers]
    finally:
        _thread.telling = False
        memory_log.resume(followed)
    record.arguments = record._call = ()
    return record


def end(record, result=None):
    """End an operation, and those left open inside of it."""
    if record is None:
        return
    stack = record.stack
    if record not in stack:
        return
    while True:
        last = stack.pop()
        _thread.telling = True
        followed = memory_log.pause()
        try:
            for observer, token in last.tokens:
                if observer in _observers:
                    observer.ends(token, last, result if last is record else None)
        finally:
            _thread.telling = False
            memory_log.resume(followed)
        if last is record:
            return


def called(function, args, kwargs, *what, numbered=False):
    """Call a function between `begin`, which gets `what`, and `end`."""
    record = begin(*what, numbered=numbered)
    result = None
    try:
        result = function(*args, **kwargs)
    finally:
        end(record, result)
    return result


def observed(function):
    """Decorate a composed function: report its calls as PyTorch's operator of that name."""
    name = function.__name__

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if not _observers:
            return function(*args, **kwargs)
        what = f"aten::{name}", FUNCTION, (args, kwargs), name
        return called(function, args, kwargs, *what, numbered=is_grad_enabled())

    return wrapper


def abandon_nodes():
    """End the open nodes of this thread after its backward has raised an exception."""
    stack = _thread.stack
    while stack and stack[-1].node is not None:
        end(stack[-1])


def _may_record(operator, arguments):
    """Return whether PyTorch numbers the call.

    It numbers operators with tensor arguments and `item`, but not functions that make a tensor.
    """
    if operator is None or isinstance(operator, str):
        return operator in ("item", "_local_scalar_dense")
    return any(
        isinstance(a, TensorBase)
        or isinstance(a, list)
        and any(isinstance(item, TensorBase) for item in a)
        for a in arguments
    )


def _operator_begins(operator, arguments):
    """Begin an operator's call; return the record that `end` takes.

    Returns None inside an observer, and for the conjugate of a real tensor, for which PyTorch calls
    no operator.
    """
    if _thread.telling:
        return None
    named = isinstance(operator, str)
    if not named and operator.name == "conj" and not arguments[0].is_complex():
        return None
    name = f"aten::{operator}" if named else name_of(operator)
    return begin(name, FUNCTION, arguments, operator)


def _node_gets(node, gradients):
    _thread.gradients = gradients


def _engine_enters(function, node):
    if _previous_trace is not None:
        _previous_trace(function, node)
    if function == "evaluate_function":
        begin(f"autograd::engine::evaluate_function: {node.name()}", FUNCTION, node=node)
    elif function == "apply":
        gradients, _thread.gradients = _thread.gradients, ()
        begin(node.name(), NODE, gradients, node=node)
    elif function == "validate_outputs":
        _end_node(node, NODE)
    elif function == "forget":
        _end_node(node, FUNCTION)


def _end_node(node, scope):
    for record in reversed(_thread.stack):
        if record.node is node and record.scope == scope:
            return end(record)
    return None
