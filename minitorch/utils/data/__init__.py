"""Datasets, samplers and the `DataLoader`."""

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

# these modules import the names above
from minitorch.utils.data._utils.fetch import _DatasetKind  # isort: skip
from minitorch.utils.data.dataloader import (  # isort: skip
    DataLoader,
    default_collate,
    default_convert,
    get_worker_info,
)
from minitorch.utils.data.datapipes._decorator import (  # isort: skip
    argument_validation,
    functional_datapipe,
    guaranteed_datapipes_determinism,
    non_deterministic,
    runtime_validation,
    runtime_validation_disabled,
)
from minitorch.utils.data.datapipes.datapipe import (  # isort: skip
    DataChunk,
    DFIterDataPipe,
    IterDataPipe,
    MapDataPipe,
)
from minitorch.utils.data.distributed import DistributedSampler  # isort: skip

__all__ = [
    "DFIterDataPipe",
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
    "argument_validation",
    "default_collate",
    "default_convert",
    "functional_datapipe",
    "get_worker_info",
    "guaranteed_datapipes_determinism",
    "non_deterministic",
    "random_split",
    "runtime_validation",
    "runtime_validation_disabled",
]
