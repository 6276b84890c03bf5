"""Several elements as one."""

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
    """One after the other.

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
    """An element of each in turn, until one of them is at its end.

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
        self.buffer = []  # what is given when each has one

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
    """Tuples with an element of each, as long as the shortest lasts.

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
