"""Files for other libraries' inference: none are written."""

from minitorch.version import __version__ as producer_version

__all__ = [
    "export",
    "is_in_onnx_export",
    "producer_version",
    "register_custom_op_symbolic",
    "unregister_custom_op_symbolic",
]


def is_in_onnx_export():
    """Whether a model is being exported: no."""
    return False


def export(*args, **kwargs):
    """Raises NotImplementedError: nothing is exported."""
    raise NotImplementedError("torch.onnx.export is not part of minitorch")


def register_custom_op_symbolic(symbolic_name, symbolic_fn, opset_version, custom_opsets=None):
    """Raises NotImplementedError: nothing is exported."""
    raise NotImplementedError("torch.onnx.register_custom_op_symbolic is not part of minitorch")


def unregister_custom_op_symbolic(symbolic_name, opset_version):
    """Raises NotImplementedError: nothing is exported."""
    raise NotImplementedError("torch.onnx.unregister_custom_op_symbolic is not part of minitorch")
