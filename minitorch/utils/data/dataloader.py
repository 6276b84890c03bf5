"""`DataLoader`: iterates over a dataset in batches, in this process or with workers."""

import math
import os
import warnings
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from minitorch.core.lazy import lazy_attributes
from minitorch.utils.data import _utils as _utils  # programs import it from here
from minitorch.utils.data._iterators import (
    _BaseDataLoaderIter,  # noqa: F401 - programs import it from here
    _SingleProcessDataLoaderIter,
)
from minitorch.utils.data._utils.collate import default_collate, default_convert
from minitorch.utils.data._utils.fetch import _DatasetKind
from minitorch.utils.data._utils.worker import get_worker_info
from minitorch.utils.data.datapipes.datapipe import (
    IterDataPipe,
    MapDataPipe,
    _IterDataPipeSerializationWrapper,
    _MapDataPipeSerializationWrapper,
)
from minitorch.utils.data.dataset import IterableDataset
from minitorch.utils.data.graph_settings import apply_shuffle_settings
from minitorch.utils.data.sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
)

__all__ = ["DataLoader", "default_collate", "default_convert", "get_worker_info"]

_T_co = TypeVar("_T_co", covariant=True)

# attributes that cannot be changed after construction
_FIXED = frozenset(
    ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")
)
_collate_fn_t = Callable[[list[Any]], Any]  # for annotations in other packages


def _processors():
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count()


__getattr__ = lazy_attributes(
    __name__, names={"_MultiProcessingDataLoaderIter": "minitorch.utils.data._multiprocessing"}
)


class _InfiniteConstantSampler(Sampler):
    """An endless sampler of None, for datasets without indices."""

    def __iter__(self):
        while True:
            yield None


class DataLoader(Generic[_T_co]):
    """Iterate over a dataset in batches; each ``iter()`` is one pass.

    With the same seed, batches equal PyTorch's. Each pass draws one number from `generator` for the
    seeds of the workers, and one more if it shuffles without a `generator`.

    Parameters
    ----------
    dataset : Dataset or IterableDataset
        A dataset, or any object with ``__getitem__`` and ``__len__``.
    batch_size : int, optional
        The batch size. None yields single samples.
    shuffle : bool
        Whether to draw the samples in a new random order in each pass.
    sampler : Sampler or iterable, optional
        The order of the indices.
    batch_sampler : Sampler or iterable, optional
        The batches as lists of indices.
    num_workers : int
        The number of worker processes; 0 builds batches in this process.
    collate_fn : callable, optional
        A function that builds a batch from a list of samples. By default `default_collate`, or
        `default_convert` for single samples.
    pin_memory : bool
        Ignored with a warning, since there is no accelerator.
    drop_last : bool
        Whether to drop an incomplete last batch.
    timeout : float
        The number of seconds to wait for a batch from the workers before raising RuntimeError; 0
        waits forever.
    worker_init_fn : callable, optional
        A function called in each worker with its index.
    multiprocessing_context : str or context, optional
        The start method of the workers: ``"fork"``, ``"spawn"`` or ``"forkserver"``.
    generator : Generator, optional
    prefetch_factor : int, optional
        The number of batches each worker builds in advance. Default: 2.
    pin_memory_device : str
        Ignored, like `pin_memory`.
    persistent_workers : bool
        Whether to keep the workers alive after a pass.
    in_order : bool
        Whether to return batches in order. If False, return them as they arrive.

    Raises
    ------
    ValueError
        For arguments that exclude each other.

    Examples
    --------
    >>> import minitorch as torch
    >>> data = torch.utils.data.TensorDataset(torch.arange(5))
    >>> for (x,) in torch.utils.data.DataLoader(data, batch_size=2):
    ...     print(x)
    tensor([0, 1])
    tensor([2, 3])
    tensor([4])
    """

    __initialized = False  # subclasses reset it by its mangled name to change attributes in _FIXED

    def __init__(
        self,
        dataset,
        batch_size=1,
        shuffle=None,
        sampler=None,
        batch_sampler=None,
        num_workers=0,
        collate_fn=None,
        pin_memory=False,
        drop_last=False,
        timeout=0,
        worker_init_fn=None,
        multiprocessing_context=None,
        generator=None,
        *,
        prefetch_factor=None,
        persistent_workers=False,
        pin_memory_device="",
        in_order=True,
    ):
        if num_workers < 0:
            raise ValueError(
                "num_workers option should be non-negative; use num_workers=0 to disable "
                "multiprocessing."
            )
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError(
                "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to "
                "enable multiprocessing, otherwise set prefetch_factor to None."
            )
        if prefetch_factor is None and num_workers > 0:
            prefetch_factor = 2
        elif prefetch_factor is not None and prefetch_factor < 0:
            raise ValueError("prefetch_factor option should be non-negative")
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order
        if isinstance(dataset, IterDataPipe):
            # as in PyTorch, a `Shuffler` added here is not iterated over
            apply_shuffle_settings(dataset, shuffle)
            shuffle = None
            self.dataset = _IterDataPipeSerializationWrapper(dataset)
        elif isinstance(dataset, MapDataPipe):
            self.dataset = dataset = _MapDataPipeSerializationWrapper(dataset)
        iterable = isinstance(dataset, IterableDataset)
        self._dataset_kind = _DatasetKind.Iterable if iterable else _DatasetKind.Map
        _check_exclusive(iterable, batch_size, shuffle, sampler, batch_sampler, drop_last)
        if batch_sampler is not None:
            batch_size, drop_last = None, False
        if sampler is None:
            if iterable:
                sampler = _InfiniteConstantSampler()
            elif shuffle:
                sampler = RandomSampler(dataset, generator=generator)
            else:
                sampler = SequentialSampler(dataset)
        if batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        if collate_fn is None:
            collate_fn = default_collate if self._auto_collation else default_convert
        self.collate_fn = collate_fn
        self.persistent_workers = persistent_workers
        self._IterableDataset_len_called = None
        self._iterator = None
        self.check_worker_number_rationality()
        self.__initialized = True

    def __setattr__(self, name, value):
        if self.__initialized and name in _FIXED:
            raise ValueError(
                f"{name} attribute should not be set after {type(self).__name__} is initialized"
            )
        super().__setattr__(name, value)

    @property
    def multiprocessing_context(self):
        """The `multiprocessing` context that starts workers, or None for the default."""
        return self._multiprocessing_context

    @multiprocessing_context.setter
    def multiprocessing_context(self, context):
        if context is not None and self.num_workers == 0:
            raise ValueError(
                "multiprocessing_context can only be used with multi-process loading (num_workers > 0), "
                f"but got num_workers={self.num_workers}"
            )
        if context is not None:
            import multiprocessing
        if isinstance(context, str):
            methods = multiprocessing.get_all_start_methods()
            if context not in methods:
                raise ValueError(
                    "multiprocessing_context option should specify a valid start method in "
                    f"{methods!r}, but got multiprocessing_context={context!r}"
                )
            context = multiprocessing.get_context(context)
        if context is not None and not isinstance(context, multiprocessing.context.BaseContext):
            raise TypeError(
                "multiprocessing_context option should be a valid context object or a string specifying "
                f"the start method, but got multiprocessing_context={context}"
            )
        self._multiprocessing_context = context

    def _get_iterator(self):
        if self.num_workers == 0:
            return _SingleProcessDataLoaderIter(self)
        from minitorch.utils.data._multiprocessing import _MultiProcessingDataLoaderIter

        self.check_worker_number_rationality()
        return _MultiProcessingDataLoaderIter(self)

    def __iter__(self):
        if not self.persistent_workers:
            return self._get_iterator()
        if self._iterator is None:
            self._iterator = self._get_iterator()
        else:
            self._iterator._reset(self)
        return self._iterator

    @property
    def _auto_collation(self):
        return self.batch_sampler is not None

    @property
    def _index_sampler(self):
        return self.batch_sampler if self._auto_collation else self.sampler

    def __len__(self):
        if self._dataset_kind == _DatasetKind.Map:
            return len(self._index_sampler)
        length = self._IterableDataset_len_called = len(self.dataset)
        if self.batch_size is None:
            return length
        if self.drop_last:
            return length // self.batch_size
        return math.ceil(length / self.batch_size)

    def check_worker_number_rationality(self):
        """Warn if there are more workers than processors."""
        if not self.num_workers:
            return
        processors = _processors()
        if processors is not None and self.num_workers <= processors:
            return
        suggestion = (
            "DataLoader is not able to compute a suggested max number of worker in current system."
            if processors is None
            else "Our suggested max number of worker in current system is "
            f"{processors}{'' if hasattr(os, 'sched_getaffinity') else ' (`cpuset` is not taken into account)'}"
            ", which is smaller than what this DataLoader is going to create."
        )
        warnings.warn(
            f"This DataLoader will create {self.num_workers} worker processes in total. {suggestion} "
            "Please be aware that excessive worker creation might get DataLoader running slow or even "
            "freeze, lower the worker number to avoid potential slowness/freeze if necessary.",
            stacklevel=3,
        )


def _check_exclusive(iterable, batch_size, shuffle, sampler, batch_sampler, drop_last):
    if iterable:
        what = "DataLoader with IterableDataset: expected unspecified"
        if shuffle not in (False, None):
            raise ValueError(f"{what} shuffle option, but got shuffle={shuffle}")
        if sampler is not None:
            raise ValueError(f"{what} sampler option, but got sampler={sampler}")
        if batch_sampler is not None:
            raise ValueError(f"{what} batch_sampler option, but got batch_sampler={batch_sampler}")
    if sampler is not None and shuffle:
        raise ValueError("sampler option is mutually exclusive with shuffle")
    if batch_sampler is not None:
        if batch_size != 1 or shuffle or sampler is not None or drop_last:
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and "
                "drop_last"
            )
    elif batch_size is None and drop_last:
        raise ValueError(
            "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
        )
