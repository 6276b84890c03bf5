"""The source of a chain of datapipes."""

import copy
import warnings

from minitorch.utils.data.datapipes.datapipe import IterDataPipe
from minitorch.utils.data.datapipes.utils.common import length_of

__all__ = ["IterableWrapperIterDataPipe"]


class IterableWrapperIterDataPipe(IterDataPipe):
    """A datapipe of the elements of an iterable.

    Parameters
    ----------
    iterable : iterable
    deepcopy : bool, default True
        Copy the iterable for each pass, so that changes to its elements do not affect the next pass.
    """

    def __init__(self, iterable, deepcopy=True):
        self.iterable = iterable
        self.deepcopy = deepcopy

    def __iter__(self):
        yield from self._source()

    def _source(self):
        if not self.deepcopy:
            return self.iterable
        try:
            return copy.deepcopy(self.iterable)
        except TypeError:
            warnings.warn(
                "The input iterable can not be deepcopied, please be aware of in-place modification "
                "would affect source data.",
                stacklevel=2,
            )
            return self.iterable

    def __len__(self):
        return length_of(self, self.iterable)
