"""A datapipe that filters elements."""

from minitorch.utils.data.datapipes._decorator import functional_datapipe
from minitorch.utils.data.datapipes.datapipe import IterDataPipe
from minitorch.utils.data.datapipes.utils.common import _check_unpickable_fn, validate_input_col

__all__ = ["FilterIterDataPipe"]


@functional_datapipe("filter")
class FilterIterDataPipe(IterDataPipe):
    """A datapipe of the elements for which a function returns True.

    Parameters
    ----------
    datapipe : IterDataPipe
    filter_fn : callable
    input_col : int, str or list, optional
        The columns that are passed to the function; by default the whole element.
    """

    def __init__(self, datapipe, filter_fn, input_col=None):
        super().__init__()
        self.datapipe = datapipe
        _check_unpickable_fn(filter_fn)
        self.filter_fn = filter_fn
        self.input_col = input_col
        validate_input_col(filter_fn, input_col)

    def _wanted(self, data):
        if self.input_col is None:
            answer = self.filter_fn(data)
        elif isinstance(self.input_col, (list, tuple)):
            answer = self.filter_fn(*[data[column] for column in self.input_col])
        else:
            answer = self.filter_fn(data[self.input_col])
        if not isinstance(answer, bool):
            raise ValueError(
                "Boolean output is required for `filter_fn` of FilterIterDataPipe, got",
                type(answer),
            )
        return answer

    def __iter__(self):
        for data in self.datapipe:
            if self._wanted(data):
                yield data
