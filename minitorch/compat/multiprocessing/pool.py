"""Python's pool of processes by PyTorch's name; tensors are arguments and results as anything else."""

from multiprocessing.pool import Pool

__all__ = ["Pool"]
