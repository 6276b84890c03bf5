"""Files for other libraries' inference: none are written."""

from minitorch._absent import absent
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


export = absent("torch.onnx.export")
register_custom_op_symbolic = absent("torch.onnx.register_custom_op_symbolic")
unregister_custom_op_symbolic = absent("torch.onnx.unregister_custom_op_symbolic")
