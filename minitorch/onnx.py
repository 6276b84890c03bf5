"""Files for other libraries' inference: none are written."""

__all__ = ["export", "is_in_onnx_export"]


def is_in_onnx_export():
    """Whether a model is being exported: no."""
    return False


def export(*args, **kwargs):
    """Raises NotImplementedError: nothing is exported."""
    raise NotImplementedError("torch.onnx.export is not part of minitorch")
