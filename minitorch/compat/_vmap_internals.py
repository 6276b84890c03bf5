"""The legacy `vmap`, under the module name of PyTorch."""

from minitorch.autograd.vmap_steps import _unwrap_batched, _vmap, vmap

__all__ = ["_unwrap_batched", "_vmap", "vmap"]
