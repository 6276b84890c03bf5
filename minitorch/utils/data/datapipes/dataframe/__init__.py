"""Datapipes over data frames, and data frames whose operations are recorded."""

from minitorch.core.lazy import lazy_attributes
from minitorch.utils.data.datapipes.dataframe.dataframes import CaptureDataFrame, DFIterDataPipe
from minitorch.utils.data.datapipes.dataframe.datapipes import DataFramesAsTuplesPipe

__all__ = ["CaptureDataFrame", "DFIterDataPipe", "DataFramesAsTuplesPipe"]

__getattr__ = lazy_attributes(__name__, "dataframe_wrapper", "dataframes", "datapipes")
