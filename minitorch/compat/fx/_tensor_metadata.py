"""The metadata of a tensor that `ShapeProp` records and generated code can show."""

from typing import Any, NamedTuple


class TensorMetadata(NamedTuple):
    """Metadata of a tensor.

    Parameters
    ----------
    shape : Size
    dtype : dtype
    requires_grad : bool
    stride : tuple of int
    memory_format : memory_format or None
    is_quantized : bool
    qparams : dict
    """

    shape: Any
    dtype: Any
    requires_grad: bool
    stride: tuple[int, ...]
    memory_format: Any
    is_quantized: bool
    qparams: dict[str, Any]


TensorMetadata.__module__ = "minitorch.fx.passes.shape_prop"
