"""Elements that are iterated over."""

from minitorch.utils.data.datapipes.iter.callable import CollatorIterDataPipe as Collator
from minitorch.utils.data.datapipes.iter.callable import MapperIterDataPipe as Mapper
from minitorch.utils.data.datapipes.iter.combinatorics import SamplerIterDataPipe as Sampler
from minitorch.utils.data.datapipes.iter.combinatorics import ShufflerIterDataPipe as Shuffler
from minitorch.utils.data.datapipes.iter.combining import ConcaterIterDataPipe as Concater
from minitorch.utils.data.datapipes.iter.combining import ZipperIterDataPipe as Zipper
from minitorch.utils.data.datapipes.iter.grouping import BatcherIterDataPipe as Batcher
from minitorch.utils.data.datapipes.iter.grouping import UnBatcherIterDataPipe as UnBatcher
from minitorch.utils.data.datapipes.iter.selecting import FilterIterDataPipe as Filter
from minitorch.utils.data.datapipes.iter.sharding import (
    ShardingFilterIterDataPipe as ShardingFilter,
)
from minitorch.utils.data.datapipes.iter.utils import IterableWrapperIterDataPipe as IterableWrapper

__all__ = [
    "Batcher",
    "Collator",
    "Concater",
    "Filter",
    "IterableWrapper",
    "Mapper",
    "Sampler",
    "ShardingFilter",
    "Shuffler",
    "UnBatcher",
    "Zipper",
]
