"""Batches made and taken apart."""

from minitorch.utils.data.datapipes.datapipe import (
    Batching,
    DataChunk,
    IterDataPipe,
    functional_datapipe,
)

__all__ = ["BatcherIterDataPipe", "UnBatcherIterDataPipe"]


@functional_datapipe("batch")
class BatcherIterDataPipe(Batching, IterDataPipe):
    """So many elements at a time.

    Parameters
    ----------
    datapipe : IterDataPipe
    batch_size : int
    drop_last : bool, default False
        Leave a shorter last batch out.
    wrapper_class : type, default DataChunk
    """

    def __iter__(self):
        batch = []
        for element in self.datapipe:
            batch.append(element)
            if len(batch) == self.batch_size:
                yield self.wrapper_class(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.wrapper_class(batch)


@functional_datapipe("unbatch")
class UnBatcherIterDataPipe(IterDataPipe):
    """The elements of batches, `unbatch_level` deep; -1: however deep they are.

    Parameters
    ----------
    datapipe : IterDataPipe
    unbatch_level : int, default 1
    """

    def __init__(self, datapipe, unbatch_level=1):
        self.datapipe = datapipe
        self.unbatch_level = unbatch_level

    def __iter__(self):
        for element in self.datapipe:
            yield from self._taken_apart(element, self.unbatch_level)

    def _taken_apart(self, element, level):
        if level < -1:
            raise ValueError("unbatch_level must be -1 or >= 0")
        is_batch = isinstance(element, (list, DataChunk))
        if level == 0 or (level == -1 and not is_batch):
            yield element
        elif not is_batch:
            raise IndexError(
                f"unbatch_level {self.unbatch_level} exceeds the depth of the DataPipe"
            )
        else:
            for item in element:
                yield from self._taken_apart(item, level if level == -1 else level - 1)
