"""The functions of ``torch.functional``."""

from minitorch.composed.broadcasting import (
    broadcast_shapes,
    broadcast_tensors,
    cartesian_prod,
    meshgrid,
)
from minitorch.composed.diagonals import block_diag
from minitorch.composed.distances import cdist
from minitorch.composed.einsum import einsum
from minitorch.composed.histogram import unravel_index
from minitorch.composed.low_rank import pca_lowrank, svd_lowrank
from minitorch.composed.matrix_norms import norm
from minitorch.composed.products import tensordot
from minitorch.composed.rearranging import chain_matmul
from minitorch.composed.splitting import atleast_1d, atleast_2d, atleast_3d, split
from minitorch.composed.statistics import unique, unique_consecutive
from minitorch.composed.triangular_factors import lu
from minitorch.fft._short_time import istft, stft

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "block_diag",
    "broadcast_shapes",
    "broadcast_tensors",
    "cartesian_prod",
    "cdist",
    "chain_matmul",
    "einsum",
    "istft",
    "lu",
    "meshgrid",
    "norm",
    "pca_lowrank",
    "split",
    "stft",
    "svd_lowrank",
    "tensordot",
    "unique",
    "unique_consecutive",
    "unravel_index",
]
