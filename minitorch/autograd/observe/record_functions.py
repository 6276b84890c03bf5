"""What a program does, told to observers as it begins and ends: operators, nodes of a backward, named blocks.

Three sources know of it: the recording wrappers of operators (`interpose._listen`), the engine
(`events._trace`) and named blocks (autograd/observe/profiled_blocks.py). Each thing that begins is put on the stack of
its thread, so that observers know what it runs in. An observer has ``begins(record)``, which gives a token, and
``ends(token, record, result)``. While there is none nobody is told. PyTorch's counterpart is `RecordFunction`.
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
        self.telling = False  # what an observer does itself is not told
        self.number = _threads.setdefault(threading.get_ident(), len(_threads) + 1)


_thread = _Thread()


class Record:
    """Something that runs.

    Attributes
    ----------
    name : str
    scope : int
        `FUNCTION`, `NODE` or `USER`.
    operator, arguments
        Of an operator's call: the `Operator`, or the name of a function that makes a tensor; what a block was given
        otherwise, or the gradients that a node is applied to. There are no arguments any more at the end.
    node : Node or None
    sequence_nr, fwd_thread : int
        The number of the node that is recorded, or that runs, or -1; the thread that recorded it, or 0.
    thread : int
        From 1.
    number : int
        From 1, while an observer asks for numbers; else 0.
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
        """Of the operator; None where there is none."""
        return self._described()[0]

    @property
    def values(self):
        """What it was given, in the schema's order if there is one."""
        return self._described()[1]

    def _described(self):
        if not self._call:
            call = None if self.operator is None else _describe(self.operator, self.arguments)
            if call is None:
                given = self.arguments if not isinstance(self.operator, str) else self.arguments[0]
                # a number that was made a tensor before there was class Tensor is no tensor that can be described
                bare = as_number
                call = None, [bare(a) if isinstance(a, TensorBase) else a for a in given]
            self._call = call
        return self._call


def describe_with(function):
    """``function(operator, arguments)`` gives the schema and all values of a call, or None."""
    global _describe
    _describe = function


def listening():
    """Whether there is an observer."""
    return bool(_observers)


def add(observer):
    """Tell an observer of what begins from now on."""
    global _previous_trace
    if not _observers:
        _previous_trace = _trace(_engine_enters)
        _show_inputs(_node_gets)
        _listen(_operator_begins, end)
    _observers.append(observer)


def remove(observer):
    """Tell an observer nothing more."""
    _observers.remove(observer)
    if not _observers:
        _listen(None, None)
        _show_inputs(None)
        _trace(_previous_trace)


def begin(name, scope=USER, arguments=(), operator=None, node=None, keywords=None, numbered=False):
    """Something begins; gives what `end` takes. `numbered`: it has the number of the next node."""
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
    followed = memory_log.pause()  # what an observer makes is no memory of the program's
    try:
        record.tokens = [(observer, observer.begins(record)) for observer in _observers]
    finally:
        _thread.telling = False
        memory_log.resume(followed)
    record.arguments = record._call = ()
    return record


def end(record, result=None):
    """It ends, and what was left open in it."""
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
    """Call a function, and tell of it as `begin` takes it."""
    record = begin(*what, numbered=numbered)
    result = None
    try:
        result = function(*args, **kwargs)
    finally:
        end(record, result)
    return result


def observed(function):
    """Tell of the calls of a composed function as of PyTorch's operator of its name; a decorator."""
    name = function.__name__

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if not _observers:
            return function(*args, **kwargs)
        what = f"aten::{name}", FUNCTION, (args, kwargs), name
        return called(function, args, kwargs, *what, numbered=is_grad_enabled())

    return wrapper


def abandon_nodes():
    """The backward that ran in this thread ended with an exception."""
    stack = _thread.stack
    while stack and stack[-1].node is not None:
        end(stack[-1])


def _may_record(operator, arguments):
    """Whether PyTorch numbers a call: it is given a tensor, and no tensor alone to make one like it."""
    if operator is None or isinstance(operator, str):
        return operator in ("item", "_local_scalar_dense")
    return any(
        isinstance(a, TensorBase)
        or isinstance(a, list)
        and any(isinstance(item, TensorBase) for item in a)
        for a in arguments
    )


def _operator_begins(operator, arguments):
    """Gives what `end` takes; None of what PyTorch does not call: the conjugate of what is not complex."""
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
