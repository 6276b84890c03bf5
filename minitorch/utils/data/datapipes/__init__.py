"""Datapipes: datasets that are chained, so that each reads from the one before it.

`iter` has the iterable datapipes, `map` those with access by index, and `dataframe` those over
data frames.
"""

from minitorch.namespace.lazy_modules import lazy_modules
from minitorch.utils.data.datapipes import iter, map, utils

__all__ = ["iter", "map", "utils"]

__getattr__ = lazy_modules(__name__, "dataframe")
