"""Location tags of storages in files, and `map_location`."""

from minitorch.autograd.meta import meta_storage
from minitorch.core.types import device
from minitorch.tensors.tensor_types import typename
from minitorch.tensors.typed_storage import UntypedStorage

_package_registry: list = []
_ACCELERATORS = ("cuda", "xpu", "hpu", "mtia", "privateuseone")


def register_package(priority, tagger, deserializer):
    """Register how storages of a device are tagged in files and restored.

    Parameters
    ----------
    priority : int
        Entries with a lower number are tried first.
    tagger : callable
        ``tagger(storage)`` returns the tag, or None.
    deserializer : callable
        ``deserializer(storage, tag)`` returns the storage on its device, or None.

    Examples
    --------
    >>> import minitorch as torch
    >>> def tag(storage):
    ...     return None
    >>> def restore(storage, tag):
    ...     return None
    >>> torch.serialization.register_package(1000, tag, restore)
    """
    _package_registry.append((priority, tagger, deserializer))
    _package_registry.sort(key=lambda entry: entry[0])


def _cpu_tag(storage):
    return "cpu" if storage.device.type == "cpu" else None


def _cpu_deserialize(storage, location):
    return storage if location == "cpu" else None


def _accelerator_deserialize(storage, location):
    name = location.rstrip("0123456789").rstrip(":")
    if name == "mps":
        raise RuntimeError("torch.UntypedStorage(): Storage device not recognized: mps")
    if name in _ACCELERATORS:
        raise RuntimeError(
            f"Attempting to deserialize object on a {name.upper()} device but torch.{name}.is_available() "
            "is False. If you are running on a CPU-only machine, please use torch.load with "
            "map_location=torch.device('cpu') to map your storages to the CPU."
        )


def _meta_tag(storage):
    return "meta" if storage.device.type == "meta" else None


def _meta_deserialize(storage, location):
    return meta_storage(storage.nbytes()) if location == "meta" else None


register_package(10, _cpu_tag, _cpu_deserialize)
register_package(22, _meta_tag, _meta_deserialize)
register_package(30, lambda storage: None, _accelerator_deserialize)


def location_tag(storage):
    """Return the location tag of a storage for a file.

    Parameters
    ----------
    storage : UntypedStorage
        A storage.

    Returns
    -------
    str
        The tag of the first registered package that knows the storage.

    Raises
    ------
    RuntimeError
        If none does.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.serialization.location_tag(torch.ones(1).untyped_storage())
    'cpu'
    """
    for _, tagger, _ in _package_registry:
        location = tagger(storage)
        if location:
            return location
    raise RuntimeError("don't know how to determine data location of " + typename(storage))


def default_restore_location(storage, location):
    """Return a storage moved to the location that a tag names.

    Parameters
    ----------
    storage : UntypedStorage
        The storage that was read.
    location : str
        The tag, such as ``"cpu"``.

    Returns
    -------
    UntypedStorage
        `storage` itself for ``"cpu"``.

    Raises
    ------
    RuntimeError
        No registered package knows the tag, or the device is not available.

    Examples
    --------
    >>> import minitorch as torch
    >>> storage = torch.ones(1).untyped_storage()
    >>> torch.serialization.default_restore_location(storage, "cpu") is storage
    True
    """
    if not isinstance(location, str):
        raise RuntimeError(f"a location tag must be a text, but got {type(location).__name__}")
    for _, _, deserializer in _package_registry:
        result = deserializer(storage, location)
        if result is not None:
            return result
    raise RuntimeError(
        f"don't know how to restore data location of {typename(storage)} (tagged with {location})"
    )


class Restore:
    """Callable ``restore(storage, tag)`` that applies the `map_location` of `torch.load`."""

    def __init__(self, map_location):
        if isinstance(map_location, bytes):
            map_location = map_location.decode("ascii")
        if isinstance(map_location, device):
            map_location = str(map_location)
        self._map = map_location
        # no data is read in this case
        self.is_meta = map_location == "meta"

    def _named(self, location):
        """Return the mapped tag; the tag itself if `map_location` is a function or None."""
        if isinstance(self._map, dict):
            return self._map.get(location, location)
        return self._map if isinstance(self._map, str) else location

    def __call__(self, storage, location):
        if self._map is None or isinstance(self._map, (str, dict)):
            return default_restore_location(storage, self._named(location))
        result = self._map(storage, location)
        if result is None:
            return default_restore_location(storage, location)
        return result if isinstance(result, UntypedStorage) else result.untyped()

    def fake_device(self, location):
        """Return the device of fake tensors whose storage has a tag."""
        if callable(self._map):
            raise RuntimeError(
                "Callable map_location not supported with _rebuild_wrapper_subclass or "
                "_rebuild_device_tensor_from_numpy"
            )
        return self._named(location)
