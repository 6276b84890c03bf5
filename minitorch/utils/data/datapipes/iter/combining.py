"""Several elements as one."""

from minitorch.utils.data.datapipes.datapipe import IterDataPipe, functional_datapipe, length_of

__all__ = ["ConcaterIterDataPipe", "ZipperIterDataPipe"]


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
        yield from zip(*self.datapipes, strict=False)

    def __len__(self):
        return min(length_of(self, pipe) for pipe in self.datapipes)
