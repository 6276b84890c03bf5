"""Conversion of the values of summaries to arrays."""

import numpy as np

from minitorch._tensor import Tensor
from minitorch.core.dtype import _dtypes

__all__ = ["make_np"]


def make_np(x):
    """Convert a tensor, an array or a Python number to an array."""
    if isinstance(x, np.ndarray):
        return x
    if np.isscalar(x):
        return np.array([x])
    if not isinstance(x, Tensor):
        raise NotImplementedError(f"Got {type(x)}, but numpy array or torch tensor are expected.")
    if x.device.type == "meta":  # has no elements; like PyTorch, log a random number
        return np.random.randn(1)
    if x.dtype == _dtypes()["bfloat16"]:  # which NumPy does not have
        x = x.half()
    return x.detach().cpu().numpy()
