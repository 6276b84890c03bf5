"""Registry of the kernels and rules of custom operators, by name."""

from minitorch._dispatch.operators import OpOverloadPacket, custom
from minitorch._dispatch.schema import FunctionSchema


class Kernels(dict):
    """Kernels of an operator by dispatch key, and its rules for autograd, batches and autocast."""

    def __init__(self):
        super().__init__()
        self.reset()

    def reset(self):
        """Remove all kernels and rules."""
        self.clear()
        self.formula = None  # the `Formula` of its derivative
        self.batched = None  # its rule for `vmap`
        self.autocast = None  # (device type, dtype, whether errors name the arguments)
        self.dispatch_rules = {}  # class with __torch_dispatch__ -> rule
        self.fake = None  # computes results without data
        self.fake_source = None  # "file:line" that registered `fake`
        self.device_argument = None  # without tensors: the argument whose device selects the kernel
        self.explain = None  # called for a key without a kernel; may raise


_kernels: dict = {}  # by names such as "ns::op" and "ns::op.overload"


def kernels_of(name):
    """Return the `Kernels` of an operator, which need not be defined yet."""
    name = name.removesuffix(".default")
    if name not in _kernels:
        _kernels[name] = Kernels()
    return _kernels[name]


def all_kernels():
    """Return the non-empty `Kernels` by the names of their operators."""
    return {name: kernels for name, kernels in _kernels.items() if kernels}


def own_operator(namespace, text, kernel):
    """Define one of PyTorch's operators outside of ``aten`` from its schema and its kernel."""
    schema = FunctionSchema(text, namespace)
    name = schema.name.partition("::")[2]
    if (namespace, name) not in custom:
        custom[namespace, name] = OpOverloadPacket(name, [], namespace)
    overload = custom[namespace, name]._add(schema)
    overload._kernels = kernels_of(overload.name())
    overload._kernels["CompositeExplicitAutograd"] = kernel
    return overload
