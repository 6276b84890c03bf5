"""Operators of layers, losses and optimizers."""
