"""`GradBucket`: the gradients that a communication hook reduces."""

__all__ = ["GradBucket"]


class GradBucket:
    """The gradients of one bucket, which `DistributedDataParallel` passes to its communication hook.

    Notes
    -----
    Only `DistributedDataParallel` makes buckets. PyTorch's counterpart is ``torch.distributed.GradBucket``.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
    >>> dist.init_process_group("mpi")
    >>> def describe_and_average(state, bucket: dist.GradBucket):
    ...     print(bucket.index(), bucket.buffer(), bucket.is_last())
    ...     return allreduce_hook(state, bucket)
    >>> model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 1))
    >>> model.register_comm_hook(None, describe_and_average)
    >>> model(torch.ones(1, 2)).sum().backward()
    0 tensor([1., 1., 1.]) True
    >>> dist.destroy_process_group()
    """

    def __init__(self, bucket, is_last):
        self._bucket = bucket
        self._is_last = is_last

    def index(self):
        """Return the number of the bucket; buckets are reduced in the order of their numbers."""
        return self._bucket.number

    def buffer(self):
        """Return the flat tensor with all gradients of the bucket."""
        return self._bucket.flat

    def gradients(self):
        """Return the gradients, views of `buffer`, in the order of `parameters`."""
        return list(self._bucket.views)

    def parameters(self):
        """Return the parameters that the gradients belong to."""
        return list(self._bucket.parameters)

    def is_last(self):
        """Return whether this is the last bucket of the step."""
        return self._is_last

    def set_buffer(self, buffer):
        """Replace the flat tensor.

        Parameters
        ----------
        buffer : Tensor
        """
        self._bucket.flat = buffer
        self._bucket.views = self._bucket.split(buffer)
