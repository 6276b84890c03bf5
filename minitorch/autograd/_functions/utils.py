"""Undoing what broadcasting did to a shape, for backwards that are written by hand."""

__all__ = ["maybe_unexpand", "maybe_view"]


def maybe_view(tensor, size, check_same_size=True):
    """The tensor in another shape, or itself when it has that."""
    if check_same_size and tensor.size() == size:
        return tensor
    return tensor.contiguous().view(size)


def maybe_unexpand(tensor, old_size, check_same_size=True):
    """The sum over the dimensions that broadcasting to the tensor's shape has repeated."""
    if check_same_size and tensor.size() == old_size:
        return tensor
    return tensor.sum_to_size(old_size)
