"""Deferred data frames: operations on them are recorded, and applied to a data frame later."""

import operator

from minitorch.utils.data.datapipes.dataframe import dataframe_wrapper
from minitorch.utils.data.datapipes.datapipe import DFIterDataPipe

# names that PyTorch has in this module too
create_dataframe = dataframe_wrapper.create_dataframe
is_dataframe = dataframe_wrapper.is_dataframe
iterate = dataframe_wrapper.iterate

__all__ = ["Capture", "CaptureDataFrame", "DFIterDataPipe"]


class Capture:
    """A value that is computed later.

    Parameters
    ----------
    recorded : list
        The recorded operations in order, shared by all values of a data frame.
    function : callable
        Computes this value from `parts`; None for the data frame itself.
    parts : tuple
        The arguments, some of which may be deferred too.
    """

    def __init__(self, recorded, function=None, *parts):
        self.__dict__.update(_recorded=recorded, _function=function, _parts=parts)

    def _step(self, function, *parts):
        step = Capture(self._recorded, function, self, *parts)
        self._recorded.append(step)
        return step

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._step(getattr, name)

    def __getitem__(self, key):
        return self._step(operator.getitem, key)

    def __setitem__(self, key, value):
        self._step(operator.setitem, key, value)

    def __add__(self, other):
        return self._step(operator.add, other)

    def __sub__(self, other):
        return self._step(operator.sub, other)

    def __mul__(self, other):
        return self._step(operator.mul, other)

    def __call__(self, *args, **kwargs):
        return self._step(_call, args, kwargs)


def _call(function, args, kwargs):
    return function(*args, **kwargs)


def _value(part, values):
    """Return the result of a traced value, element by element for lists, tuples and dicts."""
    if isinstance(part, Capture):
        return values[id(part)]
    if isinstance(part, dict):
        return {key: _value(item, values) for key, item in part.items()}
    if isinstance(part, (list, tuple)):
        return type(part)(_value(item, values) for item in part)
    return part


class CaptureDataFrame(Capture):
    """A data frame whose operations are recorded.

    Examples
    --------
    >>> from minitorch.utils.data.datapipes.dataframe import CaptureDataFrame
    >>> table = CaptureDataFrame()
    >>> table["c"] = table["b"] + table["a"] * 7
    >>> table.apply_ops({"a": 1, "b": 2})
    {'a': 1, 'b': 2, 'c': 9}
    """

    def __init__(self, schema_df=None):
        super().__init__([])
        self.__dict__["_schema"] = schema_df

    def apply_ops(self, dataframe):
        """Apply the recorded operations to `dataframe` and return it."""
        values = {id(self): dataframe}
        for step in self._recorded:
            values[id(step)] = step._function(*(_value(part, values) for part in step._parts))
        return dataframe
