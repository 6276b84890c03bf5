"""A part of the elements for each worker."""

from minitorch.utils.data.datapipes.datapipe import IterDataPipe, functional_datapipe, length_of

__all__ = ["ShardingFilterIterDataPipe"]


@functional_datapipe("sharding_filter")
class ShardingFilterIterDataPipe(IterDataPipe):
    """Every n-th element, beginning with another one in each worker.

    Parameters
    ----------
    source_datapipe : IterDataPipe
    sharding_group_filter : object, optional
        Of no effect: there are no groups but the workers.
    """

    def __init__(self, source_datapipe, sharding_group_filter=None):
        self.source_datapipe = source_datapipe
        self.sharding_group_filter = sharding_group_filter
        self.apply_sharding(1, 0)

    def apply_sharding(self, num_of_instances, instance_id):
        """Say how many parts there are, and which one this is."""
        self.num_of_instances = num_of_instances
        self.instance_id = instance_id

    def is_shardable(self):
        """Yes."""
        return True

    def __iter__(self):
        for k, element in enumerate(self.source_datapipe):
            if k % self.num_of_instances == self.instance_id:
                yield element

    def __len__(self):
        count = length_of(self, self.source_datapipe)
        full, rest = divmod(count, self.num_of_instances)
        return full + (self.instance_id < rest)
