"""Symbolic functions of opset 11, which are absent and raise when called."""

from minitorch.namespace.absent import absent


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return absent(f"torch.onnx.symbolic_opset11.{name}")
