"""Optimizers, and learning rate schedulers in `lr_scheduler`."""

from minitorch.core.lazy import lazy_attributes
from minitorch.optim import lr_scheduler, swa_utils
from minitorch.optim._adafactor import Adafactor
from minitorch.optim._muon import Muon
from minitorch.optim._stateless import swap_in_optimizer_params_and_state
from minitorch.optim.adadelta import Adadelta
from minitorch.optim.adagrad import Adagrad
from minitorch.optim.adam import Adam
from minitorch.optim.adamax import Adamax
from minitorch.optim.adamw import AdamW
from minitorch.optim.asgd import ASGD
from minitorch.optim.lbfgs import LBFGS
from minitorch.optim.nadam import NAdam
from minitorch.optim.optimizer import Optimizer
from minitorch.optim.radam import RAdam
from minitorch.optim.rmsprop import RMSprop
from minitorch.optim.rprop import Rprop
from minitorch.optim.sgd import SGD
from minitorch.optim.sparse_adam import SparseAdam

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Muon",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "SparseAdam",
    "lr_scheduler",
    "swa_utils",
    "swap_in_optimizer_params_and_state",
]

__getattr__ = lazy_attributes(__name__, "_functional")
