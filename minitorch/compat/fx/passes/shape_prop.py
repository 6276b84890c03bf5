"""The `ShapeProp` interpreter, which records tensor metadata on nodes."""

import traceback

from minitorch._tensor import Tensor
from minitorch.core.types import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    strided,
)
from minitorch.fx._tensor_metadata import TensorMetadata
from minitorch.fx.interpreter import Interpreter
from minitorch.fx.node import map_aggregate

__all__ = ["ShapeProp", "TensorMetadata"]

_FORMATS = ((None, contiguous_format), (4, channels_last), (5, channels_last_3d))


def _format_of(tensor):
    for dims, kind in _FORMATS:
        if dims in (None, tensor.dim()) and tensor.is_contiguous(memory_format=kind):
            return kind
    return None


def _extract_tensor_metadata(result, include_contiguity=True):
    dense = result.layout is strided
    return TensorMetadata(
        result.shape,
        result.dtype,
        result.requires_grad,
        result.stride() if dense else (),
        _format_of(result) if dense and include_contiguity else None,
        result.is_quantized,
        {},
    )


class ShapeProp(Interpreter):
    """Runs a graph and stores the metadata of each result in ``meta["tensor_meta"]``.

    Parameters
    ----------
    gm : GraphModule
    fake_mode : optional
        Must be None; not supported.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.fx.passes.shape_prop import ShapeProp
    >>> traced = torch.fx.symbolic_trace(lambda x: x.sum(0))
    >>> _ = ShapeProp(traced).propagate(torch.ones(2, 3))
    >>> [tuple(node.meta["tensor_meta"].shape) for node in traced.graph.nodes]
    [(2, 3), (3,), (3,)]
    """

    def __init__(self, gm, fake_mode=None):
        super().__init__(gm)
        if fake_mode is not None:
            raise NotImplementedError("ShapeProp with fake_mode: minitorch has no fake tensors")
        self.fake_module = None
        self.fake_mode = None
        self.real_module = self.module

    def run_node(self, n):
        """Compute a node and store the metadata of its value."""
        try:
            result = super().run_node(n)
        except Exception as error:
            traceback.print_exc()
            raise RuntimeError(
                f"ShapeProp error for: node={n.format_node()} with meta={n.meta}"
            ) from error
        tensors = []

        def noted(leaf):
            if not isinstance(leaf, Tensor):
                return leaf
            tensors.append(leaf)
            return _extract_tensor_metadata(leaf)

        meta = map_aggregate(result, noted)
        if tensors:
            n.meta["tensor_meta"] = meta
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args):
        """Run the graph with the given inputs and return its output."""
        return super().run(*args)
