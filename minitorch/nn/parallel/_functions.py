"""Differentiable transfers between devices; none accepts tensors on the CPU."""

from minitorch.autograd.function import Function
from minitorch.nn.parallel import comm

__all__ = ["Broadcast", "Gather", "ReduceAddCoalesced", "Scatter"]


class _Recorded(Function):
    @staticmethod
    def backward(ctx, *grad_outputs):
        raise NotImplementedError(
            "gradients between devices: minitorch has tensors on the CPU only"
        )


class Broadcast(_Recorded):
    """Copies tensors to each device."""

    @staticmethod
    def forward(ctx, target_gpus, *inputs):
        """Raise AssertionError for tensors on the CPU."""
        if inputs:
            raise AssertionError("Broadcast function not implemented for CPU tensors")
        return ()


class ReduceAddCoalesced(_Recorded):
    """Sums tensors over the devices."""

    @staticmethod
    def forward(ctx, destination, num_inputs, *grads):
        """Raise AssertionError for tensors on the CPU."""
        groups = [grads[i : i + num_inputs] for i in range(0, len(grads), num_inputs)]
        return comm.reduce_add_coalesced(groups, destination)


class Gather(_Recorded):
    """Concatenates the parts on all devices."""

    @staticmethod
    def forward(ctx, target_device, dim, *inputs):
        """Raise AssertionError for tensors on the CPU."""
        if inputs:
            raise AssertionError("Gather function not implemented for CPU tensors")
        return comm.gather(inputs, dim, target_device)


class Scatter(_Recorded):
    """Splits a tensor over the devices."""

    @staticmethod
    def forward(ctx, target_gpus, chunk_sizes, dim, input):
        """Raise NotImplementedError, since there are no devices."""
        return comm.scatter(input, target_gpus, chunk_sizes, dim)
