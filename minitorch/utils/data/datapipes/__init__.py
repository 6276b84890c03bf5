"""Datasets that are chained: each element of a chain takes from the one before it.

The elements that wrap, map, filter, batch, shuffle, concatenate, zip and shard are here; those that read
files, fork, and group by keys are not.
"""

from minitorch.utils.data.datapipes import iter, map

__all__ = ["iter", "map"]
