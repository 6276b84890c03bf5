"""Factory functions for modules, looked up in the public namespace.

The public functions dispatch to ``__torch_function__`` modes.
"""

_public: dict = {}


def register(namespace):
    """Register the public namespace, which is defined above this module."""
    global _public
    _public = namespace


def _named(name):
    def make(*args, **kwargs):
        return _public[name](*args, **kwargs)

    make.__name__ = make.__qualname__ = name
    return make


empty, ones, tensor, zeros = map(_named, ("empty", "ones", "tensor", "zeros"))
