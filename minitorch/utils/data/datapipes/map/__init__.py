"""Elements that are asked by index or key."""

import copy
import warnings

from minitorch.utils.data.datapipes.datapipe import (
    Batching,
    MapDataPipe,
    functional_datapipe,
    warn_of_unpicklable,
)

__all__ = ["Batcher", "Concater", "Mapper", "SequenceWrapper", "Zipper"]


class SequenceWrapperMapDataPipe(MapDataPipe):
    """A sequence or mapping.

    Parameters
    ----------
    sequence : sequence or mapping
    deepcopy : bool, default True
        Of it itself, so that what becomes of it later is not seen here.
    """

    def __init__(self, sequence, deepcopy=True):
        self.sequence = sequence
        if deepcopy:
            try:
                self.sequence = copy.deepcopy(sequence)
            except TypeError:
                warnings.warn(
                    "The input sequence can not be deepcopied, please be aware of in-place modification "
                    "would affect source data",
                    stacklevel=2,
                )

    def __getitem__(self, index):
        return self.sequence[index]

    def __len__(self):
        return len(self.sequence)


@functional_datapipe("map")
class MapperMapDataPipe(MapDataPipe):
    """A function of each element.

    Parameters
    ----------
    datapipe : MapDataPipe
    fn : callable, optional
    """

    def __init__(self, datapipe, fn=lambda x: x):
        super().__init__()
        self.datapipe = datapipe
        warn_of_unpicklable(fn)
        self.fn = fn

    def __len__(self):
        return len(self.datapipe)

    def __getitem__(self, index):
        return self.fn(self.datapipe[index])


class _OfSeveral(MapDataPipe):
    """What the elements made of several others have in common."""

    def __init__(self, *datapipes):
        if not datapipes:
            raise ValueError("Expected at least one DataPipe, but got nothing")
        if not all(isinstance(pipe, MapDataPipe) for pipe in datapipes):
            raise TypeError("Expected all inputs to be `MapDataPipe`")
        self.datapipes = datapipes


@functional_datapipe("concat")
class ConcaterMapDataPipe(_OfSeveral):
    """One after the other.

    Parameters
    ----------
    *datapipes : MapDataPipe
    """

    def __getitem__(self, index):
        start = 0
        for pipe in self.datapipes:
            if index - start < len(pipe):
                return pipe[index - start]
            start += len(pipe)
        raise IndexError(f"Index {index} is out of range.")

    def __len__(self):
        return sum(len(pipe) for pipe in self.datapipes)


@functional_datapipe("zip")
class ZipperMapDataPipe(_OfSeveral):
    """Tuples with an element of each.

    Parameters
    ----------
    *datapipes : MapDataPipe
    """

    def __getitem__(self, index):
        try:
            return tuple([pipe[index] for pipe in self.datapipes])
        except IndexError as error:
            raise IndexError(
                f"Index {index} is out of range for one of the input MapDataPipes."
            ) from error

    def __len__(self):
        return min(len(pipe) for pipe in self.datapipes)


@functional_datapipe("batch")
class BatcherMapDataPipe(Batching, MapDataPipe):
    """So many elements at a time.

    Parameters
    ----------
    datapipe : MapDataPipe
    batch_size : int
    drop_last : bool, default False
    wrapper_class : type, default DataChunk
    """

    def __getitem__(self, index):
        if not 0 <= index < len(self):
            raise IndexError(f"Index {index} is out of bound.")
        first = index * self.batch_size
        last = min(first + self.batch_size, len(self.datapipe))
        return self.wrapper_class([self.datapipe[k] for k in range(first, last)])


Batcher = BatcherMapDataPipe
Concater = ConcaterMapDataPipe
Mapper = MapperMapDataPipe
SequenceWrapper = SequenceWrapperMapDataPipe
Zipper = ZipperMapDataPipe
