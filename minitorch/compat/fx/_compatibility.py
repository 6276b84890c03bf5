"""The decorator by which PyTorch marks how stable a name of ``torch.fx`` is."""

__all__ = ["compatibility"]


def compatibility(is_backward_compatible):
    """Decorate a class or function: it comes back as it is.

    Parameters
    ----------
    is_backward_compatible : bool
        Whether programs may count on it.

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
