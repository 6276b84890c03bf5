"""Layers, losses and their initial values."""

# ruff: noqa: F401 (what is imported here is the namespace)
from minitorch.nn import functional, init, utils
from minitorch.nn.modules.activation import (
    CELU,
    ELU,
    GELU,
    GLU,
    SELU,
    Hardshrink,
    Hardsigmoid,
    Hardswish,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    Mish,
    PReLU,
    ReLU,
    ReLU6,
    Sigmoid,
    SiLU,
    Softmax,
    Softmin,
    Softplus,
    Softshrink,
    Softsign,
    Tanh,
    Tanhshrink,
    Threshold,
)
from minitorch.nn.modules.container import ModuleDict, ModuleList, ParameterList, Sequential
from minitorch.nn.modules.conv import (
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
)
from minitorch.nn.modules.linear import Identity, Linear
from minitorch.nn.modules.loss import (
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    HuberLoss,
    KLDivLoss,
    L1Loss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
    SoftMarginLoss,
)
from minitorch.nn.modules.misc import (
    AlphaDropout,
    CosineSimilarity,
    Dropout,
    Dropout1d,
    Dropout2d,
    Dropout3d,
    Embedding,
    Flatten,
    Unflatten,
    ZeroPad2d,
)
from minitorch.nn.modules.module import Module
from minitorch.nn.modules.multihead import MultiheadAttention
from minitorch.nn.modules.normalization import (
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    GroupNorm,
    InstanceNorm1d,
    InstanceNorm2d,
    LayerNorm,
)
from minitorch.nn.modules.pooling import (
    AdaptiveAvgPool1d,
    AdaptiveAvgPool2d,
    AdaptiveMaxPool1d,
    AdaptiveMaxPool2d,
    AvgPool1d,
    AvgPool2d,
    AvgPool3d,
    MaxPool1d,
    MaxPool2d,
    MaxPool3d,
)
from minitorch.nn.modules.rnn import GRU, LSTM, RNN, RNNBase
from minitorch.nn.modules.rnn_cells import GRUCell, LSTMCell, RNNCell, RNNCellBase
from minitorch.nn.modules.transformer import (
    Transformer,
    TransformerDecoder,
    TransformerDecoderLayer,
    TransformerEncoder,
    TransformerEncoderLayer,
)
from minitorch.nn.parameter import Buffer, Parameter

__all__ = [name for name in dir() if not name.startswith("_") and name != "modules"]
