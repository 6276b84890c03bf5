"""What is registered for an operator that a program defines, by its name."""

from minitorch._dispatch.operators import OpOverloadPacket, custom
from minitorch._dispatch.schema import FunctionSchema


class Kernels(dict):
    """What is registered for an operator: functions by the names of dispatch keys, and these rules."""

    def __init__(self):
        super().__init__()
        self.reset()

    def reset(self):
        """Nothing is registered any more."""
        self.clear()
        self.formula = None  # `Formula`: how it is differentiated
        self.batched = None  # the rule of `vmap`
        self.autocast = None  # (device type, dtype, whether its error tells the names of arguments)
        self.dispatch_rules = {}  # by classes with __torch_dispatch__
        self.fake = None  # what results without data look like
        self.fake_source = None  # "file:line" that said so
        self.device_argument = None  # the name of the one that chooses the kernel, without tensors
        self.explain = None  # raises for a key without a kernel, unless the usual error will do


_kernels: dict = {}  # by names such as "ns::op" and "ns::op.overload"


def kernels_of(name):
    """The `Kernels` under a name, which may be defined later."""
    name = name.removesuffix(".default")
    if name not in _kernels:
        _kernels[name] = Kernels()
    return _kernels[name]


def all_kernels():
    """All that is registered, by the names of the operators."""
    return {name: kernels for name, kernels in _kernels.items() if kernels}


def own_operator(namespace, text, kernel):
    """Define one of PyTorch's operators outside of ``aten``, by its schema and what computes it."""
    schema = FunctionSchema(text, namespace)
    name = schema.name.partition("::")[2]
    if (namespace, name) not in custom:
        custom[namespace, name] = OpOverloadPacket(name, [], namespace)
    overload = custom[namespace, name]._add(schema)
    overload._kernels = kernels_of(overload.name())
    overload._kernels["CompositeExplicitAutograd"] = kernel
    return overload
