"""For which dispatch keys PyTorch's operators have kernels: `autograd/kernels.txt`."""

import functools
import os.path

from minitorch import autograd

COMPOSITE = "CompositeImplicitAutograd"


@functools.cache
def _table():
    path = os.path.join(os.path.dirname(autograd.__file__), "kernels.txt")
    found, keys = {}, frozenset()
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith(" "):
                found.update(dict.fromkeys(line.split(), keys))
            elif not line.startswith("#"):
                keys = frozenset(line.split())
    return found


def all_keys():
    """The sets of keys by the operators' names, without the namespace."""
    return _table()


def keys_of(name):
    """The keys of an operator, ``"aten::add.Tensor"``; none of one that is not PyTorch's own."""
    namespace, _, rest = name.partition("::")
    return _table().get(rest, frozenset()) if namespace == "aten" else frozenset()


def is_composite(overload):
    """Whether PyTorch composes an operator of others, which are the ones that are recorded."""
    return COMPOSITE in keys_of(overload.name())
