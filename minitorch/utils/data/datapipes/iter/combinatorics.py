"""Datapipes that change the order of elements."""

import random
from collections.abc import Sized

from minitorch.utils.data.datapipes._decorator import functional_datapipe
from minitorch.utils.data.datapipes.datapipe import IterDataPipe
from minitorch.utils.data.datapipes.utils.common import length_of
from minitorch.utils.data.sampler import Sampler, SequentialSampler, random_seed

__all__ = ["SamplerIterDataPipe", "ShufflerIterDataPipe"]


class SamplerIterDataPipe(IterDataPipe):
    """A datapipe of the indices that a sampler draws.

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
        if not isinstance(datapipe, Sized):
            raise AssertionError("Sampler class requires input datapipe implemented `__len__`")
        self.sampler = sampler(
            *(sampler_args or ()), data_source=datapipe, **(sampler_kwargs or {})
        )

    def __iter__(self):
        yield from self.sampler

    def __len__(self):
        return length_of(self, self.sampler)


@functional_datapipe("shuffle")
class ShufflerIterDataPipe(IterDataPipe):
    """A datapipe that shuffles with a buffer: each incoming element replaces a random one, which is yielded.

    Parameters
    ----------
    datapipe : IterDataPipe
    buffer_size : int, default 10000
    unbatch_level : int, default 0
        How many levels of batches are unbatched first.
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
        self._buffer = []
        self._rng = random.Random()

    def set_shuffle(self, shuffle=True):
        """Set whether to shuffle."""
        self._enabled = shuffle
        return self

    def set_seed(self, seed):
        """Set the seed of the next pass; without one it is drawn from the default generator."""
        self._seed = seed
        return self

    def reset(self):
        """Seed the order of the next pass and empty the buffer."""
        self._buffer = []
        if self._enabled:
            self._rng.seed(random_seed() if self._seed is None else self._seed)
            self._seed = None

    def __iter__(self):
        if not self._enabled:
            yield from self.datapipe
            return
        for element in self.datapipe:
            if len(self._buffer) < self.buffer_size:
                self._buffer.append(element)
                continue
            place = self._rng.randint(0, len(self._buffer) - 1)
            element, self._buffer[place] = self._buffer[place], element
            yield element
        while self._buffer:
            yield self._buffer.pop(self._rng.randint(0, len(self._buffer) - 1))

    def __len__(self):
        return length_of(self, self.datapipe)

    _kept = ("datapipe", "buffer_size", "_enabled", "_seed", "_buffer")
    _kept_last = ("_valid_iterator_id", "_number_of_samples_yielded")

    def __getstate__(self):
        kept = [getattr(self, name) for name in self._kept]
        last = [getattr(self, name) for name in self._kept_last]
        return self._hooked_state((*kept, self._rng.getstate(), *last))

    def __setstate__(self, state):
        names = (*self._kept, "_rng", *self._kept_last)
        self.__dict__.update(zip(names, state, strict=True))
        self._rng, rng_state = random.Random(), self._rng
        self._rng.setstate(rng_state)
