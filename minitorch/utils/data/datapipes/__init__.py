"""Datapipes: datasets that are chained, so that each reads from the one before it.

`iter` has the iterable datapipes, `map` those with access by index, and `dataframe` those over
data frames.
"""

from minitorch.core.lazy import lazy_attributes
from minitorch.utils.data.datapipes import iter, map, utils

__all__ = ["iter", "map", "utils"]

__getattr__ = lazy_attributes(__name__, "dataframe")
