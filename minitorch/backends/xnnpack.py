"""Switches of XNNPACK."""

__all__ = ["enabled"]

enabled = False
