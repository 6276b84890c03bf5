"""Samplers: the order in which a `DataLoader` reads samples."""

import itertools
from typing import Generic, TypeVar

from minitorch.autograd.functions.creation import empty_ as _empty
from minitorch.autograd.functions.from_data import as_tensor
from minitorch.autograd.functions.random import randint, randperm
from minitorch.autograd.functions.tensor_methods import multinomial
from minitorch.core.dtype import _dtypes
from minitorch.random import Generator

__all__ = [
    "BatchSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "SubsetRandomSampler",
    "WeightedRandomSampler",
]

_T_co = TypeVar("_T_co", covariant=True)
_int64, _float64 = _dtypes()["int64"], _dtypes()["float64"]


def random_seed(generator=None):
    """Draw a number from 0 to 2**63 - 1 from a generator."""
    return _empty((), dtype=_int64).random_(generator=generator).item()


class Sampler(Generic[_T_co]):
    """The base class of samplers.

    Subclasses define ``__iter__`` over indices or lists of indices.

    An index is usually an int.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Backwards(torch.utils.data.Sampler):
    ...     def __init__(self, data):
    ...         self.data = data
    ...     def __iter__(self):
    ...         return iter(range(len(self.data) - 1, -1, -1))
    ...     def __len__(self):
    ...         return len(self.data)
    >>> data = ["a", "b", "c"]
    >>> list(torch.utils.data.DataLoader(data, batch_size=2, sampler=Backwards(data)))
    [['c', 'b'], ['a']]
    """

    def __iter__(self):
        raise NotImplementedError

    # no default `__len__`: a sampler without a length must not have the attribute


class SequentialSampler(Sampler[int]):
    """Sample the indices in order.

    Parameters
    ----------
    data_source : Dataset
        Any object with a length; the indices are the ints below it.

    Examples
    --------
    >>> import minitorch as torch
    >>> list(torch.utils.data.SequentialSampler(["a", "b"]))
    [0, 1]
    """

    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """Sample all indices in random order, or random indices with replacement.

    Parameters
    ----------
    data_source : Dataset
    replacement : bool
    num_samples : int, optional
        The number of indices; by default the length of the dataset.
    generator : Generator, optional
        The generator; by default a new one for each pass, seeded by the default generator.

    Examples
    --------
    >>> import minitorch as torch
    >>> generator = torch.Generator().manual_seed(0)
    >>> list(torch.utils.data.RandomSampler(range(5), generator=generator))
    [4, 0, 1, 3, 2]
    """

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(replacement, bool):
            raise TypeError(
                f"replacement should be a boolean value, but got replacement={replacement}"
            )
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(
                "num_samples should be a positive integer value, but got "
                f"num_samples={self.num_samples}"
            )

    @property
    def num_samples(self):
        """The number of indices of a pass."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self):
        n, count = len(self.data_source), self.num_samples
        generator = self.generator or Generator().manual_seed(random_seed())
        if self.replacement:
            # drawn in chunks, so that a long pass starts without delay
            for _ in range(count // 32):
                yield from randint(n, (32,), dtype=_int64, generator=generator).tolist()
            yield from randint(n, (count % 32,), dtype=_int64, generator=generator).tolist()
            return
        for _ in range(count // n):
            yield from randperm(n, generator=generator).tolist()
        yield from randperm(n, generator=generator).tolist()[: count % n]

    def __len__(self):
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """Sample given indices in random order.

    Parameters
    ----------
    indices : sequence of int
        The indices, each of which is returned once.
    generator : Generator, optional
        The source of random numbers; by default the default generator.

    Examples
    --------
    >>> import minitorch as torch
    >>> sorted(torch.utils.data.SubsetRandomSampler([2, 5, 7]))
    [2, 5, 7]
    """

    def __init__(self, indices, generator=None):
        self.indices = indices
        self.generator = generator

    def __iter__(self):
        for index in randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[index]

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Sample indices with given probabilities.

    Parameters
    ----------
    weights : sequence of float
        Weights proportional to the probabilities.
    num_samples : int
    replacement : bool
        If False, each index is drawn at most once.
    generator : Generator, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> list(torch.utils.data.WeightedRandomSampler([0.0, 0.0, 2.0], 2))
    [2, 2]
    """

    def __init__(self, weights, num_samples, replacement=True, generator=None):
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(
                f"num_samples should be a positive integer value, but got num_samples={num_samples}"
            )
        if not isinstance(replacement, bool):
            raise ValueError(
                f"replacement should be a boolean value, but got replacement={replacement}"
            )
        self.weights = as_tensor(weights, dtype=_float64)
        if self.weights.dim() != 1:
            raise ValueError(
                "weights should be a 1d sequence but given weights have shape "
                f"{tuple(self.weights.shape)}"
            )
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self):
        yield from multinomial(
            self.weights, self.num_samples, self.replacement, generator=self.generator
        ).tolist()

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler[list]):
    """Group the indices of another sampler into lists.

    Parameters
    ----------
    sampler : Sampler or iterable
    batch_size : int
    drop_last : bool
        Whether to drop an incomplete last list.

    Examples
    --------
    >>> import minitorch as torch
    >>> list(torch.utils.data.BatchSampler(range(5), 2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler, batch_size, drop_last):
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(
                f"batch_size should be a positive integer value, but got batch_size={batch_size}"
            )
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self):
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self):
        full, rest = divmod(len(self.sampler), self.batch_size)
        return full + (rest > 0 and not self.drop_last)
