"""The common code of the batching datapipes for maps and for iterators."""

from minitorch.utils.data.datapipes.datapipe import DataChunk
from minitorch.utils.data.datapipes.utils.common import length_of

__all__ = ["Batching"]


class Batching:
    """The constructor and the length of both batching datapipes.

    Parameters
    ----------
    datapipe : IterDataPipe or MapDataPipe
    batch_size : int
    drop_last : bool, default False
    wrapper_class : type, default DataChunk
    """

    def __init__(self, datapipe, batch_size, drop_last=False, wrapper_class=DataChunk):
        if batch_size <= 0:
            raise AssertionError("Batch size is required to be larger than 0!")
        super().__init__()
        self.datapipe = datapipe
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.wrapper_class = wrapper_class

    def __len__(self):
        full, rest = divmod(length_of(self, self.datapipe), self.batch_size)
        return full + (rest > 0 and not self.drop_last)
