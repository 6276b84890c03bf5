"""Futures: results that another thread sets later. `minitorch.futures` has the same names."""

import logging
import threading
from types import GenericAlias
from typing import Any

from minitorch.core.types import device

__all__ = ["Future", "collect_all", "wait_all"]

log = logging.getLogger(__name__)


class Future:
    """A result, or an error, that another thread sets.

    Parameters
    ----------
    devices : list of str, int or device, optional
        GPUs used by the result; only checked for indices.

    Raises
    ------
    ValueError
        If a device has no index.

    Examples
    --------
    >>> from minitorch.futures import Future
    >>> future = Future()
    >>> doubled = future.then(lambda done: 2 * done.value())
    >>> future.set_result(3)
    >>> doubled.wait()
    6
    """

    __class_getitem__: Any = classmethod(GenericAlias)

    def __init__(self, *, devices=None):
        for place in devices or ():
            if device(place).index is None:
                raise ValueError(f"Expected devices to have indices, got {device(place)}")
        self._lock = threading.Condition()
        self._done = False
        self._value = None
        self._error = None
        self._callbacks = []

    def done(self):
        """Return whether the result or error is set."""
        return self._done

    def wait(self):
        """Wait for the future; return the result or raise its error."""
        with self._lock:
            self._lock.wait_for(lambda: self._done)
        if self._error is not None:
            raise self._error
        return self._value

    def value(self):
        """Return the result of a completed future.

        Raises
        ------
        RuntimeError
            If the future is not done.
        """
        if not self._done:
            raise RuntimeError("value() called on a Future that is not done")
        return self.wait()

    def _set(self, value, error):
        with self._lock:
            if self._done:
                raise RuntimeError(
                    "Attempting to mark a completed Future as complete again. Note that a Future can "
                    "only be marked completed once."
                )
            self._value, self._error, self._done = value, error, True
            callbacks, self._callbacks = self._callbacks, []
            self._lock.notify_all()
        for callback in callbacks:
            self._run(callback)

    def _run(self, callback):
        try:
            callback(self)
        except Exception as error:  # noqa: BLE001 (no caller waits for it)
            log.error(
                "Got the following error when running the callback: %s: %s",
                type(error).__name__,
                error,
            )

    def __reduce__(self):
        raise RuntimeError("Can not pickle torch.futures.Future")

    def set_result(self, result):
        """Complete the future with a result; raise RuntimeError if it is already complete."""
        self._set(result, None)

    def set_exception(self, result):
        """Complete the future with an error."""
        if not isinstance(result, Exception):
            raise AssertionError(f"{result} is of type {type(result)}, not an Exception.")
        self._set(None, result)

    def add_done_callback(self, callback):
        """Call `callback` with the future when it is done; errors of `callback` are logged."""
        with self._lock:
            if not self._done:
                self._callbacks.append(callback)
                return
        self._run(callback)

    def then(self, callback):
        """Return a future for the result of calling `callback` with this one when it is done."""
        if not callable(callback):
            raise TypeError(f"then(): incompatible function arguments: {callback!r} is no function")
        result = Future()

        def run(done):
            try:
                value = callback(done)
            except Exception as error:  # noqa: BLE001 (it is raised where the result is asked for)
                told = RuntimeError(
                    "Got the following error when running the callback: "
                    f"{type(error).__name__}: {error}"
                )
                told.__cause__ = error
                result.set_exception(told)
            else:
                result.set_result(value)

        self.add_done_callback(run)
        return result


def collect_all(futures):
    """Return a future of the list of futures, done when all are done or the first has failed."""
    result = Future()
    futures = list(futures)
    waiting = [len(futures)]
    lock = threading.Lock()

    def one_more(future):
        with lock:
            waiting[0] -= 1
            last = waiting[0] == 0
            failed = future._error is not None and not result.done()
            if failed:
                result.set_exception(future._error)
        if last and not result.done():
            result.set_result(futures)

    if not futures:
        result.set_result(futures)
    for future in futures:
        future.add_done_callback(one_more)
    return result


def wait_all(futures):
    """Wait for all futures and return their results."""
    return [future.wait() for future in collect_all(futures).wait()]


for _public in (Future, collect_all, wait_all):
    _public.__module__ = "minitorch.futures"
