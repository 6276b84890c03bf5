"""Datasets, samplers, and the loader that makes batches of them."""

from minitorch.utils.data.dataset import (
    ChainDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    StackDataset,
    Subset,
    TensorDataset,
    random_split,
)
from minitorch.utils.data.sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)

# they need the names above
from minitorch.utils.data._utils.fetch import _DatasetKind  # isort: skip
from minitorch.utils.data.dataloader import (  # isort: skip
    DataLoader,
    default_collate,
    default_convert,
    get_worker_info,
)
from minitorch.utils.data.datapipes.datapipe import (  # isort: skip
    DataChunk,
    IterDataPipe,
    MapDataPipe,
    functional_datapipe,
)
from minitorch.utils.data.distributed import DistributedSampler  # isort: skip

__all__ = [
    "BatchSampler",
    "ChainDataset",
    "ConcatDataset",
    "DataChunk",
    "DataLoader",
    "Dataset",
    "DistributedSampler",
    "IterDataPipe",
    "IterableDataset",
    "MapDataPipe",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "StackDataset",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "WeightedRandomSampler",
    "_DatasetKind",
    "default_collate",
    "default_convert",
    "functional_datapipe",
    "get_worker_info",
    "random_split",
]
