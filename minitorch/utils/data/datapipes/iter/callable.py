"""Datapipes that call a function for each element."""

from minitorch.utils.data._utils.collate import default_collate
from minitorch.utils.data.datapipes._decorator import functional_datapipe
from minitorch.utils.data.datapipes.datapipe import IterDataPipe
from minitorch.utils.data.datapipes.utils.common import (
    _check_unpickable_fn,
    length_of,
    validate_input_col,
)

__all__ = ["CollatorIterDataPipe", "MapperIterDataPipe"]


@functional_datapipe("map")
class MapperIterDataPipe(IterDataPipe):
    """A datapipe that applies a function to each element, or to some of its columns.

    Parameters
    ----------
    datapipe : IterDataPipe
    fn : callable
    input_col, output_col : int, str or list, optional
        The columns that are passed to the function, by default the whole element, and the column
        that gets the result, by default the first of `input_col`; the others are removed.

    Raises
    ------
    ValueError
        If `output_col` is given without `input_col`, or the function does not take as many arguments
        as there are columns.
    """

    def __init__(self, datapipe, fn, input_col=None, output_col=None):
        super().__init__()
        _check_unpickable_fn(fn)
        self.datapipe = datapipe
        self.fn = fn
        self.input_col = input_col
        if input_col is None and output_col is not None:
            raise ValueError("`output_col` must be None when `input_col` is None.")
        if isinstance(output_col, (list, tuple)):
            if len(output_col) > 1:
                raise ValueError("`output_col` must be a single-element list or tuple")
            output_col = output_col[0]
        self.output_col = output_col
        validate_input_col(fn, input_col)

    def _applied(self, data):
        if self.input_col is None:
            return self.fn(data)
        columns = self.input_col if isinstance(self.input_col, (list, tuple)) else [self.input_col]
        result = self.fn(*[data[column] for column in columns])
        changed = list(data) if isinstance(data, tuple) else data.copy()
        if self.output_col == -1 and not isinstance(changed, dict):
            changed.append(result)
        elif self.output_col is not None:
            changed[self.output_col] = result
        else:
            changed[columns[0]] = result
            for column in sorted(columns[1:], reverse=True):
                del changed[column]
        return tuple(changed) if isinstance(data, tuple) else changed

    def __iter__(self):
        for data in self.datapipe:
            yield self._applied(data)

    def __len__(self):
        return length_of(self, self.datapipe)


@functional_datapipe("collate")
class CollatorIterDataPipe(MapperIterDataPipe):
    """A datapipe that collates each element, a batch of samples, into tensors.

    Parameters
    ----------
    datapipe : IterDataPipe
    conversion : callable, optional
        The function that collates; by default that of `DataLoader`.
    collate_fn : callable, optional
        An old name of `conversion`.
    """

    def __init__(self, datapipe, conversion=None, collate_fn=None):
        super().__init__(datapipe, fn=conversion or collate_fn or default_collate)
