"""Support for multi-tensor operators: supported devices, and grouping of tensors."""

from minitorch._tensor import Tensor

__all__: list[str] = []

_foreach_supported_types = [Tensor]


def _get_foreach_kernels_supported_devices():
    """Return the devices other than the CPU that have multi-tensor operators."""
    return ["cuda", "xpu", "mtia", "privateuseone"]


def _get_fused_kernels_supported_devices():
    """Return the devices with fused optimizers."""
    return ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "privateuseone"]


def _device_has_foreach_support(device):
    return device.type in (*_get_foreach_kernels_supported_devices(), "cpu")


def _has_foreach_support(tensors, device):
    return _device_has_foreach_support(device) and all(
        t is None or type(t) in _foreach_supported_types for t in tensors
    )


def _group_tensors_by_device_and_dtype(tensorlistlist, with_indices=False):
    """Group the columns of several lists by the device and dtype of the first list.

    Parameters
    ----------
    tensorlistlist : list of list of Tensor or None
        Lists of equal length; the first contains no None.
    with_indices : bool, default False
        Whether to return the indices of the columns too.

    Returns
    -------
    dict
        A dict from ``(device, dtype)`` to the lists restricted to these columns, and the indices.

    Raises
    ------
    RuntimeError
        If the first list is empty.
    """
    if not tensorlistlist[0]:
        raise RuntimeError(
            "Expected !nested_tensorlist[0].empty() to be true, but got false.  (Could this error "
            "message be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    groups = {}
    for place, column in enumerate(zip(*tensorlistlist, strict=True)):
        lists, places = groups.setdefault(
            (column[0].device, column[0].dtype), ([[] for _ in tensorlistlist], [])
        )
        for chosen, item in zip(lists, column, strict=True):
            chosen.append(item)
        if with_indices:
            places.append(place)
    return groups
