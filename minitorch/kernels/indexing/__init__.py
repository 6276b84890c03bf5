"""Loops that read and write through index tensors and masks."""
