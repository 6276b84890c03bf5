"""`Future`: a result that is not there yet; in one process it is set by whoever computes it."""

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
    devices : list, optional
        Of GPUs; none are there.

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
        """Whether it is there."""
        return self._done

    def wait(self):
        """The result, when it is there; or its error is raised."""
        with self._lock:
            self._lock.wait_for(lambda: self._done)
        if self._error is not None:
            raise self._error
        return self._value

    def value(self):
        """The result, which is there.

        Raises
        ------
        RuntimeError
            If it is not.
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
        except Exception as error:  # noqa: BLE001 (nobody waits for it)
            log.error(
                "Got the following error when running the callback: %s: %s",
                type(error).__name__,
                error,
            )

    def __reduce__(self):
        raise RuntimeError("Can not pickle torch.futures.Future")

    def set_result(self, result):
        """Set the result, once."""
        self._set(result, None)

    def set_exception(self, result):
        """Set an error instead of a result."""
        if not isinstance(result, Exception):
            raise AssertionError(f"{result} is of type {type(result)}, not an Exception.")
        self._set(None, result)

    def add_done_callback(self, callback):
        """Call a function with this, when it is there; an error of the function is logged."""
        with self._lock:
            if not self._done:
                self._callbacks.append(callback)
                return
        self._run(callback)

    def then(self, callback):
        """A future of what a function makes of this one."""
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
    """A future of the list of these futures, when all are there; or of the first error among them."""
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
    """The results, when all are there."""
    return [future.wait() for future in collect_all(futures).wait()]
