"""Tensor parallelism, which is absent."""

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
    """Base class of parallelization styles; absent."""


class ColwiseParallel(ParallelStyle):
    """Parallelization by columns; absent."""


class RowwiseParallel(ParallelStyle):
    """Parallelization by rows; absent."""


class SequenceParallel(ParallelStyle):
    """Parallelization along the sequence dimension; absent."""


class PrepareModuleInput(ParallelStyle):
    """Preparation of a module's inputs; absent."""


class PrepareModuleOutput(ParallelStyle):
    """Preparation of a module's outputs; absent."""


parallelize_module = absent("torch.distributed.tensor.parallel.parallelize_module")
