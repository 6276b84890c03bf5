"""A context manager that decorates functions, generators, coroutines and classes."""

import functools
import inspect
import warnings


class DecoratorContextManager:
    """The base class of context managers that are also decorators.

    A subclass has ``__enter__``, ``__exit__``, and `clone` if its ``__init__`` has parameters. Each
    call of a decorated function runs inside a new context. A decorated generator or coroutine is
    inside the context only while its own code runs, not between two of its steps.
    """

    def __call__(self, function):
        if inspect.isclass(function):
            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future versions. You should "
                "only decorate functions or methods. To preserve the current behavior of class "
                "decoration, you can directly decorate the `__init__` method and nothing else.",
                FutureWarning,
                stacklevel=2,
            )
            return functools.wraps(function, updated=())(self._wrap_call(function))
        if inspect.isgeneratorfunction(function):
            return self._wrap_generator(function)
        if inspect.isasyncgenfunction(function):
            return self._wrap_async_generator(function)
        if inspect.iscoroutinefunction(function):
            return self._wrap_coroutine(function)
        return functools.wraps(function)(self._wrap_call(function))

    def clone(self):
        """Return a new context manager like this one."""
        return self.__class__()

    def _wrap_call(self, function):
        def decorated(*args, **kwargs):
            # called by its name: programs that look for the decorated function read this code
            with self.clone():
                return function(*args, **kwargs)

        return decorated

    def _wrap_generator(self, function):
        @functools.wraps(function)
        def decorated(*args, **kwargs):
            return (yield from _drive(function(*args, **kwargs), self.clone))

        return decorated

    def _wrap_coroutine(self, function):
        @functools.wraps(function)
        async def decorated(*args, **kwargs):
            return await _Awaitable(_drive(function(*args, **kwargs).__await__(), self.clone))

        return decorated

    def _wrap_async_generator(self, function):
        @functools.wraps(function)
        async def decorated(*args, **kwargs):
            generator = function(*args, **kwargs)
            value = None
            while True:
                try:
                    step = generator.asend(value)
                    item = await _Awaitable(_drive(step.__await__(), self.clone))
                except StopAsyncIteration:
                    return
                value = yield item

        return decorated


class _Awaitable:
    def __init__(self, generator):
        self.generator = generator

    def __await__(self):
        return self.generator


def _drive(generator, context):
    """Run a generator, each step inside a new context."""
    try:
        with context():
            response = generator.send(None)
        while True:
            try:
                request = yield response
            except GeneratorExit:
                with context():
                    generator.close()
                raise
            except BaseException as error:
                with context():
                    response = generator.throw(error)
            else:
                with context():
                    response = generator.send(request)
    except StopIteration as stop:
        return stop.value
