"""Context managers that Ctrl-C and a failed allocation cannot leave half entered.

Note [Atomic entering]
Python checks for Ctrl-C at the start of each function that is written in Python, after each call, and at the end of
each round of a loop, but not between a compiled ``__enter__`` and the first line of the block. So code that switches
a state of the thread or of the process follows these rules:

- Its ``__enter__`` and ``__exit__`` are compiled. They read and write the state without calling Python functions, and
  ``__exit__`` allocates nothing.
- A generator is decorated with `contextmanager` from this module, which is compiled, unlike Python's. Inside, the state
  is either switched by a ``with`` statement, or read before a ``try`` and written in it. If the ``try`` is left before
  the state was changed, writing the old state back does no harm.
- ``before = enter()`` followed by a ``try`` is wrong: Ctrl-C may arrive between the two.
"""

import functools


class _GeneratorContext:
    """Context manager and decorator that runs a generator function around a block."""

    def __init__(self, function, args, kwargs):
        self._call = function, args, kwargs
        self._generator = function(*args, **kwargs)
        self.__doc__ = function.__doc__ or type(self).__doc__

    def __enter__(self):
        try:
            return next(self._generator)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, kind, value, traceback):
        if value is None:
            if next(self._generator, self) is not self:
                self._generator.close()
                raise RuntimeError("generator didn't stop")
            return False
        try:
            self._generator.throw(value)
        except StopIteration as stop:
            # raised in the block itself, it is no sign that the generator has ended
            return stop is not value
        except RuntimeError as error:
            if error is value:
                error.__traceback__ = traceback
                return False
            if isinstance(value, StopIteration) and error.__cause__ is value:
                value.__traceback__ = traceback
                return False
            raise
        except BaseException as error:
            if error is not value:
                raise
            error.__traceback__ = traceback
            return False
        self._generator.close()
        raise RuntimeError("generator didn't stop after throw()")

    def __call__(self, function):
        return _decorated(type(self), self._call, function)


def _decorated(kind, call, function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        with kind(*call):
            return function(*args, **kwargs)

    return inner


def contextmanager(function):
    """Turn a generator function into one that returns context managers, as `contextlib.contextmanager` does.

    Examples
    --------
    >>> from minitorch.core.context import contextmanager
    >>> @contextmanager
    ... def announced(name):
    ...     print("begin", name)
    ...     try:
    ...         yield name
    ...     finally:
    ...         print("end", name)
    >>> with announced("work") as name:
    ...     print("in", name)
    begin work
    in work
    end work
    """
    @functools.wraps(function)
    def helper(*args, **kwargs):
        return _GeneratorContext(function, args, kwargs)

    return helper
