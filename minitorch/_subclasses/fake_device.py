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


def common_device(func, tensors):
    """The device of the tensors; one without dimensions on the CPU goes with the others.

    Raises
    ------
    RuntimeError
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
            raise RuntimeError(
                f"Unhandled FakeTensor Device Propagation for {func}, found two different devices {device}, "
                f"{t.device}"
            )
    return _CPU if device is None else device
