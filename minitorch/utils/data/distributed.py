"""A sampler that divides a dataset between several processes."""

import math

from minitorch.autograd.functions.random import randperm
from minitorch.random import Generator
from minitorch.utils.data.sampler import Sampler

__all__ = ["DistributedSampler"]


class DistributedSampler(Sampler):
    """Sample every `num_replicas`-th index, so that each process gets different samples.

    Parameters
    ----------
    dataset : Dataset
    num_replicas : int, optional
        The number of processes; that of the default process group if not given.
    rank : int, optional
        The index of this process; its rank in the default process group if not given.
    shuffle : bool
        Whether to shuffle, with the same order in all processes and a new one after each
        `set_epoch`.
    seed : int
    drop_last : bool
        Whether to drop samples, instead of repeating some, so that all processes get equally many.

    Raises
    ------
    ValueError
        If `num_replicas` or `rank` is missing and there is no process group, or if `rank` is not smaller than
        `num_replicas`.

    Examples
    --------
    >>> import minitorch as torch
    >>> list(torch.utils.data.DistributedSampler(range(5), 2, 1, shuffle=False))
    [1, 3, 0]
    """

    def __init__(
        self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False
    ):
        # only here are process groups needed
        from minitorch.distributed.distributed_c10d import get_rank, get_world_size

        if num_replicas is None:
            num_replicas = get_world_size()
        if rank is None:
            rank = get_rank()
        if rank >= num_replicas or rank < 0:
            raise ValueError(
                f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]"
            )
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.epoch = 0
        self.drop_last = drop_last
        count = len(dataset)
        if drop_last and count % num_replicas:
            count -= num_replicas
        self.num_samples = math.ceil(count / num_replicas)
        self.total_size = self.num_samples * num_replicas
        self.shuffle = shuffle
        self.seed = seed

    def __iter__(self):
        count = len(self.dataset)
        if self.shuffle:
            generator = Generator().manual_seed(self.seed + self.epoch)
            indices = randperm(count, generator=generator).tolist()
        else:
            indices = list(range(count))
        if not self.drop_last and indices:
            indices *= math.ceil(self.total_size / count)
        indices = indices[: self.total_size]
        if len(indices) != self.total_size:
            raise AssertionError(
                f"Number of indices ({len(indices)}) does not match total_size ({self.total_size})"
            )
        return iter(indices[self.rank :: self.num_replicas])

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        """Set the epoch, which determines the shuffled order of the next pass.

        Parameters
        ----------
        epoch : int
        """
        self.epoch = epoch
