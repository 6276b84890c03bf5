"""Quantization of models, which is absent; the stubs in models are identities."""

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
    """Marker for the start of quantized computation; the identity.

    Parameters
    ----------
    qconfig : object, optional
        Stored as an attribute.
    """

    def __init__(self, qconfig=None):
        super().__init__()
        if qconfig:
            self.qconfig = qconfig

    def forward(self, x):
        """Return the argument."""
        return x


class DeQuantStub(QuantStub):
    """Marker for the end of quantized computation; the identity.

    Parameters
    ----------
    qconfig : object, optional
        Stored as an attribute.
    """


class QConfig(Absent):
    """Configuration of observers; absent."""


class ObserverBase(Absent):
    """Base class of observers of values; absent."""


class FakeQuantizeBase(Absent):
    """Base class of simulated quantization; absent."""


class FakeQuantize(FakeQuantizeBase):
    """Simulated quantization; absent."""


convert = absent("torch.ao.quantization.convert")
fuse_modules = absent("torch.ao.quantization.fuse_modules")
fuse_modules_qat = absent("torch.ao.quantization.fuse_modules_qat")
get_default_qat_qconfig = absent("torch.ao.quantization.get_default_qat_qconfig")
get_default_qconfig = absent("torch.ao.quantization.get_default_qconfig")
prepare = absent("torch.ao.quantization.prepare")
prepare_qat = absent("torch.ao.quantization.prepare_qat")
quantize = absent("torch.ao.quantization.quantize")
quantize_dynamic = absent("torch.ao.quantization.quantize_dynamic")
