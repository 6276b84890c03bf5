"""Datasets that are chained: each element of a chain takes from the one before it.

`iter` has those that are iterated over, `map` those that are asked by index; the elements of data
frames are not here.
"""

from minitorch.namespace.lazy_modules import lazy_modules
from minitorch.utils.data.datapipes import iter, map, utils

__all__ = ["iter", "map", "utils"]

__getattr__ = lazy_modules(__name__, "dataframe")
