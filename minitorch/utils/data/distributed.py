"""The part of a dataset that one of several processes works on."""

import math

from minitorch.autograd.functions.random import randperm
from minitorch.random import Generator
from minitorch.utils.data.sampler import Sampler

__all__ = ["DistributedSampler"]


class DistributedSampler(Sampler):
    """Every so-manieth index, so that several processes share the samples.

    Parameters
    ----------
    dataset : Dataset
    num_replicas : int
        How many processes there are.
    rank : int
        Which one this is.
    shuffle : bool
        Whether the order is random: the same in all processes, another after each `set_epoch`.
    seed : int
    drop_last : bool
        Whether samples are left out, and not repeated, that all get equally many.

    Raises
    ------
    RuntimeError
        When `num_replicas` or `rank` is missing: there is no ``torch.distributed`` to ask.

    Examples
    --------
    >>> import minitorch as torch
    >>> list(torch.utils.data.DistributedSampler(range(5), 2, 1, shuffle=False))
    [1, 3, 0]
    """

    def __init__(
        self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False
    ):
        if num_replicas is None or rank is None:
            raise RuntimeError("Requires distributed package to be available")
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
        """Shuffle in another way from the next pass on.

        Parameters
        ----------
        epoch : int
        """
        self.epoch = epoch
