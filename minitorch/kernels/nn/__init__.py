"""Loops of layers, losses and optimizers."""
