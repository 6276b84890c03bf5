"""Loops over raw pointers, which know nothing about tensors."""
