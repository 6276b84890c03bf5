"""Functions and classes that raise because there is no CUDA."""

NOT_COMPILED = "Torch not compiled with CUDA enabled"


def needs_cuda(name):
    """Return a function with the given name that raises AssertionError."""

    def function(*args, **kwargs):
        """Raise AssertionError: there is no CUDA."""
        raise AssertionError(NOT_COMPILED)

    function.__name__ = function.__qualname__ = name
    return function


def dummy_class(name, message=None):
    """Return a class with the given name that cannot be instantiated."""

    def raise_no_cuda(cls, *args, **kwargs):
        raise RuntimeError(message or f"Tried to instantiate dummy base class {name}")

    doc = "Raises RuntimeError: there is no CUDA."
    return type(name, (), {"__new__": raise_no_cuda, "__doc__": doc, "__module__": "torch.cuda"})


class _TensorType(type):
    """Metaclass of GPU tensor types, which have no instances."""

    def __instancecheck__(cls, instance):
        return False

    def __call__(cls, *args, **kwargs):
        raise TypeError(
            f"type torch.cuda.{cls.__name__} not available. Torch not compiled with CUDA enabled."
        )


def tensor_types(names):
    """Return the tensor types for the given element types, such as ``cuda.FloatTensor``."""
    doc = "Tensors of a GPU: there are none."
    return {
        f"{name}Tensor": _TensorType(
            f"{name}Tensor", (), {"__module__": "torch.cuda", "__doc__": doc}
        )
        for name in names
    }
