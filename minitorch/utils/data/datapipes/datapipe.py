"""`IterDataPipe` and `MapDataPipe`: the base classes of datapipes, with the methods that chain them."""

import functools
import pickle

from minitorch.utils._import_utils import dill_available
from minitorch.utils.data.datapipes._hook_iterator import _SnapshotState
from minitorch.utils.data.datapipes._typing import _DataPipeMeta, _IterDataPipeMeta
from minitorch.utils.data.dataset import Dataset, IterableDataset, _T_co

__all__ = ["DFIterDataPipe", "DataChunk", "IterDataPipe", "MapDataPipe"]


class DataChunk(list):
    """A batch: a list that prints as one.

    Parameters
    ----------
    items : iterable

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.utils.data.DataChunk([1, 2])
    [1, 2]
    >>> str(torch.utils.data.DataChunk([1, 2]))
    '[1, 2]'
    """

    def __init__(self, items):
        items = list(items)
        super().__init__(items)
        self.items = items

    def as_str(self, indent=""):
        """Return the list as text."""
        return f"{indent}[{', '.join(map(str, self))}]"

    def __iter__(self):
        yield from super().__iter__()

    def raw_iterator(self):
        """Iterate over the elements, even if a subclass iterates differently."""
        yield from self.items


def _make(cls, source, *args, **kwargs):
    return cls(source, *args, **kwargs)


class _Chained:
    """The base of both kinds: methods registered by `functional_datapipe`, and pickling hooks.

    Each of the two kinds has its own hooks: a hook set on `IterDataPipe` is not called for a `MapDataPipe`.
    """

    reduce_ex_hook = None
    getstate_hook = None
    str_hook = None
    repr_hook = None

    @classmethod
    def _kind(cls):
        return next(base for base in cls.__mro__ if _Chained in base.__bases__)

    def __getattr__(self, name):
        function = self._kind().functions.get(name)
        if function is None:
            # PyTorch's text lacks the last quotation mark too
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}")
        made = functools.partial(function, self)
        return functools.update_wrapper(made, function, assigned=("__doc__",))

    @classmethod
    def register_function(cls, function_name, function):
        """Let ``pipe.function_name(...)`` call ``function(pipe, ...)``."""
        cls.functions[function_name] = function

    @classmethod
    def register_datapipe_as_function(
        cls, function_name, cls_to_register, enable_df_api_tracing=False
    ):
        """Let ``pipe.function_name(...)`` create a datapipe of this class."""
        if function_name in cls.functions:
            raise Exception(  # noqa: TRY002 (PyTorch's)
                f"Unable to add DataPipe function name {function_name} as it is already taken"
            )
        made = functools.partial(_make, cls_to_register)
        cls.functions[function_name] = functools.update_wrapper(
            made, cls_to_register, assigned=("__doc__",)
        )

    def __getstate__(self):
        return self._hooked_state(self.__dict__)

    def _hooked_state(self, state):
        """Return the state to pickle, processed by the hook if there is one."""
        hook = self._kind().getstate_hook
        return state if hook is None else hook(state)

    def __setstate__(self, state):
        self.__dict__.update(state)

    def __reduce_ex__(self, *args, **kwargs):
        hook = self._kind().reduce_ex_hook
        if hook is not None:
            try:
                return hook(self)
            except NotImplementedError:
                pass  # the hook leaves this one to pickle
        return super().__reduce_ex__(*args, **kwargs)

    @classmethod
    def set_getstate_hook(cls, hook_fn):
        """Set a hook for the state of each pickled pipe; None removes it."""
        cls._set_hook("getstate_hook", hook_fn)

    @classmethod
    def set_reduce_ex_hook(cls, hook_fn):
        """Set a hook that replaces ``__reduce_ex__`` of each pickled pipe."""
        cls._set_hook("reduce_ex_hook", hook_fn)

    @classmethod
    def _set_hook(cls, name, hook):
        kind = cls._kind()
        if getattr(kind, name) is not None and hook is not None:
            raise RuntimeError(f"Attempt to override existing {name}")
        setattr(kind, name, hook)

    def __repr__(self):
        return type(self).__qualname__ if self.repr_hook is None else self.repr_hook(self)

    def __str__(self):
        return type(self).__qualname__ if self.str_hook is None else self.str_hook(self)

    def __dir__(self):
        return [*super().__dir__(), *self.functions]


class IterDataPipe(_Chained, IterableDataset[_T_co], metaclass=_IterDataPipeMeta):
    """An iterable datapipe, which allows one pass at a time.

    Its elements may have any type.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Twice(torch.utils.data.IterDataPipe):
    ...     def __init__(self, source):
    ...         self.source = source
    ...     def __iter__(self):
    ...         for x in self.source:
    ...             yield x
    ...             yield x
    >>> list(Twice([1, 2]).filter(bool).batch(3))
    [[1, 1, 2], [2]]
    """

    functions: dict = {}  # noqa: RUF012 (one for all elements)
    _valid_iterator_id = None
    _number_of_samples_yielded = 0
    _snapshot_state = _SnapshotState.NotStarted
    _fast_forward_iterator = None

    def __iter__(self):
        return self

    def reset(self):
        """Reset the state before a new pass; classes with a state override it."""


class DFIterDataPipe(IterDataPipe):
    """A datapipe of data frames.

    It has the methods of `IterDataPipe`; no other type of data is required here.

    Examples
    --------
    >>> import minitorch as torch
    >>> issubclass(torch.utils.data.DFIterDataPipe, torch.utils.data.IterDataPipe)
    True
    """

    def _is_dfpipe(self):
        return True


class MapDataPipe(_Chained, Dataset[_T_co], metaclass=_DataPipeMeta):
    """A datapipe with access by index or key.

    A subclass defines ``__getitem__`` and usually ``__len__``; the elements may have any type.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Squares(torch.utils.data.MapDataPipe):
    ...     def __getitem__(self, index):
    ...         return index**2
    ...     def __len__(self):
    ...         return 3
    >>> pipe = Squares()
    >>> len(pipe), pipe[2]
    (3, 4)
    """

    functions: dict = {}  # noqa: RUF012 (one for all elements)


class _DataPipeSerializationWrapper:
    """A wrapper that sends a datapipe to another process with pickle, or with dill if pickle fails."""

    def __init__(self, datapipe):
        self._datapipe = datapipe

    def __getstate__(self):
        try:
            return pickle.dumps(self._datapipe), False
        except Exception:  # a user's __reduce__ may raise anything
            if not dill_available():
                raise
        import dill

        return dill.dumps(self._datapipe), True

    def __setstate__(self, state):
        value, use_dill = state
        if use_dill:
            import dill

            self._datapipe = dill.loads(value)
        else:
            self._datapipe = pickle.loads(value)

    def __len__(self):
        try:
            return len(self._datapipe)
        except Exception as error:
            raise TypeError(f"{type(self).__name__} instance doesn't have valid length") from error


class _IterDataPipeSerializationWrapper(_DataPipeSerializationWrapper, IterDataPipe):
    def __init__(self, datapipe):
        super().__init__(datapipe)
        self._datapipe_iter = None

    def __iter__(self):
        self._datapipe_iter = iter(self._datapipe)
        return self

    def __next__(self):
        if self._datapipe_iter is None:
            raise AssertionError(
                "Iterator has not been initialized; call __iter__() before __next__()"
            )
        return next(self._datapipe_iter)


class _MapDataPipeSerializationWrapper(_DataPipeSerializationWrapper, MapDataPipe):
    def __getitem__(self, idx):
        return self._datapipe[idx]
