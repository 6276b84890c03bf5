"""Inputs divided over devices, and results brought together: there is one device, or none."""

from minitorch._tensor import Tensor

__all__ = ["gather", "scatter", "scatter_kwargs"]


def _one(devices):
    if len(devices) > 1:
        raise RuntimeError("minitorch has tensors on the CPU only")
    return list(devices)


def scatter(inputs, target_gpus, dim=0):
    """The inputs for each device: for the only one, all of them."""
    return [inputs for _ in _one(target_gpus)]


def scatter_kwargs(inputs, kwargs, target_gpus, dim=0):
    """The positional inputs for each device, and those by name."""
    return tuple(scatter(inputs, target_gpus, dim)), tuple(scatter(kwargs or {}, target_gpus, dim))


def gather(outputs, target_device, dim=0):
    """The results of all devices as one: tensors put together, containers by their parts."""
    first = outputs[0]
    if isinstance(first, Tensor):
        from minitorch.autograd.functions.tensor_methods import cat, stack

        return cat(outputs, dim) if first.dim() else stack(outputs)
    if first is None:
        return None
    if isinstance(first, dict):
        return {
            key: gather([output[key] for output in outputs], target_device, dim) for key in first
        }
    parts = (gather(part, target_device, dim) for part in zip(*outputs, strict=True))
    return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
