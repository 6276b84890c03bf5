"""Kernels written in Python DSLs: there are none."""

__all__ = ["available_dsls"]

available_dsls: list[str] = []
