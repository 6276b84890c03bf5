"""The functions of ``minitorch.nn.functional``, taking and giving Variables.

Examples
--------
>>> import minitorch
>>> from minitorch.legacy import Variable
>>> from minitorch.legacy import functional as F
>>> F.relu(Variable(minitorch.tensor([-1.0, 2.0]))).data
tensor([0., 2.])
"""

from minitorch.legacy.variable import lift
from minitorch.nn import functional as _functional


def __getattr__(name):
    value = getattr(_functional, name)
    return lift(value) if callable(value) else value
