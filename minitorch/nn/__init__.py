"""Layers, losses and initializers."""

# ruff: noqa: F401 (what is imported here is the namespace)
from minitorch.nn import attention, functional, grad, init, parallel, parameter, utils
from minitorch.nn._factory import factory_kwargs
from minitorch.nn._linear_cross_entropy import LinearCrossEntropyOptions
from minitorch.nn.modules import _homes
from minitorch.nn.modules._margin_losses import (
    CosineEmbeddingLoss,
    CTCLoss,
    GaussianNLLLoss,
    HingeEmbeddingLoss,
    LinearCrossEntropyLoss,
    MarginRankingLoss,
    MultiLabelMarginLoss,
    MultiLabelSoftMarginLoss,
    MultiMarginLoss,
    PoissonNLLLoss,
    TripletMarginLoss,
    TripletMarginWithDistanceLoss,
)
from minitorch.nn.modules._more_norms import (
    CrossMapLRN2d,
    LocalResponseNorm,
    RMSNorm,
)
from minitorch.nn.modules._more_pooling import (
    AdaptiveAvgPool3d,
    AdaptiveMaxPool3d,
    FractionalMaxPool2d,
    FractionalMaxPool3d,
    LPPool1d,
    LPPool2d,
    LPPool3d,
    MaxUnpool1d,
    MaxUnpool2d,
    MaxUnpool3d,
)
from minitorch.nn.modules._parameters import ParameterDict, ParameterList
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
    RReLU,
    Sigmoid,
    SiLU,
    Softmax,
    Softmax2d,
    Softmin,
    Softplus,
    Softshrink,
    Softsign,
    Tanh,
    Tanhshrink,
    Threshold,
)
from minitorch.nn.modules.adaptive import AdaptiveLogSoftmaxWithLoss
from minitorch.nn.modules.container import Container, ModuleDict, ModuleList, Sequential
from minitorch.nn.modules.conv import (
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
)
from minitorch.nn.modules.distance import CosineSimilarity, PairwiseDistance
from minitorch.nn.modules.lazy import (
    LazyBatchNorm1d,
    LazyBatchNorm2d,
    LazyBatchNorm3d,
    LazyConv1d,
    LazyConv2d,
    LazyConv3d,
    LazyConvTranspose1d,
    LazyConvTranspose2d,
    LazyConvTranspose3d,
    LazyInstanceNorm1d,
    LazyInstanceNorm2d,
    LazyInstanceNorm3d,
    LazyLinear,
)
from minitorch.nn.modules.linear import Bilinear, Identity, Linear
from minitorch.nn.modules.loss import (
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    HuberLoss,
    KLDivLoss,
    L1Loss,
    MSELoss,
    NLLLoss,
    NLLLoss2d,
    SmoothL1Loss,
    SoftMarginLoss,
)
from minitorch.nn.modules.misc import (
    AlphaDropout,
    Dropout,
    Dropout1d,
    Dropout2d,
    Dropout3d,
    Embedding,
    FeatureAlphaDropout,
    Flatten,
    Unflatten,
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
    InstanceNorm3d,
    LayerNorm,
)
from minitorch.nn.modules.padding import (
    CircularPad1d,
    CircularPad2d,
    CircularPad3d,
    ConstantPad1d,
    ConstantPad2d,
    ConstantPad3d,
    ReflectionPad1d,
    ReflectionPad2d,
    ReflectionPad3d,
    ReplicationPad1d,
    ReplicationPad2d,
    ReplicationPad3d,
    ZeroPad1d,
    ZeroPad2d,
    ZeroPad3d,
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
from minitorch.nn.modules.sparse import EmbeddingBag
from minitorch.nn.modules.synchronized_batch_norm import SyncBatchNorm
from minitorch.nn.modules.transformer import (
    Transformer,
    TransformerDecoder,
    TransformerDecoderLayer,
    TransformerEncoder,
    TransformerEncoderLayer,
)
from minitorch.nn.modules.vision import (
    ChannelShuffle,
    Fold,
    PixelShuffle,
    PixelUnshuffle,
    Unfold,
    Upsample,
    UpsamplingBilinear2d,
    UpsamplingNearest2d,
)
from minitorch.nn.parallel import DataParallel
from minitorch.nn.parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

__all__ = [name for name in dir() if not name.startswith("_") and name != "modules"]

_homes.settle(globals())
