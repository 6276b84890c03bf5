"""Iterators of a `DataLoader`: their base class, and the one that builds batches in this process."""

import warnings

from minitorch.autograd.observe.profiled_blocks import named_block
from minitorch.random import Generator
from minitorch.utils.data._utils.fetch import _DatasetKind
from minitorch.utils.data.datapipes.datapipe import IterDataPipe
from minitorch.utils.data.graph_settings import apply_random_seed
from minitorch.utils.data.sampler import random_seed


class _BaseDataLoaderIter:
    """One pass over the dataset of a loader."""

    def __init__(self, loader):
        self._dataset = loader.dataset
        self._dataset_kind = loader._dataset_kind
        self._IterableDataset_len_called = loader._IterableDataset_len_called
        self._auto_collation = loader._auto_collation
        self._drop_last = loader.drop_last
        self._index_sampler = loader._index_sampler
        self._num_workers = loader.num_workers
        if loader.pin_memory:
            if loader.pin_memory_device:
                warnings.warn(
                    "pin_memory_device is deprecated, the current accelerator will be used as the "
                    f"device,ignore pin_memory_device='{loader.pin_memory_device}'.",
                    stacklevel=4,
                )
            warnings.warn(
                "'pin_memory' argument is set as true but no accelerator is found, then device pinned "
                "memory won't be used.",
                stacklevel=4,
            )
        self._timeout = loader.timeout
        self._collate_fn = loader.collate_fn
        self._sampler_iter = iter(self._index_sampler)
        self._share_seed(loader)
        self._base_seed = random_seed(loader.generator)
        self._persistent_workers = loader.persistent_workers
        self._num_yielded = 0
        self._profile_name = f"enumerate(DataLoader)#{type(self).__name__}.__next__"

    def __iter__(self):
        return self

    def _share_seed(self, loader):
        """Seed the random pipes of a chain with a seed that all workers share."""
        self._shared_seed = None
        if isinstance(self._dataset, IterDataPipe):
            self._shared_seed = random_seed(loader.generator)
            apply_random_seed(self._dataset, Generator().manual_seed(self._shared_seed))

    def _reset(self, loader, first_iter=False):
        self._sampler_iter = iter(self._index_sampler)
        self._num_yielded = 0
        self._IterableDataset_len_called = loader._IterableDataset_len_called
        self._share_seed(loader)

    def _next_index(self):
        return next(self._sampler_iter)

    def _next_data(self):
        raise NotImplementedError

    def __next__(self):
        with named_block(self._profile_name):
            data = self._next_data()
        self._num_yielded += 1
        length = self._IterableDataset_len_called
        if (
            self._dataset_kind == _DatasetKind.Iterable
            and length is not None
            and self._num_yielded > length
        ):
            text = (
                f"Length of IterableDataset {self._dataset} was reported to be {length}(when accessing "
                f"len(dataloader)), but {self._num_yielded} samples have been fetched. "
            )
            if self._num_workers > 0:
                text += (
                    "For multiprocessing data-loading, this could be caused by not properly configuring "
                    "the IterableDataset replica at each worker. Please see "
                    "https://pytorch.org/docs/stable/data.html#torch.utils.data.IterableDataset for "
                    "examples."
                )
            warnings.warn(text, stacklevel=2)
        return data

    def __len__(self):
        return len(self._index_sampler)

    def __getstate__(self):
        raise NotImplementedError("{} cannot be pickled", type(self).__name__)


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """Build the batches in this process."""

    def __init__(self, loader):
        super().__init__(loader)
        if self._timeout != 0:
            raise AssertionError("_SingleProcessDataLoaderIter requires timeout == 0")
        self._dataset_fetcher = _DatasetKind.create_fetcher(
            self._dataset_kind,
            self._dataset,
            self._auto_collation,
            self._collate_fn,
            self._drop_last,
        )

    def _next_data(self):
        return self._dataset_fetcher.fetch(self._next_index())
