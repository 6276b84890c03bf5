"""Optimizers."""

from minitorch.optim.adam import Adam, AdamW
from minitorch.optim.optimizer import Optimizer
from minitorch.optim.sgd import SGD

__all__ = ["SGD", "Adam", "AdamW", "Optimizer"]
