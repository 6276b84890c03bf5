"""The factory keyword arguments of modules."""

__all__ = ["factory_kwargs"]

_NAMES = {"device", "dtype", "memory_format"}


def factory_kwargs(kwargs):
    """Extract ``device``, ``dtype`` and ``memory_format`` from a module's keyword arguments.

    Parameters
    ----------
    kwargs : dict or None
        The keyword arguments; some may be in a nested dictionary "factory_kwargs".

    Returns
    -------
    dict

    Raises
    ------
    TypeError
        For other arguments, or for one that is given in both places.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.factory_kwargs({"factory_kwargs": {"device": "cpu"}})
    {'device': 'cpu'}
    """
    if kwargs is None:
        return {}
    unexpected = set(kwargs) - _NAMES - {"factory_kwargs"}
    if unexpected:
        raise TypeError(f"unexpected kwargs {unexpected}")
    result = dict(kwargs.get("factory_kwargs", {}))
    for name in sorted(_NAMES & set(kwargs)):
        if name in result:
            raise TypeError(f"{name} specified twice, in **kwargs and in factory_kwargs")
        result[name] = kwargs[name]
    return result
