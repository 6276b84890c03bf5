"""`IterDataPipe` and `MapDataPipe`: the base classes, and the names under which elements are chained."""

import functools
import inspect
import warnings

from minitorch.utils.data.dataset import Dataset, IterableDataset

__all__ = ["DataChunk", "IterDataPipe", "MapDataPipe", "functional_datapipe"]

_SEVERAL = (
    "\nThis may be caused by multiple references to the same IterDataPipe. We recommend using `.fork()` "
    "if that is necessary.\nFor feedback regarding this single iterator per IterDataPipe constraint, feel "
    "free to comment on this issue: https://github.com/pytorch/data/issues/45."
)


class DataChunk(list):
    """A batch: a list that prints as one.

    Parameters
    ----------
    items : iterable
    """

    def __init__(self, items):
        items = list(items)
        super().__init__(items)
        self.items = items

    def as_str(self, indent=""):
        """The text of the list."""
        return f"{indent}[{', '.join(map(str, self))}]"

    def raw_iterator(self):
        """The elements, also of a class that iterates in another way."""
        yield from self.items


class _Chained:
    """What both kinds share: methods by the names that `functional_datapipe` gave."""

    def __getattr__(self, name):
        function = type(self).functions.get(name)
        if function is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}")
        return functools.partial(function, self)

    @classmethod
    def register_function(cls, function_name, function):
        """Let ``pipe.function_name(...)`` call ``function(pipe, ...)``."""
        cls.functions[function_name] = function

    @classmethod
    def register_datapipe_as_function(cls, function_name, cls_to_register):
        """Let ``pipe.function_name(...)`` make an element of this class."""
        if function_name in cls.functions:
            raise Exception(  # noqa: TRY002 (PyTorch's)
                f"Unable to add DataPipe function name {function_name} as it is already taken"
            )
        cls.functions[function_name] = cls_to_register

    def __getstate__(self):
        return self.__dict__

    def __setstate__(self, state):
        self.__dict__.update(state)

    def __repr__(self):
        return type(self).__qualname__

    def __dir__(self):
        return [*super().__dir__(), *type(self).functions]


def described(pipe):
    """The element with its arguments, as errors name it."""
    taken = inspect.signature(type(pipe).__init__).parameters
    values = (f"{k}={_short(v)}" for k, v in sorted(pipe.__dict__.items()) if k in taken)
    return f"{type(pipe).__name__}({', '.join(values)})"


def _short(value):
    if isinstance(value, tuple) and value and isinstance(value[0], _Chained):
        return f"({', '.join(map(_short, value))})"
    return getattr(value, "__name__", str(value))


def _guarded(pipe, elements, number):
    """The elements, while no other pass over the same `pipe` was begun."""
    try:
        for element in elements:
            yield element
            if pipe._pass != number:
                raise RuntimeError(
                    "This iterator has been invalidated because another iterator has been created from "
                    f"the same IterDataPipe: {described(pipe)}{_SEVERAL}"
                )
    except Exception as error:
        if error.args and pipe._pass == number:
            told = f"\nThis exception is thrown by __iter__ of {described(pipe)}"
            error.args = (f"{error.args[0]}{told}", *error.args[1:])
        raise


class IterDataPipe(_Chained, IterableDataset):
    """An element that is iterated over; one pass at a time."""

    functions: dict = {}  # noqa: RUF012 (one for all elements)
    _pass = 0

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        own = cls.__dict__.get("__iter__")
        if own is None:
            return

        @functools.wraps(own)
        def begin(self):
            self._pass += 1
            self.reset()
            return _guarded(self, own(self), self._pass)

        cls.__iter__ = begin

    def reset(self):
        """Begin anew: what a class with a state of its own has to do."""


class MapDataPipe(_Chained, Dataset):
    """An element that is asked by index or key."""

    functions: dict = {}  # noqa: RUF012 (one for all elements)


def functional_datapipe(name, enable_df_api_tracing=False):
    """Decorate a class of elements: it is made by a method of this name.

    Parameters
    ----------
    name : str
    enable_df_api_tracing : bool, default False
        Of no effect.
    """

    def register(cls):
        base = IterDataPipe if issubclass(cls, IterDataPipe) else MapDataPipe
        if not issubclass(cls, base):
            raise TypeError("`functional_datapipe` can only decorate IterDataPipe")
        base.register_datapipe_as_function(name, cls)
        return cls

    return register


def warn_of_unpicklable(function):
    """Say that a function cannot go to worker processes that start afresh."""
    if not callable(function):
        raise TypeError(f"A callable function is expected, but {type(function)} is provided.")
    inner = function.func if isinstance(function, functools.partial) else function
    name = getattr(inner, "__qualname__", "")
    for kind, sign in (("Lambda", "<lambda>"), ("Local", "<locals>")):
        if sign in name:
            warnings.warn(
                f"{kind} function is not supported by pickle, please use regular python function or "
                "functools.partial instead.",
                UserWarning,
                stacklevel=3,
            )


def length_of(pipe, source):
    """The length of what an element takes from; TypeError if it has none."""
    try:
        return len(source)
    except (TypeError, NotImplementedError):
        raise TypeError(f"{type(pipe).__name__} instance doesn't have valid length") from None


class Batching:
    """What the two batching elements have in common, the one of sequences and the one of streams."""

    def __init__(self, datapipe, batch_size, drop_last=False, wrapper_class=DataChunk):
        if batch_size <= 0:
            raise AssertionError("Batch size is required to be larger than 0!")
        super().__init__()
        self.datapipe = datapipe
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.wrapper_class = wrapper_class

    def __len__(self):
        full, rest = divmod(length_of(self, self.datapipe), self.batch_size)
        return full + (rest > 0 and not self.drop_last)
