"""Wrappers for ``__iter__``, ``__next__`` and ``reset`` of each datapipe class, which allow one pass at a time.

Each pass has a number, which its datapipe keeps as ``_valid_iterator_id``; a pass with an outdated
number raises. The children of a fork share the number of their common datapipe.
"""

import contextlib
import functools
import inspect
from enum import Enum

from minitorch.autograd.profiler import _profiler_enabled, record_function

__all__ = ["_SnapshotState", "hook_iterator", "hook_reset"]

_FEEDBACK = (
    "\nFor feedback regarding this single iterator per IterDataPipe constraint, feel "
    "free to comment on this issue: https://github.com/pytorch/data/issues/45."
)


class _SnapshotState(Enum):
    """The state of a pipe: not started, restored to a position, or iterating."""

    NotStarted = 0
    Restored = 1
    Iterating = 2


def _arguments(pipe):
    """Return the attributes named like parameters of the class, sorted by name."""
    taken = inspect.signature(type(pipe)).parameters
    values = ((name, value) for name, value in inspect.getmembers(pipe) if name in taken)
    return ", ".join(
        f"{name}={value.__name__ if inspect.isfunction(value) else repr(value)}"
        for name, value in values
    )


def _described(pipe):
    return f"{type(pipe).__name__}({_arguments(pipe)})"


def _check_iterator_valid(pipe, number):
    """Raise unless `number` is the number of the current pass."""
    if getattr(pipe, "_is_child_datapipe", False) is True:
        if not hasattr(pipe, "_check_valid_iterator_id"):
            raise RuntimeError("ChildDataPipe must have method `_check_valid_iterator_id`.")
        if not pipe._check_valid_iterator_id(number):
            raise RuntimeError(
                "This iterator has been invalidated, because a new iterator has been created from one of "
                f"the ChildDataPipes of {_described(pipe.main_datapipe)}.{_FEEDBACK}"
            )
    elif pipe._valid_iterator_id != number:
        raise RuntimeError(
            "This iterator has been invalidated because another iterator has been created from the same "
            f"IterDataPipe: {_described(pipe)}\nThis may be caused by multiple references to the same "
            f"IterDataPipe. We recommend using `.fork()` if that is necessary.{_FEEDBACK}"
        )


def _begin_pass(pipe):
    """Reset the datapipe and return the number of its new pass."""
    if getattr(pipe, "_is_child_datapipe", False) is True:
        if not hasattr(pipe, "_set_main_datapipe_valid_iterator_id"):
            raise RuntimeError(
                "ChildDataPipe must have method `_set_main_datapipe_valid_iterator_id`."
            )
        pipe._set_main_datapipe_valid_iterator_id()
    else:
        last = pipe._valid_iterator_id
        pipe._valid_iterator_id = 0 if last is None else last + 1
        pipe.reset()
    return pipe._valid_iterator_id


def _take_fast_forward(pipe):
    """Return the pass that a restored pipe resumes; None for other pipes."""
    under_way, pipe._fast_forward_iterator = pipe._fast_forward_iterator, None
    return under_way


def _profiled(pipe, enabled):
    if not enabled:
        return contextlib.nullcontext()
    if not hasattr(pipe, "_profile_name"):
        name = _described(pipe).replace("IterDataPipe", "").replace("MapDataPipe", "")
        pipe._profile_name = name
    return record_function(pipe._profile_name)


def _tell_where(error, pipe):
    """Name the datapipe that raised in the text of its error, unless the text names one already."""
    told = f"thrown by __iter__ of {_described(pipe)}"
    if not error.args or not isinstance(error.args[0], str):
        error.args = (f"\nThis exception is {told}",)
        return
    text = error.args[0]
    if "thrown by __iter__ of" in text or "single iterator per IterDataPipe constraint" in text:
        return
    error.args = (f"{text}\nThis exception is {told}", *error.args[1:])


class _CheckedIterator:
    """The iterator returned by an ``__iter__`` that is not a generator; it raises once a newer pass begins."""

    def __init__(self, iterator, pipe, number, counts_itself):
        self.iterator = iterator
        self.datapipe = pipe
        self.iterator_id = number
        self._counts_itself = counts_itself
        self._profiler_enabled = _profiler_enabled()

    def __iter__(self):
        return self

    def __next__(self):
        with _profiled(self.datapipe, self._profiler_enabled):
            _check_iterator_valid(self.datapipe, self.iterator_id)
            element = next(self.iterator)
            if not self._counts_itself:
                self.datapipe._number_of_samples_yielded += 1
            return element

    def __getattr__(self, name):
        return getattr(self.iterator, name)


def _hook_generator(function):
    """Start a pass at its first element, when the body of a generator starts."""

    @functools.wraps(function)
    def begin(self, *args, **kwargs):
        elements = function(self, *args, **kwargs)
        under_way = _take_fast_forward(self)
        if under_way is not None:
            self._snapshot_state = _SnapshotState.Iterating
            yield from under_way
            return
        number = _begin_pass(self)
        profiled = _profiler_enabled()
        try:
            with _profiled(self, profiled):
                element = elements.send(None)
            while True:
                self._number_of_samples_yielded += 1
                sent = yield element
                with _profiled(self, profiled):
                    _check_iterator_valid(self, number)
                    element = elements.send(sent)
        except StopIteration:
            return
        except Exception as error:
            _tell_where(error, self)
            raise

    return begin


def _hook_plain(function, has_next):
    @functools.wraps(function)
    def begin(self, *args, **kwargs):
        iterator = function(self, *args, **kwargs)
        self._snapshot_state = _SnapshotState.Iterating
        under_way = _take_fast_forward(self)
        if under_way is not None:
            return under_way
        number = _begin_pass(self)
        return _CheckedIterator(iterator, self, number, iterator is self and has_next)

    return begin


def _hook_next(function):
    @functools.wraps(function)
    def take(self, *args, **kwargs):
        with _profiled(self, _profiler_enabled()):
            element = function(self, *args, **kwargs)
        self._number_of_samples_yielded += 1
        return element

    return take


def hook_iterator(namespace):
    """Wrap ``__iter__`` and ``__next__`` in the namespace of a class with the checks.

    Parameters
    ----------
    namespace : dict
    """
    function = namespace["__iter__"]
    if inspect.isgeneratorfunction(function):
        namespace["__iter__"] = _hook_generator(function)
        return
    has_next = "__next__" in namespace
    if has_next:
        namespace["__next__"] = _hook_next(namespace["__next__"])
    namespace["__iter__"] = _hook_plain(function, has_next)


def hook_reset(function):
    """Wrap ``reset`` to do nothing the first time after a pipe was fast-forwarded."""

    @functools.wraps(function)
    def reset(self, *args, **kwargs):
        if self._snapshot_state is not _SnapshotState.Restored:
            self._number_of_samples_yielded = 0
            self._fast_forward_iterator = None
            function(self, *args, **kwargs)
        self._snapshot_state = _SnapshotState.Iterating

    return reset
