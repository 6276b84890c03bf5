"""Datapipes that combine several datapipes."""

from minitorch.utils.data.datapipes._decorator import functional_datapipe
from minitorch.utils.data.datapipes.datapipe import IterDataPipe
from minitorch.utils.data.datapipes.iter.forking import (
    DemultiplexerIterDataPipe,
    ForkerIterDataPipe,
    _ChildDataPipe,
    _DemultiplexerIterDataPipe,
    _ForkerIterDataPipe,
)
from minitorch.utils.data.datapipes.utils.common import length_of

__all__ = [
    "ConcaterIterDataPipe",
    "DemultiplexerIterDataPipe",
    "ForkerIterDataPipe",
    "MultiplexerIterDataPipe",
    "ZipperIterDataPipe",
    "_ChildDataPipe",
    "_DemultiplexerIterDataPipe",
    "_ForkerIterDataPipe",
]


@functional_datapipe("concat")
class ConcaterIterDataPipe(IterDataPipe):
    """A datapipe of the elements of several datapipes, one datapipe after the other.

    Parameters
    ----------
    *datapipes : IterDataPipe
    """

    def __init__(self, *datapipes):
        if not datapipes:
            raise ValueError("Expected at least one DataPipe, but got nothing")
        if not all(isinstance(pipe, IterDataPipe) for pipe in datapipes):
            raise TypeError("Expected all inputs to be `IterDataPipe`")
        self.datapipes = datapipes

    def __iter__(self):
        for pipe in self.datapipes:
            yield from pipe

    def __len__(self):
        return sum(length_of(self, pipe) for pipe in self.datapipes)


@functional_datapipe("mux")
class MultiplexerIterDataPipe(IterDataPipe):
    """A datapipe that yields one element of each datapipe in turn, until one of them is exhausted.

    Parameters
    ----------
    *datapipes : IterDataPipe

    Examples
    --------
    >>> from minitorch.utils.data.datapipes.iter import IterableWrapper
    >>> list(IterableWrapper("abc").mux(IterableWrapper("xy")))
    ['a', 'x', 'b', 'y']
    """

    def __init__(self, *datapipes):
        self.datapipes = datapipes
        self.buffer = []  # yielded once it holds an element of each

    def __iter__(self):
        sources = [iter(pipe) for pipe in self.datapipes]
        while sources:
            for source in sources:
                try:
                    self.buffer.append(next(source))
                except StopIteration:
                    self.buffer.clear()
                    return
            yield from self.buffer
            self.buffer.clear()

    def __len__(self):
        return min(length_of(self, pipe) for pipe in self.datapipes) * len(self.datapipes)

    def reset(self):
        self.buffer = []

    def __getstate__(self):
        return self._hooked_state(
            (self.datapipes, self._valid_iterator_id, self._number_of_samples_yielded)
        )

    def __setstate__(self, state):
        self.datapipes, self._valid_iterator_id, self._number_of_samples_yielded = state
        self.buffer = []


@functional_datapipe("zip")
class ZipperIterDataPipe(IterDataPipe):
    """A datapipe of tuples with one element of each datapipe, as long as the shortest lasts.

    Parameters
    ----------
    *datapipes : IterDataPipe
    """

    def __init__(self, *datapipes):
        if not all(isinstance(pipe, IterDataPipe) for pipe in datapipes):
            raise TypeError("All inputs are required to be `IterDataPipe` for `ZipIterDataPipe`.")
        super().__init__()
        self.datapipes = datapipes

    def __iter__(self):
        yield from zip(*[iter(pipe) for pipe in self.datapipes], strict=False)

    def __len__(self):
        return min(length_of(self, pipe) for pipe in self.datapipes)
