"""Datapipes over data frames."""

from minitorch.utils.data.datapipes._decorator import functional_datapipe
from minitorch.utils.data.datapipes.dataframe import dataframe_wrapper as df_wrapper
from minitorch.utils.data.datapipes.datapipe import IterDataPipe

__all__ = ["DataFramesAsTuplesPipe"]


@functional_datapipe("_dataframes_as_tuples")
class DataFramesAsTuplesPipe(IterDataPipe):
    """A datapipe of the rows of data frames, as tuples."""

    def __init__(self, source_datapipe):
        self.source_datapipe = source_datapipe

    def __iter__(self):
        for df in self.source_datapipe:
            yield from df_wrapper.iterate(df)
