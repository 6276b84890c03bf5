"""Splitting of inputs over devices and concatenation of results, for at most one device."""

from minitorch._tensor import Tensor

__all__ = ["gather", "scatter", "scatter_kwargs"]


def _one(devices):
    if len(devices) > 1:
        raise RuntimeError("minitorch has tensors on the CPU only")
    return list(devices)


def scatter(inputs, target_gpus, dim=0):
    """Return the inputs for each device; a single device gets all of them."""
    return [inputs for _ in _one(target_gpus)]


def scatter_kwargs(inputs, kwargs, target_gpus, dim=0):
    """Return the positional and the keyword arguments for each device."""
    return tuple(scatter(inputs, target_gpus, dim)), tuple(scatter(kwargs or {}, target_gpus, dim))


def gather(outputs, target_device, dim=0):
    """Combine the results of all devices: concatenate tensors, and combine containers by item."""
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
