"""Names of TorchScript's quantized modules, which PyTorch has removed too: see ``torch.ao.quantization``."""

from minitorch.namespace.absent import Absent, absent

__all__ = [
    "QuantizedGRU",
    "QuantizedGRUCell",
    "QuantizedLSTM",
    "QuantizedLSTMCell",
    "QuantizedLinear",
    "QuantizedLinearFP16",
    "QuantizedRNNBase",
    "QuantizedRNNCell",
    "QuantizedRNNCellBase",
    "quantize_linear_modules",
    "quantize_rnn_cell_modules",
    "quantize_rnn_modules",
]

quantize_linear_modules = absent("torch.jit.quantized.quantize_linear_modules")
quantize_rnn_cell_modules = absent("torch.jit.quantized.quantize_rnn_cell_modules")
quantize_rnn_modules = absent("torch.jit.quantized.quantize_rnn_modules")


class QuantizedLinear(Absent):
    """A linear layer of eight bits."""


class QuantizedLinearFP16(Absent):
    """A linear layer of half precision."""


class QuantizedRNNCellBase(Absent):
    """What cells of eight bits have in common."""


class QuantizedRNNCell(QuantizedRNNCellBase):
    """A recurrent cell of eight bits."""


class QuantizedLSTMCell(QuantizedRNNCellBase):
    """A cell of an LSTM of eight bits."""


class QuantizedGRUCell(QuantizedRNNCellBase):
    """A cell of a GRU of eight bits."""


class QuantizedRNNBase(Absent):
    """What recurrent layers of eight bits have in common."""


class QuantizedLSTM(QuantizedRNNBase):
    """An LSTM of eight bits."""


class QuantizedGRU(QuantizedRNNBase):
    """A GRU of eight bits."""
