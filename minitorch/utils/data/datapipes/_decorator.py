"""Decorators of datapipes: method names for chaining, deterministic order, checks of arguments and elements."""

import functools
import inspect
import typing

from minitorch.utils.data.datapipes._typing import _DataPipeMeta
from minitorch.utils.data.datapipes.datapipe import IterDataPipe, MapDataPipe

__all__ = [
    "argument_validation",
    "functional_datapipe",
    "guaranteed_datapipes_determinism",
    "non_deterministic",
    "runtime_validation",
    "runtime_validation_disabled",
]


class functional_datapipe:
    """Decorator of a datapipe class; ``pipe.name(...)`` then creates an instance.

    Parameters
    ----------
    name : str
    enable_df_api_tracing : bool, default False
        Ignored.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils.data import IterDataPipe, functional_datapipe
    >>> @functional_datapipe("doubled_")
    ... class Doubled(IterDataPipe):
    ...     def __init__(self, source):
    ...         self.source = source
    ...     def __iter__(self):
    ...         return (2 * x for x in self.source)
    >>> list(Doubled([1, 2]).doubled_())
    [4, 8]
    """

    def __init__(self, name, enable_df_api_tracing=False):
        self.name = name
        self.enable_df_api_tracing = enable_df_api_tracing

    def __call__(self, cls):
        if issubclass(cls, IterDataPipe):
            IterDataPipe.register_datapipe_as_function(
                self.name, cls, enable_df_api_tracing=self.enable_df_api_tracing
            )
        elif issubclass(cls, MapDataPipe):
            MapDataPipe.register_datapipe_as_function(self.name, cls)
        return cls


class _Switch:
    """A global flag that is changed when an instance is created and restored at the end of its block."""

    value = False
    changed_to = True

    def __init__(self):
        cls = type(self)
        self.prev = cls.value
        cls.value = cls.changed_to

    def __enter__(self):
        pass

    def __exit__(self, exc_type, exc_value, traceback):
        type(self).value = self.prev


class guaranteed_datapipes_determinism(_Switch):
    """Until the end of the block, forbid creating datapipes whose order is not deterministic.

    Raises
    ------
    TypeError
        When such a datapipe is created inside; see `non_deterministic`.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils.data import IterDataPipe, non_deterministic
    >>> from minitorch.utils.data import guaranteed_datapipes_determinism
    >>> @non_deterministic
    ... class Shuffled(IterDataPipe):
    ...     pass
    >>> with guaranteed_datapipes_determinism():
    ...     try:
    ...         Shuffled()
    ...     except TypeError:
    ...         print("refused")
    refused
    """


class runtime_validation_disabled(_Switch):
    """Until the end of the block, switch off the checks of `runtime_validation`.

    The state is one bool for all datapipes.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.utils.data.runtime_validation_disabled():
    ...     print("no checks here")
    no checks here
    """


class non_deterministic:
    """Decorator of a datapipe class whose order is not deterministic.

    Parameters
    ----------
    arg : type or callable
        The class, or a function of the constructor's arguments that returns True if the order is
        not deterministic for them.

    Raises
    ------
    TypeError
        If the class is not a subclass of `IterDataPipe`, or an instance is created under
        `guaranteed_datapipes_determinism`.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils.data import IterDataPipe, non_deterministic
    >>> from minitorch.utils.data import guaranteed_datapipes_determinism
    >>> @non_deterministic
    ... class Shuffled(IterDataPipe):
    ...     pass
    >>> with guaranteed_datapipes_determinism():
    ...     try:
    ...         Shuffled()
    ...     except TypeError:
    ...         print("refused")
    refused
    """

    cls = None

    def __init__(self, arg):
        if isinstance(arg, type):
            if not issubclass(arg, IterDataPipe):
                raise TypeError(
                    "Only `IterDataPipe` can be decorated with `non_deterministic`"
                    f", but {arg.__name__} is found"
                )
            self.cls = arg
        elif callable(arg):
            self.deterministic_fn = arg
        else:
            raise TypeError(f"{arg} can not be decorated by non_deterministic")

    def __call__(self, *args, **kwargs):
        if self.cls is not None:
            if guaranteed_datapipes_determinism.value:
                raise TypeError(
                    f"{self.cls.__name__} is non-deterministic, but you set "
                    "'guaranteed_datapipes_determinism'. You can turn off determinism for this DataPipe if "
                    "that is acceptable for your application"
                )
            return self.cls(*args, **kwargs)
        if not (isinstance(args[0], type) and issubclass(args[0], IterDataPipe)):
            raise TypeError(
                f"Only `IterDataPipe` can be decorated, but {args[0].__name__} is found"
            )
        self.cls = args[0]
        return self.deterministic_wrapper_fn

    def deterministic_wrapper_fn(self, *args, **kwargs):
        """Create an instance, after checking with the function whether that is allowed."""
        uncertain = self.deterministic_fn(*args, **kwargs)
        if not isinstance(uncertain, bool):
            raise TypeError(
                "deterministic_fn of `non_deterministic` decorator is required "
                f"to return a boolean value, but {type(uncertain)} is found"
            )
        if guaranteed_datapipes_determinism.value and uncertain:
            raise TypeError(
                f"{self.cls.__name__} is non-deterministic with the inputs, but you set "
                "'guaranteed_datapipes_determinism'. You can turn off determinism for this DataPipe if that "
                "is acceptable for your application"
            )
        return self.cls(*args, **kwargs)


def argument_validation(f):
    """Decorate a function to check that arguments annotated with a datapipe class are datapipes.

    Parameters
    ----------
    f : callable
        A function, such as the ``__init__`` of a datapipe.

    Returns
    -------
    callable
        A function that raises TypeError for an argument of another type.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils.data import IterDataPipe, argument_validation
    >>> @argument_validation
    ... def first(pipe: IterDataPipe):
    ...     return next(iter(pipe))
    >>> try:
    ...     first([1, 2])
    ... except TypeError as error:
    ...     print(error)
    Expected argument 'pipe' as a IterDataPipe, but found <class 'list'>
    """
    signature = inspect.signature(f)
    hints = typing.get_type_hints(f)

    @functools.wraps(f)
    def checked(*args, **kwargs):
        for name, value in signature.bind(*args, **kwargs).arguments.items():
            if isinstance(hints.get(name), _DataPipeMeta) and not isinstance(value, IterDataPipe):
                raise TypeError(
                    f"Expected argument '{name}' as a IterDataPipe, but found {type(value)}"
                )
        return f(*args, **kwargs)

    return checked


def runtime_validation(f):
    """Decorate the ``__iter__`` of a class with a ``type`` to check each element against that type.

    Parameters
    ----------
    f : callable
        The method ``__iter__``.

    Returns
    -------
    callable
        A method that raises RuntimeError at an element of another type.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils.data import IterDataPipe, runtime_validation
    >>> class Integer:
    ...     def issubtype_of_instance(self, element):
    ...         return isinstance(element, int)
    >>> class Numbers(IterDataPipe):
    ...     type = Integer()
    ...     @runtime_validation
    ...     def __iter__(self):
    ...         yield from (1, 2)
    >>> list(Numbers())
    [1, 2]
    """
    if f.__name__ != "__iter__":
        raise TypeError(f"Can not decorate function {f.__name__} with 'runtime_validation'")

    @functools.wraps(f)
    def checked(self):
        for element in f(self):
            if not runtime_validation_disabled.value and not self.type.issubtype_of_instance(
                element
            ):
                raise RuntimeError(
                    f"Expected an instance as subtype of {self.type}, but found "
                    f"{element}({type(element)})"
                )
            yield element

    return checked
