"""Models of numbers of eight bits: none is made. What marks the places in a model computes as it is."""

from minitorch.namespace.absent import Absent, absent
from minitorch.nn.modules.module import Module

__all__ = [
    "DeQuantStub",
    "FakeQuantize",
    "FakeQuantizeBase",
    "ObserverBase",
    "QConfig",
    "QuantStub",
    "convert",
    "fuse_modules",
    "fuse_modules_qat",
    "get_default_qat_qconfig",
    "get_default_qconfig",
    "prepare",
    "prepare_qat",
    "quantize",
    "quantize_dynamic",
]


class QuantStub(Module):
    """Where a converted model would begin to compute with eight bits: the identity.

    Parameters
    ----------
    qconfig : object, optional
        Is kept.
    """

    def __init__(self, qconfig=None):
        super().__init__()
        if qconfig:
            self.qconfig = qconfig

    def forward(self, x):
        """The argument."""
        return x


class DeQuantStub(QuantStub):
    """Where a converted model would end to compute with eight bits: the identity.

    Parameters
    ----------
    qconfig : object, optional
        Is kept.
    """


class QConfig(Absent):
    """How values are observed and rounded."""


class ObserverBase(Absent):
    """Looks at the values that a model meets."""


class FakeQuantizeBase(Absent):
    """What rounds values as eight bits would."""


class FakeQuantize(FakeQuantizeBase):
    """Rounds values as eight bits would."""


convert = absent("torch.ao.quantization.convert")
fuse_modules = absent("torch.ao.quantization.fuse_modules")
fuse_modules_qat = absent("torch.ao.quantization.fuse_modules_qat")
get_default_qat_qconfig = absent("torch.ao.quantization.get_default_qat_qconfig")
get_default_qconfig = absent("torch.ao.quantization.get_default_qconfig")
prepare = absent("torch.ao.quantization.prepare")
prepare_qat = absent("torch.ao.quantization.prepare_qat")
quantize = absent("torch.ao.quantization.quantize")
quantize_dynamic = absent("torch.ao.quantization.quantize_dynamic")
