"""``torch._C._nn``: functions of ``torch.nn.functional`` that PyTorch has compiled, by their names there.

Also the arguments of `Module.to`, which packages with a ``to`` of their own read.
"""

from minitorch.nn import functional
from minitorch.nn.modules._conversions import _parse_to

__all__ = ["_parse_to"]

_OTHER_NAMES = {"log_sigmoid": "logsigmoid"}


def __getattr__(name):
    own = _OTHER_NAMES.get(name, name)
    if not own.startswith("_") and own in functional.__dict__:
        return functional.__dict__[own]
    raise AttributeError(f"module 'torch._C._nn' has no attribute '{name}'")
