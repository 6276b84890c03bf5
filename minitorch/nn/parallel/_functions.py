"""The recorded ways between devices: a tensor on the CPU takes none of them."""

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
    """Copies of tensors on each device."""

    @staticmethod
    def forward(ctx, target_gpus, *inputs):
        """Raises AssertionError for tensors on the CPU."""
        if inputs:
            raise AssertionError("Broadcast function not implemented for CPU tensors")
        return ()


class ReduceAddCoalesced(_Recorded):
    """Sums of what is on each device."""

    @staticmethod
    def forward(ctx, destination, num_inputs, *grads):
        """Raises AssertionError for tensors on the CPU."""
        groups = [grads[i : i + num_inputs] for i in range(0, len(grads), num_inputs)]
        return comm.reduce_add_coalesced(groups, destination)


class Gather(_Recorded):
    """One tensor of the parts on each device."""

    @staticmethod
    def forward(ctx, target_device, dim, *inputs):
        """Raises AssertionError for tensors on the CPU."""
        if inputs:
            raise AssertionError("Gather function not implemented for CPU tensors")
        return comm.gather(inputs, dim, target_device)


class Scatter(_Recorded):
    """A part of a tensor on each device."""

    @staticmethod
    def forward(ctx, target_gpus, chunk_sizes, dim, input):
        """Raises NotImplementedError: there are no devices."""
        return comm.scatter(input, target_gpus, chunk_sizes, dim)
