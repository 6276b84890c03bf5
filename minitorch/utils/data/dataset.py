"""Datasets: map-style (`Dataset`) and iterable-style (`IterableDataset`)."""

import bisect
import itertools
import math
import warnings
from collections.abc import Iterable
from typing import Generic, TypeVar

from minitorch.autograd.functions.random import randperm
from minitorch.random import default_generator

__all__ = [
    "ChainDataset",
    "ConcatDataset",
    "Dataset",
    "IterableDataset",
    "StackDataset",
    "Subset",
    "TensorDataset",
    "random_split",
]

_T_co = TypeVar("_T_co", covariant=True)


class Dataset(Generic[_T_co]):
    """A map-style dataset. Subclasses define ``__getitem__`` and usually ``__len__``.

    A subclass may also define ``__getitems__(indices)``, which returns a list of samples.

    A sample may have any type that the function `collate_fn` of the loader takes.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Squares(torch.utils.data.Dataset):
    ...     def __getitem__(self, index):
    ...         return index**2
    ...     def __len__(self):
    ...         return 4
    >>> list(torch.utils.data.DataLoader(Squares(), batch_size=2))
    [tensor([0, 1]), tensor([4, 9])]
    """

    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other):
        return ConcatDataset([self, other])

    # no default `__len__`: a dataset without a length must not have the attribute


class IterableDataset(Dataset[_T_co], Iterable[_T_co]):
    """An iterable-style dataset. Subclasses define ``__iter__``.

    Each worker of a `DataLoader` iterates over its own copy; `get_worker_info` identifies the
    worker.

    A sample may have any type.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Count(torch.utils.data.IterableDataset):
    ...     def __iter__(self):
    ...         return iter(range(3))
    >>> list(torch.utils.data.DataLoader(Count(), batch_size=2))
    [tensor([0, 1]), tensor([2])]
    """

    def __add__(self, other):
        return ChainDataset([self, other])


class TensorDataset(Dataset):
    """A dataset of tensor rows: sample `index` is the tuple of row `index` of each tensor.

    Parameters
    ----------
    *tensors : Tensor
        Tensors with the same size in the first dimension.

    Examples
    --------
    >>> import minitorch as torch
    >>> data = torch.utils.data.TensorDataset(torch.arange(3), torch.ones(3))
    >>> data[1]
    (tensor(1), tensor(1.))
    """

    def __init__(self, *tensors):
        if any(tensors[0].size(0) != tensor.size(0) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return self.tensors[0].size(0)


class StackDataset(Dataset):
    """Several datasets in parallel: a sample is the tuple, or the dict, of their samples.

    The index is an int below the common length.

    Parameters
    ----------
    *args, **kwargs : Dataset
        Either positional or keyword arguments; datasets of the same length.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.utils.data.StackDataset(x=[1, 2], y=[3, 4])[1]
    {'x': 2, 'y': 4}
    """

    def __init__(self, *args, **kwargs):
        if args and kwargs:
            raise ValueError(
                "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like "
                "input/output, but both types are given."
            )
        if not args and not kwargs:
            raise ValueError("At least one dataset should be passed")
        parts = args or list(kwargs.values())
        self._length = len(parts[0])
        if any(len(part) != self._length for part in parts):
            raise ValueError("Size mismatch between datasets")
        self.datasets = args or kwargs

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __getitems__(self, indices):
        if isinstance(self.datasets, dict):
            columns = [_items(dataset, indices) for dataset in self.datasets.values()]
            return [
                dict(zip(self.datasets, row, strict=True)) for row in zip(*columns, strict=True)
            ]
        return list(zip(*(_items(dataset, indices) for dataset in self.datasets), strict=True))

    def __len__(self):
        return self._length


def _items(dataset, indices):
    if not callable(getattr(dataset, "__getitems__", None)):
        return [dataset[index] for index in indices]
    items = dataset.__getitems__(indices)
    if len(items) != len(indices):
        raise ValueError(
            f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(items)}"
        )
    return items


class ConcatDataset(Dataset[_T_co]):
    """Several datasets in sequence.

    The index is an int below the sum of the lengths; negative ones count from the end.

    Parameters
    ----------
    datasets : iterable of Dataset

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.utils.data.ConcatDataset([[1, 2], [3]])[2]
    3
    """

    @staticmethod
    def cumsum(sequence):
        """Return the cumulative lengths of the datasets."""
        return list(itertools.accumulate(len(part) for part in sequence))

    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, index):
        if index < 0:
            if -index > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            index += len(self)
        part = bisect.bisect_right(self.cumulative_sizes, index)
        before = self.cumulative_sizes[part - 1] if part else 0
        return self.datasets[part][index - before]

    @property
    def cummulative_sizes(self):
        """The old spelling of `cumulative_sizes`; deprecated."""
        warnings.warn(
            "`cummulative_sizes` attribute is renamed to `cumulative_sizes`",
            FutureWarning,
            stacklevel=2,
        )
        return self.cumulative_sizes


class ChainDataset(IterableDataset):
    """Several iterable datasets in sequence.

    A sample may have any type. The length is the sum of the lengths, if each dataset has one.

    Parameters
    ----------
    datasets : iterable of IterableDataset

    Examples
    --------
    >>> import minitorch as torch
    >>> class Count(torch.utils.data.IterableDataset):
    ...     def __iter__(self):
    ...         return iter(range(2))
    >>> list(torch.utils.data.ChainDataset([Count(), Count()]))
    [0, 1, 0, 1]
    """

    def __init__(self, datasets):
        self.datasets = datasets

    def _checked(self):
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield dataset

    def __iter__(self):
        for dataset in self._checked():
            yield from dataset

    def __len__(self):
        return sum(len(dataset) for dataset in self._checked())


class Subset(Dataset[_T_co]):
    """A subset of a dataset, given by indices.

    Parameters
    ----------
    dataset : Dataset
    indices : sequence of int

    Raises
    ------
    NotImplementedError
        For a subclass that overrides only ``__getitem__``, since a `DataLoader` calls
        ``__getitems__``.

    Examples
    --------
    >>> import minitorch as torch
    >>> list(torch.utils.data.Subset("abc", [2, 0]))
    ['c', 'a']
    """

    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices
        cls = type(self)
        if cls.__getitem__ is not Subset.__getitem__ and cls.__getitems__ is Subset.__getitems__:
            raise NotImplementedError(
                f"{cls.__name__} overrides __getitem__ but not __getitems__. When subclassing Subset and "
                "overriding __getitem__, you must also override __getitems__ to ensure DataLoader works "
                "correctly with your custom logic. A simple implementation:\n\n"
                "def __getitems__(self, indices):\n"
                "    return [self.__getitem__(idx) for idx in indices]"
            )

    def __getitem__(self, index):
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __getitems__(self, indices):
        wanted = [self.indices[index] for index in indices]
        if callable(getattr(self.dataset, "__getitems__", None)):
            return self.dataset.__getitems__(wanted)
        return [self.dataset[index] for index in wanted]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=default_generator):
    """Split a dataset into random parts.

    Parameters
    ----------
    dataset : Dataset
    lengths : sequence of int or of float
        The length of each part, or its fraction of the samples. Samples left over by rounding
        fractions are given to the first parts, one each.
    generator : Generator, optional

    Returns
    -------
    list of Subset

    Examples
    --------
    >>> import minitorch as torch
    >>> parts = torch.utils.data.random_split(range(10), [0.7, 0.3], torch.Generator().manual_seed(0))
    >>> [list(part) for part in parts]
    [[4, 1, 7, 5, 3, 9, 0], [8, 6, 2]]
    """
    total = sum(lengths)
    if math.isclose(total, 1) and total <= 1:
        lengths = _lengths_of_fractions(len(dataset), lengths)
        total = sum(lengths)
    if total != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    indices = randperm(total, generator=generator).tolist()
    return [
        Subset(dataset, indices[end - length : end])
        for end, length in zip(itertools.accumulate(lengths), lengths, strict=True)
    ]


def _lengths_of_fractions(count, fractions):
    lengths = []
    for index, fraction in enumerate(fractions):
        if not 0 <= fraction <= 1:
            raise ValueError(f"Fraction at index {index} is not between 0 and 1")
        lengths.append(math.floor(count * fraction))
    for index in range(count - sum(lengths)):
        lengths[index % len(lengths)] += 1
    for index, length in enumerate(lengths):
        if length == 0:
            warnings.warn(
                f"Length of split at index {index} is 0. This might result in an empty dataset.",
                stacklevel=3,
            )
    return lengths
