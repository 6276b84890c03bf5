"""On which device the result of an operator on fake tensors is said to be."""

from minitorch.core.types import device as _device

_CPU = _device("cpu")


def is_tensor_constructor(func):
    """Whether an operator makes a tensor out of none: its schema names a device and no tensor."""
    schema = func._schema
    arguments = [str(argument.type) for argument in schema.arguments]
    names = [argument.name for argument in schema.arguments]
    return "device" in names and not any("Tensor" in kind for kind in arguments)


def factory_device(func, args, kwargs):
    """The device that an operator is told; None: that of its tensors."""
    if kwargs.get("device") is not None:
        device = kwargs["device"]
        return device if isinstance(device, _device) else _device(device)
    return _CPU if is_tensor_constructor(func) else None


class FakeTensorDeviceMismatchError(RuntimeError):
    """The tensors that an operator is called with are on several devices.

    Parameters
    ----------
    func : OpOverload
    common_device, device : device
        The first one, and the one that is another.
    """

    def __init__(self, func, common_device, device):
        self.func, self.common_device, self.device = func, common_device, device
        super().__init__(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{common_device} and {device}!"
        )


FakeTensorDeviceMismatchError.__module__ = "minitorch._subclasses.fake_tensor"


def common_device(func, tensors):
    """The device of the tensors; one without dimensions on the CPU goes with the others.

    Raises
    ------
    FakeTensorDeviceMismatchError
        They are on several.
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
