"""Learning rate schedulers.

`_base` contains the base class and describes how to write a scheduler.
"""

from minitorch.optim.lr_scheduler._base import (
    EPOCH_DEPRECATION_WARNING,
    LRScheduler,
    _enable_get_lr_call,  # noqa: F401 - schedules of programs import it
    _LRScheduler,
    _warn_get_lr_called_within_step,  # noqa: F401 - and for it
)
from minitorch.optim.lr_scheduler._compound import ChainedScheduler, SequentialLR
from minitorch.optim.lr_scheduler._cosine import CosineAnnealingLR, CosineAnnealingWarmRestarts
from minitorch.optim.lr_scheduler._cycle import CyclicLR, OneCycleLR
from minitorch.optim.lr_scheduler._factors import (
    ConstantLR,
    ExponentialLR,
    LinearLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from minitorch.optim.lr_scheduler._lambdas import LambdaLR, MultiplicativeLR
from minitorch.optim.lr_scheduler._plateau import ReduceLROnPlateau

__all__ = [
    "EPOCH_DEPRECATION_WARNING",
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
    "_LRScheduler",
]

for _name in __all__[1:]:
    globals()[_name].__module__ = __name__  # pickled schedulers of PyTorch use this module name
