"""What is registered for an operator that a program defines, by its name."""


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
        self.autocast = None  # (device type, dtype)
        self.dispatch_rules = {}  # by classes with __torch_dispatch__
        self.fake = None
        self.explain = None  # raises for a key without a kernel, unless the usual error will do


_kernels: dict = {}  # by names such as "ns::op" and "ns::op.overload"


def kernels_of(name):
    """The `Kernels` under a name, which may be defined later."""
    name = name.removesuffix(".default")
    if name not in _kernels:
        _kernels[name] = Kernels()
    return _kernels[name]
