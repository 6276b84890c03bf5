"""Kernels written in languages inside Python: there are none."""

__all__ = ["available_dsls"]

available_dsls: list[str] = []
