"""The functions that modules make their tensors by, as programs see them: modes of ``__torch_function__`` are asked."""

_public: dict = {}


def register(namespace):
    """Tell the names of the public namespace, which stands above this file."""
    global _public
    _public = namespace


def _named(name):
    def make(*args, **kwargs):
        return _public[name](*args, **kwargs)

    make.__name__ = make.__qualname__ = name
    return make


empty, ones, tensor, zeros = map(_named, ("empty", "ones", "tensor", "zeros"))
