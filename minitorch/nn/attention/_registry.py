"""A registry of FlashAttention implementations of programs; minitorch has none itself."""

_registered: dict = {}
_active: list = []  # the name and the handle of the active implementation


def register_flash_attention_impl(impl, *, register_fn):
    """Register an implementation under a name.

    Parameters
    ----------
    impl : str
    register_fn : callable
        Installs the implementation; returns an object whose ``remove`` uninstalls it, or None.

    Examples
    --------
    >>> from minitorch.nn import attention
    >>> attention.register_flash_attention_impl("mine", register_fn=lambda: None)
    >>> attention.activate_flash_attention_impl("mine")
    >>> "mine" in attention.list_flash_attention_impls()
    True
    """
    _registered[impl] = register_fn


def activate_flash_attention_impl(impl):
    """Activate an implementation by name and deactivate the previous one.

    Parameters
    ----------
    impl : str
        A name given to `register_flash_attention_impl`.

    Raises
    ------
    ValueError
        If no implementation has the name.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn import attention
    >>> attention.register_flash_attention_impl("example", register_fn=lambda: None)
    >>> attention.activate_flash_attention_impl("example")
    """
    restore_flash_attention_impl(_raise_warn=False)
    if impl not in _registered:
        raise ValueError(
            f"Unknown flash attention impl '{impl}'. Available implementations: "
            f"{list_flash_attention_impls()}"
        )
    handle = _registered[impl]()
    if handle is not None:
        _active[:] = impl, handle


def list_flash_attention_impls():
    """Return the names of all implementations.

    Returns
    -------
    list of str
        In alphabetical order.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn import attention
    >>> attention.register_flash_attention_impl("example", register_fn=lambda: None)
    >>> "example" in attention.list_flash_attention_impls()
    True
    """
    return sorted(_registered)


def current_flash_attention_impl():
    """Return the name of the active implementation, or None.

    Returns
    -------
    str or None
        None if there is none, or if it returned no handle.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.attention.current_flash_attention_impl() is None
    True
    """
    return _active[0] if _active else None


def restore_flash_attention_impl(_raise_warn=True):
    """Deactivate the active implementation.

    Without an active implementation, log a warning. The built-in attention then takes tensors of
    any shape again.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.attention.restore_flash_attention_impl(_raise_warn=False)
    """
    if _active:
        _active[1].remove()
    elif _raise_warn:
        import logging  # imported here because it is slow

        logging.getLogger(__name__).warning(
            "Trying to restore default FA2 impl when no custom impl was activated"
        )
    _active.clear()
