"""Operators that make new tensors."""
