"""A datapipe that yields a shard of the elements in each worker."""

from enum import IntEnum

from minitorch.utils.data.datapipes._decorator import functional_datapipe
from minitorch.utils.data.datapipes.datapipe import IterDataPipe
from minitorch.utils.data.datapipes.utils.common import length_of

__all__ = ["SHARDING_PRIORITIES", "ShardingFilterIterDataPipe"]


class SHARDING_PRIORITIES(IntEnum):
    """The groups that shard: distributed processes first, then the worker processes of each."""

    DEFAULT = 1
    DISTRIBUTED = 2
    MULTIPROCESSING = 3


class _ShardingIterDataPipe(IterDataPipe):
    """A datapipe that can be restricted to one shard."""

    def apply_sharding(self, num_of_instances, instance_id, sharding_group):
        """Set the number of shards and the index of this one."""
        raise NotImplementedError


@functional_datapipe("sharding_filter")
class ShardingFilterIterDataPipe(_ShardingIterDataPipe):
    """A datapipe of every n-th element, with a different first element in each shard.

    Parameters
    ----------
    source_datapipe : IterDataPipe
    sharding_group_filter : SHARDING_PRIORITIES, optional
        The group whose sharding is applied; by default that of all groups.

    Examples
    --------
    >>> from minitorch.utils.data.datapipes.iter import IterableWrapper
    >>> part = IterableWrapper(range(5)).sharding_filter()
    >>> part.apply_sharding(2, 1)
    >>> list(part)
    [1, 3]
    """

    def __init__(self, source_datapipe, sharding_group_filter=None):
        super().__init__()
        self.source_datapipe = source_datapipe
        self.sharding_group_filter = sharding_group_filter
        self.groups = {}
        self._update_num_of_instances()

    def apply_sharding(
        self, num_of_instances, instance_id, sharding_group=SHARDING_PRIORITIES.DEFAULT
    ):
        """Set the number of shards of a group and the index of this one.

        Raises
        ------
        ValueError
            If the index is not below the number of shards.
        RuntimeError
            If the default group is mixed with another one.
        """
        if instance_id >= num_of_instances:
            raise ValueError(
                f"instance_id({instance_id}) should be smaller than num_of_instances({num_of_instances})"
            )
        default = SHARDING_PRIORITIES.DEFAULT
        if self.groups and (sharding_group == default) != (default in self.groups):
            raise RuntimeError("ShardingFilter cannot mix DEFAULT and non DEFAULT groups")
        self.groups[sharding_group] = (num_of_instances, instance_id)
        self._update_num_of_instances()

    def _update_num_of_instances(self):
        self.num_of_instances = 1
        self.instance_id = 0
        for group in sorted(self.groups, reverse=True):
            if self.sharding_group_filter in (None, group):
                count, number = self.groups[group]
                self.instance_id += self.num_of_instances * number
                self.num_of_instances *= count

    def __iter__(self):
        for k, element in enumerate(self.source_datapipe):
            if k % self.num_of_instances == self.instance_id:
                yield element

    def __len__(self):
        full, rest = divmod(length_of(self, self.source_datapipe), self.num_of_instances)
        return full + (self.instance_id < rest)
