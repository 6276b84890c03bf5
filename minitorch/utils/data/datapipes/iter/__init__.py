"""Iterable datapipes."""

from minitorch.utils.data.datapipes.iter.callable import CollatorIterDataPipe as Collator
from minitorch.utils.data.datapipes.iter.callable import MapperIterDataPipe as Mapper
from minitorch.utils.data.datapipes.iter.combinatorics import SamplerIterDataPipe as Sampler
from minitorch.utils.data.datapipes.iter.combinatorics import ShufflerIterDataPipe as Shuffler
from minitorch.utils.data.datapipes.iter.combining import ConcaterIterDataPipe as Concater
from minitorch.utils.data.datapipes.iter.combining import MultiplexerIterDataPipe as Multiplexer
from minitorch.utils.data.datapipes.iter.combining import ZipperIterDataPipe as Zipper
from minitorch.utils.data.datapipes.iter.files import FileListerIterDataPipe as FileLister
from minitorch.utils.data.datapipes.iter.files import FileOpenerIterDataPipe as FileOpener
from minitorch.utils.data.datapipes.iter.files import RoutedDecoderIterDataPipe as RoutedDecoder
from minitorch.utils.data.datapipes.iter.files import StreamReaderIterDataPipe as StreamReader
from minitorch.utils.data.datapipes.iter.forking import DemultiplexerIterDataPipe as Demultiplexer
from minitorch.utils.data.datapipes.iter.forking import ForkerIterDataPipe as Forker
from minitorch.utils.data.datapipes.iter.grouping import BatcherIterDataPipe as Batcher
from minitorch.utils.data.datapipes.iter.grouping import GrouperIterDataPipe as Grouper
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
    "Demultiplexer",
    "FileLister",
    "FileOpener",
    "Filter",
    "Forker",
    "Grouper",
    "IterableWrapper",
    "Mapper",
    "Multiplexer",
    "RoutedDecoder",
    "Sampler",
    "ShardingFilter",
    "Shuffler",
    "StreamReader",
    "UnBatcher",
    "Zipper",
]
