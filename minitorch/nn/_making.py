"""Factory functions for modules, looked up in the public namespace.

The public functions dispatch to ``__torch_function__`` modes.
"""

from minitorch.namespace import public


def _named(name):
    def make(*args, **kwargs):
        return public.names[name](*args, **kwargs)

    make.__name__ = make.__qualname__ = name
    return make


empty, ones, tensor, zeros = map(_named, ("empty", "ones", "tensor", "zeros"))
