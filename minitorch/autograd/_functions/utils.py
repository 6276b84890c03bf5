"""Reversal of broadcasting and reshaping, for backwards written by hand."""

__all__ = ["maybe_unexpand", "maybe_view"]


def maybe_view(tensor, size, check_same_size=True):
    """Return the tensor in another shape, or the tensor itself if it has that shape."""
    if check_same_size and tensor.size() == size:
        return tensor
    return tensor.contiguous().view(size)


def maybe_unexpand(tensor, old_size, check_same_size=True):
    """Sum over the dimensions that broadcasting has expanded from `old_size`."""
    if check_same_size and tensor.size() == old_size:
        return tensor
    return tensor.sum_to_size(old_size)
