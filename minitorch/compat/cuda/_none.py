"""How to say that there is no GPU."""

NOT_COMPILED = "Torch not compiled with CUDA enabled"


def needs_cuda(name):
    """A function that raises, under a name."""

    def function(*args, **kwargs):
        """Raises AssertionError: there is no CUDA."""
        raise AssertionError(NOT_COMPILED)

    function.__name__ = function.__qualname__ = name
    return function


def dummy_class(name, message=None):
    """A class without instances, under a name, such as a stream's."""

    def refuse(cls, *args, **kwargs):
        raise RuntimeError(message or f"Tried to instantiate dummy base class {name}")

    doc = "Raises RuntimeError: there is no CUDA."
    return type(name, (), {"__new__": refuse, "__doc__": doc, "__module__": "torch.cuda"})


class _TensorType(type):
    """The class of a tensor type of GPUs: no tensor is an instance."""

    def __instancecheck__(cls, instance):
        return False

    def __call__(cls, *args, **kwargs):
        raise TypeError(
            f"type torch.cuda.{cls.__name__} not available. Torch not compiled with CUDA enabled."
        )


def tensor_types(names):
    """The classes named after element types, such as ``cuda.FloatTensor``."""
    doc = "Tensors of a GPU: there are none."
    return {
        f"{name}Tensor": _TensorType(
            f"{name}Tensor", (), {"__module__": "torch.cuda", "__doc__": doc}
        )
        for name in names
    }
