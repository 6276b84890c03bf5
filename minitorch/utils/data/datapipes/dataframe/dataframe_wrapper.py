"""The interface of datapipes to a data frame library, by default pandas."""

import importlib.util

__all__ = [
    "PandasWrapper",
    "concat",
    "create_dataframe",
    "get_columns",
    "get_df_wrapper",
    "get_item",
    "get_len",
    "is_column",
    "is_dataframe",
    "iterate",
    "set_df_wrapper",
]


def _pandas():
    if importlib.util.find_spec("pandas") is None:
        raise RuntimeError("DataFrames prototype requires pandas to function")
    return importlib.import_module("pandas")


class PandasWrapper:
    """The interface to pandas; if that is not installed, no object is a data frame and none can be created."""

    @classmethod
    def create_dataframe(cls, data, columns):
        """Create a data frame from rows."""
        return _pandas().DataFrame(data, columns=columns)

    @classmethod
    def is_dataframe(cls, data):
        """Return True if the object is a data frame."""
        return cls._is(data, "DataFrame")

    @classmethod
    def is_column(cls, data):
        """Return True if the object is a column of a data frame."""
        return cls._is(data, "Series")

    @classmethod
    def _is(cls, data, name):
        found = importlib.util.find_spec("pandas") is not None
        return found and isinstance(data, getattr(_pandas(), name))

    @classmethod
    def iterate(cls, data):
        """Iterate over the rows as tuples."""
        _pandas()
        yield from data.itertuples(index=False)

    @classmethod
    def concat(cls, buffer):
        """Concatenate data frames by rows."""
        return _pandas().concat(buffer)

    @classmethod
    def get_item(cls, data, idx):
        """Return one row as a data frame."""
        _pandas()
        return data[idx : idx + 1]

    @classmethod
    def get_len(cls, df):
        """Return the number of rows."""
        _pandas()
        return len(df.index)

    @classmethod
    def get_columns(cls, df):
        """Return the names of the columns."""
        _pandas()
        return list(df.columns.values.tolist())


_wrapper = PandasWrapper


def get_df_wrapper():
    """Return the wrapper class for data frames."""
    return _wrapper


def set_df_wrapper(wrapper):
    """Set the wrapper class for data frames.

    Examples
    --------
    >>> from minitorch.utils.data.datapipes.dataframe import dataframe_wrapper
    >>> class Lists(dataframe_wrapper.PandasWrapper):
    ...     @classmethod
    ...     def is_dataframe(cls, data):
    ...         return isinstance(data, list)
    >>> before = dataframe_wrapper.get_df_wrapper()
    >>> dataframe_wrapper.set_df_wrapper(Lists)
    >>> dataframe_wrapper.is_dataframe([])
    True
    >>> dataframe_wrapper.set_df_wrapper(before)
    """
    global _wrapper
    _wrapper = wrapper


def create_dataframe(data, columns=None):
    """Create a data frame from rows."""
    return _wrapper.create_dataframe(data, columns)


def is_dataframe(data):
    """Return True if the object is a data frame."""
    return _wrapper.is_dataframe(data)


def get_columns(data):
    """Return the names of the columns."""
    return _wrapper.get_columns(data)


def is_column(data):
    """Return True if the object is a column of a data frame."""
    return _wrapper.is_column(data)


def concat(buffer):
    """Concatenate data frames by rows."""
    return _wrapper.concat(buffer)


def iterate(data):
    """Iterate over the rows."""
    return _wrapper.iterate(data)


def get_item(data, idx):
    """Return one row as a data frame."""
    return _wrapper.get_item(data, idx)


def get_len(df):
    """Return the number of rows."""
    return _wrapper.get_len(df)
