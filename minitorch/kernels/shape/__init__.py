"""Loops that rearrange elements."""
