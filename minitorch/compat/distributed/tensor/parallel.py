"""Modules whose parameters are spread over processes."""

from minitorch.namespace.absent import Absent, absent

__all__ = [
    "ColwiseParallel",
    "ParallelStyle",
    "PrepareModuleInput",
    "PrepareModuleOutput",
    "RowwiseParallel",
    "SequenceParallel",
    "parallelize_module",
]


class ParallelStyle(Absent):
    """How a module's parameters are spread."""


class ColwiseParallel(ParallelStyle):
    """By columns."""


class RowwiseParallel(ParallelStyle):
    """By rows."""


class SequenceParallel(ParallelStyle):
    """The activations along the sequence."""


class PrepareModuleInput(ParallelStyle):
    """The inputs before a module."""


class PrepareModuleOutput(ParallelStyle):
    """The outputs after a module."""


parallelize_module = absent("torch.distributed.tensor.parallel.parallelize_module")
