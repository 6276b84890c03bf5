"""The decorator that PyTorch uses to mark how stable a name of ``torch.fx`` is."""

__all__ = ["compatibility"]


def compatibility(is_backward_compatible):
    """Return a decorator that leaves a class or function unchanged.

    Parameters
    ----------
    is_backward_compatible : bool
        Whether the name is stable; ignored.

    Examples
    --------
    >>> from minitorch.fx._compatibility import compatibility
    >>> @compatibility(is_backward_compatible=True)
    ... def double(x):
    ...     return 2 * x
    >>> double(2)
    4
    """
    return lambda marked: marked
