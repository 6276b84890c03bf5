"""Implementations of FlashAttention that programs bring along: none is here, and none is needed."""

_registered: dict = {}
_active: list = []  # of the one that is in use: its name and its handle


def register_flash_attention_impl(impl, *, register_fn):
    """Give an implementation a name.

    Parameters
    ----------
    impl : str
    register_fn : callable
        Puts the implementation in place, and returns what has a ``remove`` to take it away, or None.

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
    """Put an implementation in place, by its name, after the one before has been taken away.

    Raises
    ------
    ValueError
        If there is none of the name.
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
    """The names of all implementations."""
    return sorted(_registered)


def current_flash_attention_impl():
    """The name of the one that is in place, or None."""
    return _active[0] if _active else None


def restore_flash_attention_impl(_raise_warn=True):
    """Take the implementation away."""
    if _active:
        _active[1].remove()
    elif _raise_warn:
        import logging  # not at the start: it takes its time

        logging.getLogger(__name__).warning(
            "Trying to restore default FA2 impl when no custom impl was activated"
        )
    _active.clear()
