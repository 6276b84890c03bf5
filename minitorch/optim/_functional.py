"""The update steps of the optimizers as functions of parameters, gradients and states."""

from minitorch.optim.adadelta import adadelta
from minitorch.optim.adagrad import adagrad
from minitorch.optim.adam import adam
from minitorch.optim.adamax import adamax
from minitorch.optim.adamw import adamw
from minitorch.optim.asgd import asgd
from minitorch.optim.nadam import nadam
from minitorch.optim.radam import radam
from minitorch.optim.rmsprop import rmsprop
from minitorch.optim.rprop import rprop
from minitorch.optim.sgd import sgd

__all__ = [
    "adadelta",
    "adagrad",
    "adam",
    "adamax",
    "adamw",
    "asgd",
    "nadam",
    "radam",
    "rmsprop",
    "rprop",
    "sgd",
]
