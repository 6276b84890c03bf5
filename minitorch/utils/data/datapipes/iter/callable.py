"""Elements that call a function."""

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
    """A function of each element, or of some of its columns.

    Parameters
    ----------
    datapipe : IterDataPipe
    fn : callable
    input_col, output_col : int, str or list, optional
        What it is given of an element, and where its result goes; by default it takes the place of
        the first that was given.

    Raises
    ------
    ValueError
        For an `output_col` alone, or a function that does not take as many arguments as there are
        columns.
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
    """Each element, a batch of samples, as tensors.

    Parameters
    ----------
    datapipe : IterDataPipe
    conversion : callable, optional
        Instead of the one that `DataLoader` has.
    collate_fn : callable, optional
        The same under its name of old.
    """

    def __init__(self, datapipe, conversion=None, collate_fn=None):
        super().__init__(datapipe, fn=conversion or collate_fn or default_collate)
