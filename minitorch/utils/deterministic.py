"""The treatment of uninitialized memory by deterministic algorithms.

Examples
--------
>>> import minitorch as torch
>>> torch.utils.deterministic.fill_uninitialized_memory
True
>>> torch.use_deterministic_algorithms(True)
>>> torch.empty(2)
tensor([nan, nan])
>>> torch.use_deterministic_algorithms(False)
"""

import sys
import types

from minitorch.tensors.settings import get_deterministic_fill, set_deterministic_fill


class _Deterministic(types.ModuleType):
    @property
    def fill_uninitialized_memory(self):
        """True if `empty` and similar functions fill their result in deterministic mode."""
        return get_deterministic_fill()

    @fill_uninitialized_memory.setter
    def fill_uninitialized_memory(self, mode):
        set_deterministic_fill(mode)


sys.modules[__name__].__class__ = _Deterministic
