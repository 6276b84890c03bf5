"""TorchScript's quantized modules, which are absent and which PyTorch has removed too."""

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
    """Linear layer with 8-bit weights; absent."""


class QuantizedLinearFP16(Absent):
    """Linear layer with half-precision weights; absent."""


class QuantizedRNNCellBase(Absent):
    """Base class of 8-bit recurrent cells; absent."""


class QuantizedRNNCell(QuantizedRNNCellBase):
    """Recurrent cell with 8-bit weights; absent."""


class QuantizedLSTMCell(QuantizedRNNCellBase):
    """LSTM cell with 8-bit weights; absent."""


class QuantizedGRUCell(QuantizedRNNCellBase):
    """GRU cell with 8-bit weights; absent."""


class QuantizedRNNBase(Absent):
    """Base class of 8-bit recurrent layers; absent."""


class QuantizedLSTM(QuantizedRNNBase):
    """LSTM with 8-bit weights; absent."""


class QuantizedGRU(QuantizedRNNBase):
    """GRU with 8-bit weights; absent."""
