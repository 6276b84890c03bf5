"""The dispatch keys for which PyTorch's operators have kernels, from the operators' records."""

import functools

COMPOSITE = "CompositeImplicitAutograd"


@functools.cache
def _table():
    from minitorch.autograd.functions.overload_table import KERNELS

    sets = {text: frozenset(text.split()) for text in KERNELS.values()}
    return {name: sets[text] for name, text in KERNELS.items()}


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
