"""The device of the result of an operator on fake tensors."""

from minitorch.core.types import device as _device

_CPU = _device("cpu")


def is_tensor_constructor(func):
    """Return whether an operator is a factory: it takes a device and no tensors."""
    schema = func._schema
    arguments = [str(argument.type) for argument in schema.arguments]
    names = [argument.name for argument in schema.arguments]
    return "device" in names and not any("Tensor" in kind for kind in arguments)


def factory_device(func, args, kwargs):
    """Return the device passed to an operator, or the CPU for a factory without one, else None."""
    if kwargs.get("device") is not None:
        device = kwargs["device"]
        return device if isinstance(device, _device) else _device(device)
    return _CPU if is_tensor_constructor(func) else None


class FakeTensorDeviceMismatchError(RuntimeError):
    """The tensor arguments of an operator are on different devices.

    Parameters
    ----------
    func : OpOverload
    common_device, device : device
        The first device, and the device that differs from it.
    """

    def __init__(self, func, common_device, device):
        self.func, self.common_device, self.device = func, common_device, device
        super().__init__(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{common_device} and {device}!"
        )


FakeTensorDeviceMismatchError.__module__ = "minitorch._subclasses.fake_tensor"


def common_device(func, tensors):
    """Return the common device of the tensors.

    Zero-dimensional CPU tensors may be mixed with tensors on another device.

    Raises
    ------
    FakeTensorDeviceMismatchError
        If the tensors are on different devices.
    """
    device, of_number = None, False
    for t in tensors:
        number = t.dim() == 0 and t.device.type == "cpu"
        if device is None:
            device, of_number = t.device, number
        elif t.device == device:
            of_number = of_number and number
        elif number:
            continue
        elif of_number:
            device, of_number = t.device, False
        else:
            raise FakeTensorDeviceMismatchError(func, device, t.device)
    return _CPU if device is None else device
