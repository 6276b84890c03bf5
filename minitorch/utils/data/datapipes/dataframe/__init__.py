"""Pipes over tables, and tables whose operations are recorded."""

from minitorch.utils.data.datapipes.dataframe.dataframes import CaptureDataFrame, DFIterDataPipe
from minitorch.utils.data.datapipes.dataframe.datapipes import DataFramesAsTuplesPipe

__all__ = ["CaptureDataFrame", "DFIterDataPipe", "DataFramesAsTuplesPipe"]
