"""The dispatch keys for which PyTorch's operators have kernels, from `autograd/kernels.txt`."""

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
    """Return a map from an operator's name, without the namespace, to its set of keys."""
    return _table()


def keys_of(name):
    """Return the keys of an operator such as ``"aten::add.Tensor"``; empty for custom ones."""
    namespace, _, rest = name.partition("::")
    return _table().get(rest, frozenset()) if namespace == "aten" else frozenset()


def is_composite(overload):
    """Return whether an operator is composite in PyTorch, so that autograd records its parts."""
    return COMPOSITE in keys_of(overload.name())
