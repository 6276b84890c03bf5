"""Default settings of `torch.save` and `torch.load`."""

from contextlib import contextmanager
from mmap import MAP_PRIVATE


class _Section:
    def __setattr__(self, name, value):
        if not hasattr(type(self), name):
            raise AttributeError(f"{self._path}.{name} does not exist")
        super().__setattr__(name, value)


class _Load(_Section):
    """Settings of `torch.load`."""

    _path = "torch.utils.serialization.config.load"
    mmap = False
    endianness = None
    mmap_flags = MAP_PRIVATE
    calculate_storage_offsets = False


class _Save(_Section):
    """Settings of `torch.save`."""

    _path = "torch.utils.serialization.config.save"
    compute_crc32 = True
    use_pinned_memory_for_d2h = False
    storage_alignment = 64


load, save = _Load(), _Save()


@contextmanager
def patch(arg1=None, arg2=None, **kwargs):
    """Return a context manager, or decorator, that changes settings temporarily.

    Parameters
    ----------
    arg1 : str or dict
        The name of a setting, or names with values.
    arg2 : object
        The value, when a name is given.

    Examples
    --------
    >>> from minitorch.utils.serialization import config
    >>> with config.patch("save.storage_alignment", 4096):
    ...     config.save.storage_alignment
    4096
    """
    changes = {**(arg1 if isinstance(arg1, dict) else {arg1: arg2} if arg1 else {}), **kwargs}
    places = {name: (globals()[name.split(".")[0]], name.split(".")[1]) for name in changes}
    before = {name: getattr(*place) for name, place in places.items()}
    try:
        for name, value in changes.items():
            setattr(*places[name], value)
        yield
    finally:
        for name, value in before.items():
            setattr(*places[name], value)
