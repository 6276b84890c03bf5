"""Datapipes with access by index or key."""

import copy
import random
import warnings

from minitorch.utils.data.datapipes._decorator import functional_datapipe
from minitorch.utils.data.datapipes.datapipe import IterDataPipe, MapDataPipe
from minitorch.utils.data.datapipes.utils.batching import Batching
from minitorch.utils.data.datapipes.utils.common import _check_unpickable_fn
from minitorch.utils.data.sampler import random_seed

__all__ = ["Batcher", "Concater", "Mapper", "SequenceWrapper", "Shuffler", "Zipper"]


class SequenceWrapperMapDataPipe(MapDataPipe):
    """A datapipe over a sequence or mapping.

    Parameters
    ----------
    sequence : sequence or mapping
    deepcopy : bool, default True
        Copy the sequence, so that later changes to it have no effect.
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
    """A datapipe that applies a function to each element.

    Parameters
    ----------
    datapipe : MapDataPipe
    fn : callable, optional
    """

    def __init__(self, datapipe, fn=lambda x: x):
        super().__init__()
        self.datapipe = datapipe
        _check_unpickable_fn(fn)
        self.fn = fn

    def __len__(self):
        return len(self.datapipe)

    def __getitem__(self, index):
        return self.fn(self.datapipe[index])


class _OfSeveral(MapDataPipe):
    """The base class of datapipes with several sources."""

    def __init__(self, *datapipes):
        if not datapipes:
            raise ValueError("Expected at least one DataPipe, but got nothing")
        if not all(isinstance(pipe, MapDataPipe) for pipe in datapipes):
            raise TypeError("Expected all inputs to be `MapDataPipe`")
        self.datapipes = datapipes


@functional_datapipe("concat")
class ConcaterMapDataPipe(_OfSeveral):
    """A datapipe of the elements of several datapipes, one datapipe after the other.

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
    """A datapipe of tuples with one element of each datapipe.

    Parameters
    ----------
    *datapipes : MapDataPipe
    """

    def __getitem__(self, index):
        elements = []
        for pipe in self.datapipes:
            try:
                elements.append(pipe[index])
            except IndexError as error:
                raise IndexError(
                    f"Index {index} is out of range for one of the input MapDataPipes {pipe}."
                ) from error
        return tuple(elements)

    def __len__(self):
        return min(len(pipe) for pipe in self.datapipes)


@functional_datapipe("batch")
class BatcherMapDataPipe(Batching, MapDataPipe):
    """A datapipe of batches of `batch_size` elements.

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


class ShufflerIterDataPipe(IterDataPipe):
    """An iterable datapipe of the elements of a map datapipe in random order.

    Parameters
    ----------
    datapipe : MapDataPipe
    indices : list, optional
        The indices to read; by default all numbers below the length.

    Examples
    --------
    >>> from minitorch.utils.data.datapipes.map import SequenceWrapper
    >>> sorted(SequenceWrapper("abc").shuffle())
    ['a', 'b', 'c']
    """

    def __init__(self, datapipe, *, indices=None):
        super().__init__()
        self.datapipe = datapipe
        self.indices = list(range(len(datapipe))) if indices is None else indices
        self._enabled = True
        self._seed = None
        self._rng = random.Random()
        self._shuffled_indices = self.indices

    def set_shuffle(self, shuffle=True):
        """Set whether to shuffle."""
        self._enabled = shuffle
        return self

    def set_seed(self, seed):
        """Set the seed of the next pass; without one it is drawn from the default generator."""
        self._seed = seed
        return self

    def __iter__(self):
        if not self._enabled:
            for index in self.indices:
                yield self.datapipe[index]
            return
        while self._shuffled_indices:
            yield self.datapipe[self._shuffled_indices.pop()]

    def reset(self):
        """Draw the order of the next pass."""
        if self._enabled and self._seed is None:
            self._seed = random_seed()
        self._rng.seed(self._seed)
        self._seed = None
        self._shuffled_indices = self._rng.sample(self.indices, len(self.indices))

    def __len__(self):
        return len(self.datapipe)

    _kept = ("datapipe", "indices", "_enabled", "_seed")
    _kept_last = ("_shuffled_indices", "_valid_iterator_id", "_number_of_samples_yielded")

    def __getstate__(self):
        kept = [getattr(self, name) for name in self._kept]
        last = [getattr(self, name) for name in self._kept_last]
        return self._hooked_state((*kept, self._rng.getstate(), *last))

    def __setstate__(self, state):
        names = (*self._kept, "_rng", *self._kept_last)
        self.__dict__.update(zip(names, state, strict=True))
        self._rng, rng_state = random.Random(), self._rng
        self._rng.setstate(rng_state)


MapDataPipe.register_datapipe_as_function("shuffle", ShufflerIterDataPipe)

Batcher = BatcherMapDataPipe
Concater = ConcaterMapDataPipe
Mapper = MapperMapDataPipe
SequenceWrapper = SequenceWrapperMapDataPipe
Shuffler = ShufflerIterDataPipe
Zipper = ZipperMapDataPipe
