"""PyTorch 0.2's autograd: `Variable`, `volatile`, and `backward` by the rules of 2017.

It is a thin layer over the same engine, for running old programs and for seeing where today's rules
come from. A tensor and a Variable are distinct here: tensors hold data, and operators are recorded
only if a Variable takes part. The functions of ``minitorch``, imported from this package, accept
Variables; `lift` extends any other function to accept them.

Examples
--------
>>> import minitorch
>>> from minitorch import legacy as torch
>>> from minitorch.legacy.autograd import Variable
>>> x = Variable(minitorch.ones(2, 2), requires_grad=True)
>>> out = torch.mm(x, x + 2).mean()
>>> out.backward()
>>> x.grad.data
tensor([[2., 2.],
        [2., 2.]])
>>> still = Variable(minitorch.ones(2, 2), volatile=True)
>>> (x * still).volatile, (x * still).requires_grad
(True, False)
"""

import minitorch as _minitorch
from minitorch.legacy import autograd, functional
from minitorch.legacy.autograd import Variable, backward, grad
from minitorch.legacy.engine import ImperativeEngine
from minitorch.legacy.variable import lift

__all__ = ["ImperativeEngine", "Variable", "autograd", "backward", "functional", "grad", "lift"]


def __getattr__(name):
    value = getattr(_minitorch, name)
    if name.startswith("_") or isinstance(value, type) or not callable(value):
        return value
    return lift(value)
