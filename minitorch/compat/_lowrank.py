"""Approximate low-rank decompositions, under the module name of PyTorch."""

from minitorch.composed.low_rank import get_approximate_basis, pca_lowrank, svd_lowrank

__all__ = ["get_approximate_basis", "pca_lowrank", "svd_lowrank"]
