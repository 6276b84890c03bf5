"""Elements in another order."""

import random

from minitorch.utils.data.datapipes.datapipe import IterDataPipe, functional_datapipe, length_of
from minitorch.utils.data.sampler import Sampler, SequentialSampler, random_seed

__all__ = ["SamplerIterDataPipe", "ShufflerIterDataPipe"]


class SamplerIterDataPipe(IterDataPipe):
    """The indices that a sampler gives.

    Parameters
    ----------
    datapipe : IterDataPipe
    sampler : type, default SequentialSampler
    sampler_args : tuple, optional
    sampler_kwargs : dict, optional
    """

    def __init__(self, datapipe, sampler=SequentialSampler, sampler_args=None, sampler_kwargs=None):
        if not (isinstance(sampler, type) and issubclass(sampler, Sampler)):
            raise AssertionError("Sampler class requires subclass of Sampler")
        super().__init__()
        self.datapipe = datapipe
        self.sampler = sampler(
            *(sampler_args or ()), data_source=datapipe, **(sampler_kwargs or {})
        )

    def __iter__(self):
        yield from self.sampler

    def __len__(self):
        return length_of(self, self.sampler)


@functional_datapipe("shuffle")
class ShufflerIterDataPipe(IterDataPipe):
    """A random order, from a buffer: each element that comes takes the place of one that goes.

    Parameters
    ----------
    datapipe : IterDataPipe
    buffer_size : int, default 10000
    unbatch_level : int, default 0
        How many levels of batches are taken apart first.
    """

    def __init__(self, datapipe, *, buffer_size=10000, unbatch_level=0):
        super().__init__()
        if buffer_size <= 0:
            raise AssertionError("buffer_size should be larger than 0")
        self.datapipe = (
            datapipe if unbatch_level == 0 else datapipe.unbatch(unbatch_level=unbatch_level)
        )
        self.buffer_size = buffer_size
        self._enabled = True
        self._seed = None
        self._random = random.Random()

    def set_shuffle(self, shuffle=True):
        """Whether the order is changed."""
        self._enabled = shuffle
        return self

    def set_seed(self, seed):
        """The seed of the next pass; without one it is drawn from PyTorch's generator."""
        self._seed = seed
        return self

    def reset(self):
        """Seed the order of a pass."""
        if self._enabled:
            self._random.seed(random_seed() if self._seed is None else self._seed)
            self._seed = None

    def __iter__(self):
        if not self._enabled:
            yield from self.datapipe
            return
        buffer = []
        for element in self.datapipe:
            if len(buffer) < self.buffer_size:
                buffer.append(element)
                continue
            place = self._random.randint(0, len(buffer) - 1)
            element, buffer[place] = buffer[place], element
            yield element
        while buffer:
            yield buffer.pop(self._random.randint(0, len(buffer) - 1))

    def __len__(self):
        return length_of(self, self.datapipe)
